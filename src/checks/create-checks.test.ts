import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../test/builders/eventually.ts";
import type { OwnedCheck } from "../core/continuation/index.ts";
import { type Receipt, type Run, UNBORN } from "../core/run/index.ts";
import type { Check } from "../core/todo/index.ts";
import { createFakeClock } from "../testing/index.ts";
import { createChecks } from "./create-checks.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "checks-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const clock = createFakeClock(1000);
const env = { PATH: process.env.PATH, SERVICE_TOKEN: "very-secret-value" };

const aRun = (): Run => ({ ...UNBORN, id: "run", status: "live", origin: { host: "test", session: "s", cwd: root } });
const owned = (check: Pick<Check, "run"> & Partial<Check>, owner = "t1"): OwnedCheck => ({
  owner,
  check: { by: "human", ...check },
});

async function run(...checks: readonly OwnedCheck[]): Promise<readonly Receipt[]> {
  return createChecks({ clock, env }).run({ run: aRun(), checks }, new AbortController().signal);
}
const one = async (check: Pick<Check, "run"> & Partial<Check>): Promise<Receipt> => (await run(owned(check)))[0]!;
/** A shell makes the file before it writes into it: an empty one is not there yet. */
function wholeNumberIn(path: string): number {
  const text = readFileSync(path, "utf8");
  if (!/^\d+\n$/.test(text)) throw new Error(`${path} holds no number yet`);
  return Number(text);
}
const said = ({ status, exit }: Receipt): string => (exit === undefined ? status : `${status} ${exit}`);

describe("what a command's end means", () => {
  test.each([
    ["a line that succeeds", "passed 0", { run: "exit 0" }],
    ["a line that fails", "failed 3", { run: "exit 3" }],
    ["a vector that succeeds", "passed 0", { run: ["sh", "-c", "exit 0"] }],
    ["a vector that fails", "failed 7", { run: ["sh", "-c", "exit 7"] }],
    ["a vector is not read by a shell", "passed 0", { run: ["test", "$HOME", "=", "$HOME"] }],
    ["a command that kills itself", "failed", { run: "kill -KILL $$" }],
    ["a line naming no command there is", "not_runnable 127", { run: "no-such-command-here" }],
    ["a vector naming no command there is", "not_runnable", { run: ["no-such-command-here"] }],
    ["a file that may not be executed", "not_runnable 126", { run: "./plain" }],
    ["an empty vector", "not_runnable", { run: [] }],
    ["an argument no process can have", "not_runnable", { run: ["echo", "a\0b"] }],
    ["a directory inside", "passed 0", { run: "test -f here", cwd: "inner" }],
    ["a directory that is missing", "not_runnable", { run: "exit 0", cwd: "nowhere" }],
    ["a file as directory", "not_runnable", { run: "exit 0", cwd: "plain" }],
    ["a directory above", "not_runnable", { run: "exit 0", cwd: "inner/../.." }],
    ["an absolute directory", "not_runnable", { run: "exit 0", cwd: "/" }],
    ["a link that leads out", "not_runnable", { run: "exit 0", cwd: "out" }],
    ["a link that stays inside", "passed 0", { run: "test -f here", cwd: "in" }],
  ])("%s: %s", async (_situation, expected, check) => {
    mkdirSync(join(root, "inner"));
    writeFileSync(join(root, "inner/here"), "");
    writeFileSync(join(root, "plain"), "exit 0");
    symlinkSync("/", join(root, "out"));
    symlinkSync("inner", join(root, "in"));
    expect(said(await one(check))).toBe(expected);
  });

  test("input is closed and there is no terminal", async () => {
    expect(said(await one({ run: "cat && ! test -t 0 && ! (: < /dev/tty) 2>/dev/null" }))).toBe("passed 0");
  });

  test("what cannot be run says why", async () => {
    expect((await one({ run: "exit 0", cwd: "nowhere" })).tail).toContain('"nowhere" does not exist');
    expect((await one({ run: ["no-such-command-here"] })).tail).toContain("ENOENT");
  });
});

describe("the receipt", () => {
  test("names check, owner, result and who asked", async () => {
    const receipt = await one({ run: ["sh", "-c", "echo out; echo err >&2; exit 2"], by: "plan" });
    expect(receipt).toEqual({
      key: 't1 ["sh","-c","echo out; echo err >&2; exit 2"]',
      owner: "t1",
      command: '["sh","-c","echo out; echo err >&2; exit 2"]',
      status: "failed",
      exit: 2,
      durationMs: 0,
      digest: expect.stringMatching(/^[0-9a-f]{32}$/),
      tail: expect.stringMatching(/^(out\nerr\n|err\nout\n)$/),
      askedBy: "plan",
      suspect: false,
      at: 1000,
    });
  });

  test("equal output has one digest, other output another", async () => {
    const digests = await run(owned({ run: "echo a" }), owned({ run: "printf 'a\\n'" }), owned({ run: "echo b" }));
    expect(digests[0]!.digest).toBe(digests[1]!.digest);
    expect(digests[0]!.digest).not.toBe(digests[2]!.digest);
  });

  test("keeps the last 8 KB of a long output, whole characters, and says that it was cut", async () => {
    const { tail } = await one({ run: "yes äöü | head -c 3000001; echo; echo the end; exit 1" });
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(8192);
    expect(Buffer.byteLength(tail)).toBeGreaterThan(8000);
    expect(tail).toMatch(/^\[\.\.\.\]\n/);
    expect(tail).not.toContain("\ufffd");
    expect(tail).toMatch(/the end\n$/);
  });

  test("holds no secret: neither a variable's value nor a key, also where the tail is cut", async () => {
    const key = `sk-proj-${"A1b2".repeat(8)}`;
    const { tail } = await one({
      run: `echo $SERVICE_TOKEN; printf '${key}'; head -c 8180 /dev/zero | tr '\\0' x; exit 1`,
    });
    expect(tail).not.toContain("A1b2");
    const short = await one({ run: `echo "$SERVICE_TOKEN" "${key}"` });
    expect(short.tail).toBe("[redacted SERVICE_TOKEN] [redacted key]\n");
  });

  test("holds no colours, and colours hide no secret", async () => {
    const { tail } = await one({ run: "printf 'very-\\033[1msecret-value \\033[31mred\\033[0m'" });
    expect(tail).toBe("[redacted SERVICE_TOKEN] red");
  });
});

