import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createChecks } from "../checks/index.ts";
import { dialect } from "../hosts/claude-code/dialect.ts";
import { systemClock } from "../machine/index.ts";
import { answerHook } from "./answer-hook.ts";

let home: string;
let cwd: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "begin-")));
  cwd = join(home, "project");
  mkdirSync(cwd);
  mkdirSync(join(home, ".config/tildone"), { recursive: true });
  writeFileSync(join(cwd, "judge.test.sh"), "exit 1\n");
  execFileSync("git", ["init", "-q"], { cwd });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const env = () => ({ PATH: process.env.PATH, HOME: home });
const settings = (checks: object) =>
  writeFileSync(join(home, ".config/tildone/config.json"), JSON.stringify({ checks }));
const prompt = () =>
  answerHook(
    {
      dialect,
      event: "prompt",
      input: JSON.stringify({ session_id: "s", cwd, prompt_id: "p", prompt: "do it" }),
      env: env(),
      home,
      now: () => 0,
    },
    () => {},
  );
const guard = () =>
  createChecks({
    clock: systemClock(),
    env: env(),
    guard: { directory: join(home, ".local/state/tildone/snapshots"), protect: [] },
  }).guard({ cwd, session: "s", checks: [] });

test.each([
  ["where checks are set, what judges is kept at the prompt, before the list", { run: ["sh judge.test.sh"] }, true],
  ["where no check may run, nothing is kept", {}, false],
])("%s", async (_what, checks, isKept) => {
  settings(checks);
  await prompt();
  const fresh = await guard();
  writeFileSync(join(cwd, "judge.test.sh"), "exit 0\n");
  const later = await guard();
  expect(later === fresh).toBe(isKept);
});
