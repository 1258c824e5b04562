import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Check } from "../../core/todo/index.ts";
import { systemClock } from "../../machine/index.ts";
import { aRun, todos } from "../../testing/index.ts";
import { createChecks } from "../create-checks.ts";

let home: string;
let root: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "prepare-")));
  root = join(home, "project");
  mkdirSync(join(home, "scratch"));
  write(".gitignore", "node_modules\n");
  write("yarn.lock", "dep 1\n");
  write("node_modules/dep/test.sh", "exit 1\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const CHECK: Check = { run: "sh node_modules/dep/test.sh", by: "human" };
/** Installs what the lock file says, and would fall over what lies there already. */
const INSTALL = (result: string) =>
  `mkdir node_modules node_modules/dep && echo "${result}" > node_modules/dep/test.sh`;

async function judged(prepare: string | undefined, lock: string) {
  const checks = createChecks({
    clock: systemClock(),
    env: { PATH: process.env.PATH, HOME: home },
    guard: {
      directory: join(home, "state"),
      scratch: join(home, "scratch"),
      protect: ["**/test/**"],
      room: "clean",
      ...(prepare !== undefined && { prepare: { run: prepare, by: "human" } as const }),
    },
  });
  const guard = await checks.guard({ cwd: root, session: "s", checks: [CHECK] });
  write("yarn.lock", lock);
  write("node_modules/dep/test.sh", "exit 0\n");
  const live = aRun({ todos: todos({}), guards: { run: guard! } });
  const run = { ...live, origin: { ...live.origin, cwd: root } };
  const [receipt] = await checks.run({ run, checks: [{ owner: "t1", check: CHECK }] }, new AbortController().signal);
  const request = { cwd: root, receipt: receipt!, check: CHECK, declared: [] };
  return { receipt: receipt!, again: await checks.repeat(request, new AbortController().signal) };
}

test.each([
  ["installs what passes", INSTALL("exit 0"), "dep 2\n", false, "dependencies installed by: mkdir"],
  [
    "installs something else than the agent did",
    INSTALL("exit 1"),
    "dep 2\n",
    true,
    "dependencies installed by: mkdir",
  ],
  [
    "fails",
    "echo no registry; exit 7",
    "dep 2\n",
    false,
    "because checks.prepare failed: echo no registry; exit 7 (exit 7: no registry)",
  ],
  ["is not given", undefined, "dep 2\n", false, "from the project as it is: node_modules"],
  ["is not needed, because the lock file is what it was", INSTALL("exit 0"), "dep 1\n", true, undefined],
])("a command that %s", async (_what, prepare, lock, suspect, note) => {
  const { receipt, again } = await judged(prepare, lock);
  expect(receipt).toMatchObject({ status: "passed", suspect, proof: { where: "room" } });
  if (note !== undefined) expect(receipt.proof?.notes?.join("; ")).toContain(note);
  expect(again).toMatchObject({ status: "reproduced" });
  expect(readFileSync(join(root, "node_modules/dep/test.sh"), "utf8")).toBe("exit 0\n");
  expect(readdirSync(join(home, "scratch"))).toEqual([]);
});
