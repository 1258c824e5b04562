import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attempt, systemClock } from "../../machine/index.ts";
import { createGit } from "./git.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "git-"));
});
afterEach(() => {
  const pid = Number(attempt(() => readFileSync(join(folder, "pid"), "utf8")));
  if (pid > 0) attempt(() => process.kill(pid, "SIGKILL"));
  rmSync(folder, { recursive: true, force: true });
});

/** A git of our own, and a clock on which every wait is a hundredth. */
function gitThat(does: string) {
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${does}\n`);
  chmodSync(join(folder, "git"), 0o755);
  const clock = systemClock();
  const hurried = {
    ...clock,
    setTimer: (at: number, act: () => void) => clock.setTimer(clock.now() + (at - clock.now()) / 100, act),
  };
  const env = { PATH: `${folder}:${process.env.PATH}` };
  return createGit({ clock: hurried, env, timeoutMs: 3_600_000 });
}

// The process that stays holds the pipes open; a runtime that never says they are closed looks the same.
test.each([
  ["an answer", "echo said", { status: "ok", output: Buffer.from("said\n") }],
  ["a failure", "echo wrong >&2; exit 1", { status: "failed", problem: "wrong\n" }],
])("%s does not wait for what git leaves running", async (_what, does, expected) => {
  const git = gitThat(`sleep 1000 & echo $! > ${folder}/pid; ${does}`);
  expect(await git(folder, ["status"])).toEqual(expected);
});

test("a git that sleeps before a pipe is ended, although what it started holds its output", async () => {
  const git = gitThat(`sleep 1000 & echo $! > ${folder}/pid; wait`);
  expect(await git(folder, ["status"])).toEqual({ status: "stuck" });
});
