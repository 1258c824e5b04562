import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FirstResult, Receipt, Run } from "../../core/run/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { systemClock } from "../../machine/index.ts";
import { aRun, todos } from "../../testing/index.ts";
import { createChecks } from "../create-checks.ts";

let home: string;
let root: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "first-")));
  root = join(home, "project");
  mkdirSync(join(home, "scratch"));
  write("src/sum.sh", "sum() { echo 0; }\n");
  write("test/sum.sh", '. ./src/sum.sh\n[ "$(sum 1 2)" = 3 ]\n');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const opened = (room: "auto" | "place" = "auto") =>
  createChecks({
    clock: systemClock(),
    env: { PATH: process.env.PATH, HOME: home },
    guard: { directory: join(home, "state"), scratch: join(home, "scratch"), protect: ["**/test/**"], room },
  });
const check = (run: string): Check => ({ run, by: "human" });
const never = new AbortController().signal;

async function begun(checks: ReturnType<typeof opened>, run: string, firsts?: readonly FirstResult[]): Promise<Run> {
  const guard = await checks.guard({ cwd: root, session: "s", checks: [check(run)] });
  const live = aRun({
    todos: todos({}),
    guards: { run: guard! },
    ...(firsts && { firsts: Object.fromEntries(firsts.map((first) => [first.key, first])) }),
    verifying: { round: "r", purpose: "complete", ids: ["t1"], by: "model", until: 0 },
  });
  return { ...live, origin: { ...live.origin, cwd: root } };
}

async function first(run: string, checks = opened()): Promise<FirstResult | undefined> {
  return checks.first!({ run: await begun(checks, run), check: check(run) }, never);
}
/** Where a project stands is what a room cannot be. */
const HERE = () => `[ "$PWD" = "${root}" ]`;

describe("what a check says of the files from before the work", () => {
  test("it fails, passes or cannot start; the room is gone afterwards", async () => {
    const checks = opened();
    expect(await first("sh test/sum.sh", checks)).toMatchObject({
      status: "failed",
      exit: 1,
      place: "failed",
      decides: "room",
    });
    expect(await first("exit 0", checks)).toMatchObject({
      status: "passed",
      decides: "room",
      proof: { where: "room" },
    });
    expect(await first("no-such-command", checks)).toMatchObject({
      status: "not_runnable",
      exit: 127,
      decides: "room",
    });
    expect(readdirSync(join(home, "scratch"))).toEqual([]);
  });

  test("it is judged on the baseline, whatever the project is by now", async () => {
    const checks = opened();
    const run = await begun(checks, "sh test/sum.sh");
    write("src/sum.sh", "sum() { echo 3; }\n");
    const found = await checks.first!({ run, check: check("sh test/sum.sh") }, never);
    expect(found).toMatchObject({ status: "failed", place: "changed", decides: "room" });
  });

  test("where you want no rooms, nothing is tried", async () => {
    expect(await first("exit 0", opened("place"))).toBeUndefined();
  });

  test("a round cuts it short and runs first; then it is tried again", async () => {
    const checks = opened();
    const line = `echo x >> "${home}/begun"; [ -e "${home}/go" ] || sleep 600`;
    const run = await begun(checks, line);
    const found = checks.first!({ run, check: check(line) }, never);
    await expect.poll(() => existsSync(join(home, "begun")), { timeout: 30_000 }).toBe(true);
    const mark = `echo round >> "${home}/begun"; touch "${home}/go"`;
    const [receipt] = await checks.run({ run, checks: [{ owner: "t1", check: check(mark) }] }, never);
    expect(receipt?.status).toBe("passed");
    expect(await found).toMatchObject({ status: "passed" });
    expect(readFileSync(join(home, "begun"), "utf8").split("\n").slice(0, 2)).toEqual(["x", "round"]);
  }, 60_000);

  test("it is cut short by its signal, and leaves no room behind", async () => {
    const checks = opened();
    const line = `touch "${home}/begun"; sleep 600`;
    const cut = new AbortController();
    const found = checks.first!({ run: await begun(checks, line), check: check(line) }, cut.signal);
    await expect.poll(() => existsSync(join(home, "begun")), { timeout: 30_000 }).toBe(true);
    cut.abort();
    expect(readdirSync(join(home, "scratch"))).toEqual([]);
    expect(await found).toBeUndefined();
  }, 60_000);
});

