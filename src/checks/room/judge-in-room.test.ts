import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Receipt, Run } from "../../core/run/index.ts";
import type { Check } from "../../core/todo/index.ts";
import type { Checks } from "../../engine/index.ts";
import { aRun, createFakeClock, todos } from "../../testing/index.ts";
import { createChecks } from "../create-checks.ts";
import { roomName } from "./room-folders.ts";

let home: string;
let root: string;
let checks: Checks;
const clock = createFakeClock(Date.UTC(2030, 0));
const env = { PATH: process.env.PATH, HOME: "/nonexistent", TMPDIR: tmpdir() };

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "guard-")));
  root = join(home, "project");
  mkdirSync(root);
  mkdirSync(join(home, "scratch"));
  checks = opened();
  write("src/sum.sh", "sum() { echo 0; }\n");
  write("test/sum.sh", '. ./src/sum.sh\n[ "$(sum 1 2)" = 3 ]\n');
  write("test/other.sh", "exit 0\n");
  write("package.json", JSON.stringify({ scripts: { test: "npm run inner", inner: ALL, build: "exit 1" } }));
  write("scripts/check.sh", ALL);
  write(".gitignore", "deps\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const opened = (touches: readonly string[] = []) =>
  createChecks({
    clock,
    env,
    guard: {
      directory: join(home, "state"),
      scratch: join(home, "scratch"),
      protect: ["**/test/**", "ci.yml"],
      touches,
    },
  });

const IN_ONE = "for t in test/[as]*.sh; do . ./$t || exit 1; done";
const ALL = "for t in test/*.sh; do sh $t || exit 1; done";
const write = (path: string, text: string): void => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};
const remove = (path: string): void => rmSync(join(root, path), { recursive: true });
const work = (): void => write("src/sum.sh", "sum() { echo $(($1 + $2)); }\n");
const git = (...args: readonly string[]): void => {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: root, env, stdio: "ignore" });
};

const check = (run: Check["run"]): Check => ({ run, by: "human" });
const take = (run: Check["run"], more: { before?: string } = {}) =>
  checks.guard({ cwd: root, session: "s", checks: [check(run)], ...more }).then((guard) => guard!);

async function judged(
  run: Check["run"],
  guard: string,
  given: { declared?: readonly string[]; touches?: readonly string[]; by?: "plan" } = {},
) {
  const state: Run = aRun({
    todos: todos({ touches: given.touches ?? [], by: given.by ?? "model" }),
    guards: { run: guard },
    declared: given.declared ?? [],
    verifying: { round: "r", purpose: "complete", ids: ["t1"], by: "model", until: 0 },
  });
  const live = { ...state, origin: { ...state.origin, cwd: root } };
  const [receipt] = await checks.run(
    { run: live, checks: [{ owner: "t1", check: check(run) }] },
    new AbortController().signal,
  );
  return receipt!;
}
const said = ({ status, suspect, doubt }: Receipt): string =>
  `${status}${suspect ? ", suspect" : doubt === undefined ? "" : ", cleared"}`;

const places = { "a repository": () => git("init", "-q"), "a directory without git": () => {} };