describe("a round", () => {
  test("runs checks in order and each command once, however many owners ask for it", async () => {
    const receipts = await run(
      owned({ run: "echo one >> log" }, "t1"),
      owned({ run: "echo two >> log" }, "t1"),
      owned({ run: "echo one >> log" }, "run"),
    );
    expect(receipts.map(({ owner, status }) => `${owner} ${status}`)).toEqual(["t1 passed", "t1 passed", "run passed"]);
    expect(readFileSync(join(root, "log"), "utf8")).toBe("one\ntwo\n");
  });

  test("a failure does not keep the others from running", async () => {
    expect((await run(owned({ run: "exit 1" }), owned({ run: "exit 0" }))).map(said)).toEqual(["failed 1", "passed 0"]);
  });

  test("all receipts carry one workspace state, observed after the last check", async () => {
    const workspace = { observe: async (cwd: string) => readFileSync(join(cwd, "log"), "utf8") };
    const receipts = await createChecks({ clock, env, workspace }).run(
      { run: aRun(), checks: [owned({ run: "echo 1 >> log" }), owned({ run: "echo 2 >> log" })] },
      new AbortController().signal,
    );
    expect(receipts.map((receipt) => receipt.workspace)).toEqual(["1\n2\n", "1\n2\n"]);
  });
});

describe("ending a command", () => {
  /** Starts a check that writes its process ids to files, and waits until they stand there. */
  async function begun(line: string, files: readonly string[], timeoutMs = 300_000) {
    const time = createFakeClock();
    const controller = new AbortController();
    const round = createChecks({ clock: time, env }).run(
      { run: aRun(), checks: [owned({ run: line, timeoutMs }), owned({ run: "touch second" })] },
      controller.signal,
    );
    const pids = await eventually(() => files.map((file) => wholeNumberIn(join(root, file))));
    return { time, controller, round, pids };
  }
  const tree = "sh -c 'echo $$ > child; sh -c \"echo \\$\\$ > grandchild; sleep 300\" & wait' & echo $$ > parent; wait";

  test("after its time it is ended with its children and theirs", async () => {
    const { time, round, pids } = await begun(tree, ["parent", "child", "grandchild"], 60_000);
    await time.advance(60_000);
    expect((await round).map(({ status, durationMs }) => [status, durationMs])).toEqual([
      ["timed_out", 60_000],
      ["passed", 0],
    ]);
    await allGone(pids);
    await time.advance(2000);
    expect(time.pending).toBe(0);
  });

  test("when the round is cut short it is ended at once, and nothing after it is run", async () => {
    const { time, controller, round, pids } = await begun(tree, ["parent", "child", "grandchild"]);
    controller.abort();
    expect((await round).map(({ status }) => status)).toEqual(["cut_short"]);
    await allGone(pids);
    expect(() => readFileSync(join(root, "second"))).toThrow("ENOENT");
    await time.advance(2000);
    expect(time.pending).toBe(0);
  });

  test("one that will not listen is killed after the grace", async () => {
    const { time, controller, round, pids } = await begun("trap '' TERM; echo $$ > p; while :; do sleep 1; done", [
      "p",
    ]);
    controller.abort();
    await time.advance(1999);
    expect(isAlive(pids[0]!)).toBe(true);
    await time.advance(1);
    expect((await round).map(({ status }) => status)).toEqual(["cut_short"]);
    await allGone(pids);
  });

  test("what it leaves behind in its group is ended, and what left the group is not waited for", async () => {
    const { time, round, pids } = await begun("sleep 300 & echo $! > p; setsid sleep 300 & echo $! > q; exit 0", [
      "p",
      "q",
    ]);
    await eventually(() => expect(isAlive(pids[0]!)).toBe(false));
    await time.advance(2000);
    expect((await round)[0]!.status).toBe("passed");
    process.kill(pids[1]!, "SIGKILL");
  });

  test("a round that is cut before it begins runs nothing", async () => {
    const checks = createChecks({ clock, env });
    expect(await checks.run({ run: aRun(), checks: [owned({ run: "touch x" })] }, AbortSignal.abort())).toEqual([]);
  });
});

async function allGone(pids: readonly number[]): Promise<void> {
  await eventually(() => expect(pids.filter(isAlive)).toEqual([]));
}

/** A dead process may stay in the table until its parent looks at it. */
function isAlive(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", `${pid}`], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false; // ps fails when there is no such process
  }
}
