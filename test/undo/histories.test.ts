import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// In processes of their own: git is started some forty times a history, and a small process starts others faster.
const play = async (...args: readonly string[]) =>
  (await promisify(execFile)(process.execPath, [resolve(import.meta.dirname, "main.ts"), ...args])).stdout;

/** `npm run test:undo -- --count 10000` plays more of them. */
const COUNT = Number(process.env.TILDONE_HISTORIES ?? 300);

test("undo restores exactly, undo of undo too, and your repository is untouched", {
  timeout: 24 * 3_600_000,
}, async () => {
  const half = Math.ceil(COUNT / 2);
  const said = await Promise.all([1, 1 + half].map((seed) => play("--count", `${half}`, "--seed", `${seed}`)));
  for (const line of said) expect(line).toMatch(/, 0 failed\n$/);
});

/** Histories that once failed. */
test.for(["318", "20689", "20899"])("history %s", { timeout: 120_000 }, async (seed) => {
  expect(await play("--count", "1", "--seed", seed)).toMatch(/, 0 failed\n$/);
});

test("a process that is killed while it takes work back leaves nothing half done", { timeout: 600_000 }, async () => {
  expect(await play("--kill", "5", "--seed", "1")).toMatch(/, 0 failed\n$/);
});
