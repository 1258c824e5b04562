import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { LONG, openTildone, runs } from "./terminal.ts";

const LONG_COMMAND = `for f in $(ls); do echo "$f has $(wc -l < "$f") lines"; done | sort -k3 -n | tail -20 && node --test test/unit/parser.test.ts test/unit/lexer.test.ts && echo "everything is fine, and nothing is left to be done here"`;
const CHOICES = ["Allow once", "Edit before running", "Deny, and say what to do instead"];

const joined = (screen: string): string => screen.replace(/\s+/g, " ");

test(
  "80 by 24: a long command is asked about in full, with every choice, and other keys do nothing",
  LONG,
  async () => {
    const script = runs(LONG_COMMAND, "a", "b", "c", "d", "e", "f");
    await using open = await openTildone({ script, words: "go" });
    const { terminal } = open;
    const asking = await terminal.shows(/Allow bash\?[\s\S]*Deny, and stop[\s\S]*continuation on · bash asks/);
    expect(joined(asking)).toContain(`Allow bash? ${LONG_COMMAND} (rule: changes need approval)`);
    for (const choice of CHOICES) expect(asking).toContain(choice);
    terminal.keys("x", "Space", "Tab", "F5", "Left");
    terminal.keys("Down");
    await terminal.shows(/→ Always allow this tool/);
    terminal.keys("Escape");
    await terminal.shows(/still waits for your answer/);
    await terminal.shows(/● \[0\] item 0\n – \[1\] item 1\n – \[2\] item 2\n \(4 more: \/todos\)/);
  },
);

test("40 by 16: lines are cut where it can be seen, nothing breaks", LONG, async () => {
  const script = (request: ModelRequest): Step =>
    request.messages.at(-1)?.role === "tool"
      ? { text: "I stop here." }
      : {
          calls: [
            ["write_todos", { mode: "replace", todos: [{ text: "读 ".repeat(40) }, { text: "long ".repeat(40) }] }],
          ],
        };
  const env = { TILDONE_COUNTDOWN: "10m" };
  await using open = await openTildone({ script, words: "go", env, size: { columns: 40, rows: 16 } });
  const { terminal, say } = open;
  await terminal.shows(/– \[1\] long long long long long long l…[\s\S]*📋 0\/2 done continuation on/);
  await say("/approval");
  await terminal.shows(/● ask - reading is allowed/);
  terminal.keys("Escape");
  await terminal.hides(/● ask/);
  await say("/todos");
  await terminal.shows(/esc close/);
});

test("a command that is not there is named and not sent; a path is words", LONG, async () => {
  await using open = await openTildone({ script: (_request, count) => ({ text: `Answer ${count}.` }) });
  const { terminal, box, say } = open;
  await say("/hodl now");
  await terminal.shows(/There is no command \/hodl\.\s+Did you mean\s+\/hold\?/);
  await say("/modle");
  await terminal.shows(/Did you mean \/model\?/);
  await say("/todos frobnicate");
  await terminal.shows(/Unknown action "frobnicate"\.\s+Use\s+add\s+<text>/);
  expect(box.model.requests).toEqual([]);
  await say("/tmp is full");
  await terminal.shows(/Answer 1\./);
});

test("no model, and a wrong configuration, are said at once", LONG, async () => {
  const empty = mkdtempSync(join(tmpdir(), "tildone-none-"));
  const env = { TILDONE_OFF: "1", PI_CODING_AGENT_DIR: empty };
  await using none = await openTildone({ script: [], flags: [], env });
  const screen = joined(await none.terminal.shows(/tildone demo/));
  expect(screen).toContain("set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY");
  await none.terminal.shows(/continuation off: TILDONE_OFF=1 is set/);
  rmSync(empty, { recursive: true });
  await using wrong = await openTildone({ script: [], env: { TILDONE_COUNTDOWN: "soon" } });
  await wrong.terminal.shows(/continuation off: the configuration is wrong/);
  await wrong.say("/calls");
  expect(joined(await wrong.terminal.shows(/not open in this session/))).toContain("TILDONE_COUNTDOWN: must be a time");
});

test.each([
  ["no terminal", [], 'needs a terminal for input and output. Without one: tildone run "goal".'],
  ["no terminal, by its name", ["chat"], "needs a terminal"],
  ["an option without a command", ["--continue"], 'options of the terminal interface come after "tildone chat"'],
])("%s: one sentence and exit 2", (_what, args, says) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [resolve("bin/tildone.js"), ...args], {
    input: "words from a pipe\n",
    encoding: "utf8",
  });
  expect({ status, stdout, lines: stderr.trim().split("\n").length }).toEqual({ status: 2, stdout: "", lines: 1 });
  expect(stderr).toContain(says);
});