test("a round finds out what a check that the model chose said before, and only of such a check", async () => {
  const checks = opened("place");
  const chosen: Check = { run: "sh test/sum.sh", by: "model", allowed: true, byPattern: true };
  const run = await begun(checks, "sh test/sum.sh");
  write("src/sum.sh", "sum() { echo 3; }\n");
  const owned = [
    { owner: "t1", check: chosen },
    { owner: "t1", check: { ...chosen, run: "test -d src" } },
    { owner: "t1", check: check("exit 0") },
  ];
  const receipts = await checks.run({ run, checks: owned }, never);
  expect(receipts.map(({ status, first: before }) => [status, before])).toEqual([
    ["passed", "failed"],
    ["passed", "passed"],
    ["passed", undefined],
  ]);
});

describe("a check that works only in the project", () => {
  const judged = async (line: string, act: () => void): Promise<Receipt> => {
    const checks = opened();
    const found = await first(line, checks);
    const run = await begun(checks, line, found ? [found] : []);
    act();
    const [receipt] = await checks.run({ run, checks: [{ owner: "t1", check: check(line) }] }, never);
    return receipt!;
  };

  test("is decided there, and its receipt says why", async () => {
    expect(await first(HERE())).toMatchObject({ status: "failed", place: "passed", decides: "place" });
    const receipt = await judged(HERE(), () => write("src/sum.sh", "sum() { echo 3; }\n"));
    expect(receipt).toMatchObject({
      status: "passed",
      suspect: false,
      proof: { where: "place", why: "it works only in the project itself, as before the work" },
    });
  });

  test("is suspect where a file that judges it changed", async () => {
    const line = `${HERE()} && sh test/ok.sh`;
    write("test/ok.sh", "exit 0\n");
    const receipt = await judged(line, () => write("test/ok.sh", "true\n"));
    expect(receipt).toMatchObject({ status: "passed", suspect: true });
    expect(receipt.doubt).toContain("test/ok.sh was modified without being declared");
  });

  test("is left to the room where a file was exchanged while it ran, and put back", async () => {
    write("test/ok.sh", "exit 0\n");
    const line = `${HERE()} && sh test/ok.sh && if [ -e "${home}/swap" ]; then cp test/ok.sh "${home}/old" && echo true > test/ok.sh && cat "${home}/old" > test/ok.sh; fi`;
    const receipt = await judged(line, () => writeFileSync(join(home, "swap"), ""));
    expect(receipt).toMatchObject({ status: "passed", suspect: true, doubt: expect.stringContaining("clean room") });
  });

  test.each([
    [
      "a judging file is exchanged and put back",
      "cp test/sum.sh old && echo true > test/sum.sh && cat old > test/sum.sh; rm old",
    ],
    ["a judging folder is moved away and back", "mv test aside && mv aside test"],
    ["a file that steers is added and removed", "touch .npmrc && rm .npmrc"],
    ["a judging file stays changed", "echo true > test/sum.sh"],
  ])("is left to the room where %s meanwhile", async (_how, act) => {
    expect(await first(`[ "$PWD" != "${root}" ] || { ${act}; } && ${HERE()}`)).toMatchObject({
      decides: "room",
      place: "changed",
    });
  });

  test("may write files of its own the first time", async () => {
    write(".gitignore", "cache\n");
    expect(await first(`${HERE()} && mkdir -p cache && date > cache/x`)).toMatchObject({ decides: "place" });
  });
});