describe.each(Object.entries(places))("in %s", (_place, make) => {
  beforeEach(() => make());

  test.each<[string, string, Check["run"], () => void]>([
    ["the work is done", "passed", ALL, work],
    ["nothing is done", "failed", ALL, () => {}],
    ["the test is made to pass", "passed, suspect", ALL, () => write("test/sum.sh", "exit 0\n")],
    ["the test is deleted", "passed, suspect", ALL, () => remove("test/sum.sh")],
    ["all tests are deleted", "passed, suspect", "sh -c 'ls test/sum.sh && exit 1; exit 0'", () => remove("test")],
    ["a test is added", "passed", ALL, () => [work(), write("test/new.sh", "exit 0\n")]],
    ["a new test ends all tests", "passed, suspect", IN_ONE, () => write("test/aaa.sh", "exit 0\n")],
    [
      "a new test ends all tests, and the work says that nothing was found",
      "passed, suspect",
      IN_ONE,
      () => [
        write("test/aaa.sh", "exit 0\n"),
        write("src/sum.sh", "echo no tests found; echo test/aaa.sh: no such file\n"),
      ],
    ],
    [
      "the first tests are added that the check looks for",
      "passed",
      "ls test/new-*.sh && for t in test/new-*.sh; do sh $t || exit 1; done",
      () => [work(), write("test/new-sum.sh", ". ./src/sum.sh\n")],
    ],
    ["the work ends its test", "passed, suspect", ALL, () => write("src/sum.sh", "exit 0\n")],
    ["the work ends all tests of a process", "passed, suspect", IN_ONE, () => write("src/sum.sh", "exit 0\n")],
    [
      "the work ends where it is used wrongly",
      "passed",
      ALL,
      () => write("src/sum.sh", "sum() {\n  [ $# = 2 ] || exit 2\n  echo $(($1 + $2))\n}\n"),
    ],
    [
      "the work exits, and its check runs no tests",
      "passed",
      "grep -q exit src/sum.sh && cat test/*.sh",
      () => write("src/sum.sh", "exit 0\n"),
    ],
    ["a harmless test is reworded", "passed, cleared", ALL, () => [work(), write("test/other.sh", "# words\n")]],
    [
      "a test moves",
      "passed, cleared",
      ALL,
      () => [work(), remove("test/other.sh"), write("test/moved.sh", "exit 0\n")],
    ],
    ["a test becomes executable", "passed, cleared", ALL, () => [work(), chmodSync(join(root, "test/sum.sh"), 0o755)]],
    [
      "the script that checks is emptied",
      "passed, suspect",
      "sh scripts/check.sh",
      () => write("scripts/check.sh", ""),
    ],
    ["another script is changed", "passed", ALL, () => [work(), write("scripts/check.sh", "")]],
    [
      "a file that CI reads is changed",
      "passed, suspect",
      "test -f ci.yml && test ! -s ci.yml",
      () => write("ci.yml", ""),
    ],
  ])("%s: %s", async (_situation, expected, run, change) => {
    write("ci.yml", "on: push\n");
    const guard = await take(run);
    change();
    expect(said(await judged(run, guard))).toBe(expected);
  });

  test("what you declared may change, and is listed: by a todo of yours, or by a setting", async () => {
    const guard = await take(ALL);
    write("test/sum.sh", "exit 0\n");
    const receipt = await judged(ALL, guard, { touches: ["test/sum.sh"], by: "plan" });
    expect([said(receipt), receipt.proof?.notes]).toEqual(["passed", ["declared and changed: test/sum.sh"]]);
    for (const [touches, expected] of [
      [["./test/*.sh"], "passed"],
      [["test/"], "passed"],
      [["test/other.sh"], "passed, suspect"],
      [["**"], "passed, suspect"],
      [["**/*"], "passed, suspect"],
      [["."], "passed, suspect"],
    ] as const) {
      checks = opened(touches);
      expect(said(await judged(ALL, guard))).toBe(expected);
    }
  });

  test("what only the agent declared is judged as before, and said to be declared", async () => {
    const guard = await take(ALL);
    write("test/sum.sh", "exit 0\n");
    const receipt = await judged(ALL, guard, { touches: ["test/sum.sh"] });
    expect([said(receipt), receipt.doubt]).toEqual([
      "passed, suspect",
      "test/sum.sh was declared by the agent and changed, and with the old content the check does not pass (exit 1)",
    ]);
    work();
    const harmless = await judged(ALL, guard, { declared: ["test/**"] });
    expect([said(harmless), harmless.doubt]).toEqual([
      "passed, cleared",
      "test/sum.sh was declared by the agent and changed; the check passes with the old content too",
    ]);
  });

  test("a room that a killed process left is removed, another one's is not", async () => {
    const left = spawnSync("true").pid;
    for (const name of [`${roomName(left)}x`, `${roomName(process.pid)}y`, `tildone-room-1-${left}-z`, "other"])
      mkdirSync(join(home, "scratch", name, "inner"), { recursive: true });
    const guard = await take(ALL);
    work();
    expect((await judged(ALL, guard)).proof).toMatchObject({ where: "room", confined: false, judge: guard });
    expect(readdirSync(join(home, "scratch")).sort()).toEqual(
      ["other", `${roomName(process.pid)}y`, `tildone-room-1-${left}-z`].sort(),
    );
  });

  test("a project that is reached through a link is the same project", async () => {
    const [real, linked] = [root, join(home, "linked")];
    symlinkSync(root, linked);
    root = linked;
    const guard = await take(ALL);
    write("test/sum.sh", "exit 0\n");
    expect(said(await judged(ALL, guard))).toBe("passed, suspect");
    root = real;
    expect(said(await judged(ALL, guard))).toBe("passed, suspect");
  });

  test("undone is undone", async () => {
    const guard = await take(ALL);
    write("test/sum.sh", "exit 0\n");
    expect(said(await judged(ALL, guard))).toBe("passed, suspect");
    write("test/sum.sh", '. ./src/sum.sh\n[ "$(sum 1 2)" = 3 ]\n');
    work();
    expect(said(await judged(ALL, guard))).toBe("passed");
  });

  test("a guard outlives the process that took it", async () => {
    const guard = await take(ALL);
    write("test/sum.sh", "exit 0\n");
    checks = opened();
    expect(said(await judged(ALL, guard))).toBe("passed, suspect");
  });

  test("a guard that is gone or forged clears nothing", async () => {
    const guard = await take(ALL);
    work();
    rmSync(join(home, "state"), { recursive: true });
    const receipt = await judged(ALL, guard);
    expect([said(receipt), receipt.doubt]).toEqual([
      "passed, suspect",
      "what its check relied on before is no longer known",
    ]);
  });

  test("the copy holds what is ignored, and no link in it leads out", async () => {
    const outside = join(home, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "sum.sh"), "exit 0\n");
    write("deps/library.sh", "exit 0\n");
    const run = `sh deps/library.sh && ${ALL}`;
    const guard = await take(run);
    work();
    remove("test");
    symlinkSync(outside, join(root, "test"));
    expect(said(await judged(run, guard))).toBe("passed, cleared");
    expect(readdirSync(outside)).toEqual(["sum.sh"]);
    expect(readdirSync(join(home, "scratch"))).toEqual([]);
    expect(existsSync(join(root, "test/other.sh"))).toBe(false);
  });
});

