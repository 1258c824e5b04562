/** What you see in a terminal of 80 by 24, command by command. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { openShell } from "./shell-screen.ts";

const LONG = { timeout: 240_000 };

async function aShell() {
  const shell = openShell(["bash", "--norc", "--noprofile"]);
  onTestFinished(() => shell[Symbol.dispose]());
  await shell.shows(/\$/);
  return shell;
}

/** Every screen: nothing is wider than the terminal, nothing ends in a blank, you are never called the human. */
function isTidy(lines: readonly string[]): void {
  expect(lines.filter((line) => [...line.trimEnd()].length > 80)).toEqual([]);
  expect(lines.join("\n")).not.toMatch(/the human|undefined|NaN|\[object/);
}

test("help, doctor, config and stats fit, and say what to type next", LONG, async () => {
  const shell = await aShell();
  const help = await shell.prints("tildone --help");
  isTidy(help);
  expect(help.length).toBeLessThanOrEqual(24);
  expect(help.map((line) => line.trimEnd())).toEqual(HELP);

  const doctor = await shell.prints("tildone doctor");
  isTidy(doctor);
  expect(doctor[0]).toMatch(/^ok {3}Node \d+\.\d+\.\d+$/);
  expect(doctor.join(" ")).toMatch(/note no key found\. Set one \(ANTHROPIC_API_KEY/);

  const config = await shell.prints("tildone config");
  isTidy(config);
  const sections = config.filter((line) => /^\S/.test(line) && !line.startsWith("All about one"));
  expect(sections).toEqual([...new Set(sections)]); // each section once
  expect(config.join("\n")).toMatch(/^unattended\n {2}minutes +480 minutes/m);
  expect(config.at(-1)).toBe("All about one: tildone config explain <setting>");

  const budget = await shell.prints("tildone config explain budget");
  isTidy(budget);
  expect(budget.filter((line) => /^\S/.test(line))).toContain("budget.perTodo.cost  unlimited (the default)");
  expect(await shell.prints("tildone config get budget")).toEqual([
    "tildone: budget is a section. Name one of its settings; see tildone config",
    "explain budget.",
  ]);

  expect(await shell.prints("tildone stats")).toEqual(['No runs yet. Start one: tildone run "goal".']);
  expect(await shell.prints("tildone run")).toEqual([
    'tildone: Say what to do: tildone run "goal". To continue a run: tildone run',
    "--resume.",
  ]);
});

test("the demo fits, shows the caught lie in red, counts right and ends with three commands", LONG, async () => {
  const shell = await aShell();
  const screen = await shell.prints("tildone demo --fast");
  isTidy(screen);
  const lie = "✗ claim refused: slug.test.js still fails";
  expect(screen.filter((line) => line.includes(lie))).toHaveLength(1);
  const painted = shell
    .screen("-e", "-S", "-")
    .split("\n")
    .find((line) => line.includes(lie));
  expect(painted).toContain(`\u001b[31m${lie}`);
  const result = screen.findIndex((line) => line.startsWith("Result: Done and proven"));
  const nudges = screen.slice(0, result).filter((line) => line.includes("told it to continue"));
  expect(screen.slice(result).join(" ")).toContain(`told to continue ${nudges.length} times:`);
  expect(nudges).toHaveLength(6);
  const next = screen.slice(screen.indexOf("Next:") + 1).filter((line) => line.startsWith("  tildone "));
  expect(next).toHaveLength(3);
});

test("a demo in a host that is not installed says what to type", LONG, async () => {
  const shell = await aShell();
  const screen = await shell.prints("PATH=/usr/bin:/bin:$(dirname $(command -v tildone)) tildone demo gemini");
  isTidy(screen);
  expect(screen.join(" ")).toBe(
    "tildone: Gemini CLI (`gemini`) is not on your PATH. Install it (npm install -g @google/gemini-cli), or open a terminal that finds it.",
  );
  expect(await shell.prints("tildone demo vim")).toEqual([
    'tildone: There is no demo in "vim". Name one of: claude-code, codex, gemini,',
    "opencode, pi, qwen.",
  ]);
});

test("run says what it works with before it asks for a model", LONG, async () => {
  const shell = await aShell();
  const screen = await shell.prints('tildone run "fix it" --check "npm test"');
  isTidy(screen);
  expect(screen.slice(0, 7)).toEqual([
    "model     the first that has a key",
    "folder    ~/project",
    "checks    npm test",
    "budget    8 h (the default; --max-minutes changes it)",
    "approval  ask: reading is allowed, everything else asks; you answer here",
    "",
    "tildone: No model yet. Three ways to get one: set a key (ANTHROPIC_API_KEY,",
  ]);
});

test("run with a model ends with the list, what it took and the result; stats sums it up", LONG, async () => {
  const model = await startScriptedModel((_request, count): Step => WORK[count - 1] ?? { text: "All done." });
  onTestFinished(() => model.close());
  const shell = await aShell();
  writeFileSync(join(shell.project, "package.json"), '{ "name": "words" }\n');
  const where = `--base-url ${model.url}/v1 --model tiny`;
  const screen = await shell.prints(`tildone run "say hello" --approval yolo --check "test -f hello.txt" ${where}`);
  isTidy(screen);
  expect(screen[0]).toBe(`model     tiny at ${model.url}/v1`);
  expect(screen).toContain("checks    test -f hello.txt");
  expect(screen.slice(-3)).toEqual([
    "✓ [0] Write hello.txt",
    "1/1 done · 1 proven, told to continue 0 times, 75 tokens",
    "Done and proven: every required check passed.",
  ]);
  expect(screen.filter((line) => line.startsWith("Done and proven"))).toHaveLength(1); // the result is said once

  const stats = await shell.prints("tildone stats");
  isTidy(stats);
  expect(stats[0]).toBe("Runs    1; 1 over: 100 % done, 100 % proven");
  expect(stats[1]).toBe("Todos   1: 1 done, 1 proven by a check");
  expect(stats[2]).toMatch(/^Used {4}75 tokens, \$0\.00, \S+ m?s, 0 continuations$/);
  expect(stats[3]).toMatch(/^Log {5}\S+ kB, 1 run$/);
  expect(shell.colours()).toContain("\u001b[1mRuns");
});

const WORK: readonly Step[] = [
  { calls: [["write_todos", { mode: "replace", todos: [{ text: "Write hello.txt" }] }]] },
  { calls: [["edit_todos", { action: "start", indices: [0] }]] },
  { calls: [["write", { path: "hello.txt", content: "hello\n" }]] },
  { calls: [["edit_todos", { action: "complete", indices: [0] }]] },
];

test("chat: our commands first, our help, our exit line", LONG, async () => {
  const model = await startScriptedModel(() => ({ text: "Hello." }));
  onTestFinished(() => model.close());
  const shell = await aShell();
  mkdirSync(join(shell.project, ".git"));
  shell.type(`clear; tildone chat --base-url ${model.url}/v1 --model tiny hello`);
  shell.keys("Enter");
  await shell.shows(/Hello\.[\s\S]*continuation on/);
  shell.type("/");
  const offered = await shell.shows(/→ help[\s\S]*\(1\/\d+\)/);
  expect(offered.match(/^(?:→| ) ([\w-]+) /gm)?.map((line) => line.slice(2).trim())).toEqual([
    "help",
    "todos",
    "hold",
    "unhold",
    "tildone",
  ]);
  shell.type("help");
  await shell.shows(/\/help *\n─/);
  shell.keys("Enter");
  const help = await shell.shows(/\/leave +stop and leave/);
  expect(help).toContain("Esc        stops the agent; any key ends a countdown; Ctrl-C twice leaves");
  isTidy(help.split("\n"));
  shell.keys("C-d");
  const left = await shell.shows(/Continue: /);
  expect(left).toMatch(/^Continue: tildone chat --session [\w-]+$/m);
  expect(left).not.toContain("pi --session");
});

test("chat: a diff of 40 lines is asked about page by page, with every key on the screen", LONG, async () => {
  const content = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n");
  const model = await startScriptedModel(
    (_request, count): Step =>
      count === 1
        ? { calls: [["write", { path: "notes.md", content }]] }
        : count === 2
          ? { calls: [["bash", { command: "rm -rf build" }]] }
          : { text: "Stopped." },
  );
  onTestFinished(() => model.close());
  const shell = await aShell();
  shell.type(`clear; tildone chat --base-url ${model.url}/v1 --model tiny go`);
  shell.keys("Enter");
  const asked = await shell.shows(/Allow write\?[\s\S]*Deny, and stop everything \(s\)[\s\S]*write asks/);
  isTidy(asked.split("\n"));
  expect(asked).toMatch(/lines 1-\d+ of 4\d · PgUp\/PgDn/);
  for (const key of ["y", "a", "e", "n"]) expect(asked).toContain(`(${key})`);
  expect(asked).toContain("→ Allow once (y)");
  for (let page = 0; page < 12; page++) shell.keys("NPage");
  await shell.shows(/\+line 40/);
  shell.type("y");
  expect(await shell.shows(/Allow bash\? rm -rf build[\s\S]*bash asks/)).toContain(
    "→ Deny, and say what to do instead (n)",
  );
});

const HELP = [
  "tildone makes a coding agent work until its todo list is done and proven done.",
  "",
  "  tildone demo                                    see it work; no key needed",
  '  tildone run "fix the tests" --check "npm test"  unattended, until done',
  "  tildone                                         the same, and you watch",
  "  tildone status                                  what runs, what waits for you",
  "  tildone hold                                    stop now; resume continues",
  "",
  "  Work      chat  run  resume  demo",
  "  Look      status  top  serve  why  report  log  diff  checkpoints  verify",
  "            stats",
  "  Steer     hold  unhold  say  todo  approvals  approve  deny  extend  accept",
  "            undo  redo",
  "  Fleet     fleet  submit  worker  cancel",
  "  Set up    install  uninstall  doctor  config  workflow  trust  untrust",
  "            completion",
  "  Plumbing  runs  replay  attach  mcp  hook",
  "",
  "  tildone help <command>   examples and options",
  "  tildone help <group>     work, look, steer, machines, setup, plumbing",
  "  tildone help all         every command in one line",
  "  tildone help exit-codes  what scripts can rely on",
  "  tildone --version",
];