describe("in a repository with history", () => {
  beforeEach(() => {
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "all");
  });

  test("a script of the package that the check stands on is changed, however deep", async () => {
    const guard = await take("npm test");
    write("package.json", JSON.stringify({ scripts: { test: "npm run inner", inner: "exit 0" } }));
    const receipt = await judged("npm test", guard);
    expect(receipt.doubt).toContain("package.json (inner)");
    expect(said(receipt)).toBe("passed, suspect");
  });

  test("a dependency is added to the package: that is no script", async () => {
    const guard = await take("npm test");
    work();
    write("package.json", JSON.stringify({ scripts: { test: "npm run inner", inner: ALL }, dependencies: { a: "1" } }));
    expect(said(await judged("npm test", guard))).toBe("passed");
  });

  test("a change that git was told not to see is seen", async () => {
    const guard = await take(ALL);
    git("update-index", "--assume-unchanged", "test/sum.sh");
    write("test/sum.sh", "exit 0\n");
    expect(said(await judged(ALL, guard))).toBe("passed, suspect");
  });

  test("a check that asks git is answered in the copy too", async () => {
    const run = `git diff --quiet HEAD -- scripts && git log -1 --format=%s | grep -q all && ${ALL}`;
    const guard = await take(run);
    work();
    write("test/other.sh", "# words\n");
    expect(said(await judged(run, guard))).toBe("passed, cleared");
  });

  test("in a directory of the repository the copy has the same shape", async () => {
    const inner = join(root, "test");
    const live = { ...aRun({ todos: todos({}) }), origin: { host: "test", session: "s", cwd: inner } };
    const run = check("sh other.sh && test -f ../package.json");
    const guarded = createChecks({ clock, env, guard: { directory: join(home, "state"), protect: ["*.sh"] } });
    const guard = await guarded.guard({ cwd: inner, session: "s", checks: [run] });
    write("test/other.sh", "# words\n");
    const [receipt] = await guarded.run(
      { run: { ...live, ledger: { ...live.ledger, guards: { run: guard! } } }, checks: [{ owner: "t1", check: run }] },
      new AbortController().signal,
    );
    expect(said(receipt!)).toBe("passed, cleared");
  });
});
