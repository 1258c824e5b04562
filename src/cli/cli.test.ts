import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fakeIo } from "../../test/builders/fake-io.ts";
import { HOOK_HOSTS, HOST_NAMES } from "../config/index.ts";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { RunEvent } from "../core/run/index.ts";
import { openDrivers } from "../drivers/index.ts";
import { createEngine, type Engine, type RunCard, type Store } from "../engine/index.ts";
import { PROFILES } from "../hosts/index.ts";
import { openStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS } from "../testing/index.ts";
import { COMMAND_GROUPS } from "./command-groups.ts";
import { COMMANDS } from "./commands.ts";
import { run } from "./index.ts";
import type { Io } from "./io.ts";
import { keepLog } from "./keep-log.ts";
import { width } from "./wrap.ts";

let home: string;
let store: Store;
let engine: Engine;
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const clock = createFakeClock(NOW);

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "tildone-cli-"));
  store = await openStore({ path: join(home, "tildone.db") });
  let runs = 0;
  engine = createEngine({
    store,
    host: createFakeHost(HOST_KINDS.rpc, "pi"),
    clock,
    cwd: "/project",
    driver: "test",
    newRunId: () => `run${++runs}abc`,
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({
      goal: "Fix the parser",
      budget: { tokens: 1000, continuations: 5 },
      checks: [],
      requirements: [],
    }),
  });
});
afterEach(() => {
  engine.dispose();
  store.close();
  rmSync(home, { recursive: true, force: true });
});

async function aRunWithAList() {
  await engine.tell("s1", {
    type: "todos.write",
    by: "model",
    write: {
      mode: "replace",
      todos: [
        { text: "read the code" },
        { text: "write a test that fails" },
        { text: `a long one ${"x".repeat(200)}` },
      ],
    },
  });
  await engine.tell("s1", { type: "turn.started", turn: "t1", cause: "human" });
  await engine.tell("s1", { type: "todos.edit", by: "model", edit: { action: "start", indices: [0] } });
  await engine.settle("s1", { type: "turn.ended", turn: "t1", outcome: "completed" });
}

const tildone = (...argv: string[]) => tildoneIn({}, ...argv);

async function tildoneIn(given: Partial<Io>, ...argv: string[]) {
  const ended = AbortSignal.abort();
  const env = { TILDONE_HOME: home };
  const { io, out, err } = fakeIo({
    ...{ env, cwd: "/project/sub", home, now: () => NOW + 60_000, signal: ended, signalAgain: ended },
    ...given,
  });
  const code = await run(argv, io);
  return { code, out: out.join("\n"), err: err.join("\n") };
}

test("status before there is any run says so and makes no database", async () => {
  const { code, out } = await tildone("status");
  expect({ code, out }).toEqual({
    code: 0,
    out: "There is no run on this machine yet. It begins when an agent writes its list.",
  });
});

test("status shows the list, the decision with its rule, and the budgets, within 80 columns", async () => {
  await aRunWithAList();
  const all = await tildone("status");
  const one = await tildone("status", "run1");
  expect(all.out).toContain("run1abc");
  expect(one.out).toContain("● [0] read the code");
  expect(one.out).toContain("told it to continue");
  expect(one.out).toContain("continuations [----");
  for (const line of `${all.out}\n${one.out}`.split("\n")) expect(width(line)).toBeLessThanOrEqual(80);
});

test.each([
  ["the time, also after midnight", 11, /waiting until \d\d:\d\d:\d\d {2}/],
  ["the day, where it is another one", 36, /waiting until 2026-01-\d\d {2}/],
])("status says until when a run waits, never cut off: %s", async (_what, hours, expected) => {
  await engine.tell("s1", { type: "goal.set" });
  await engine.tell("s1", { type: "turn.started", turn: "t1", cause: "human" });
  const failure = { kind: "rate_limit", message: "slow down", resetAt: NOW + hours * 3_600_000 } as const;
  await engine.settle("s1", { type: "turn.ended", turn: "t1", outcome: "failed", failure });
  expect((await tildone("status")).out).toMatch(expected);
});

test("status --json gives one object a run", async () => {
  await aRunWithAList();
  const [only] = JSON.parse((await tildone("status", "--json")).out);
  expect(only).toMatchObject({ run: "run1abc", host: "pi", goal: "Fix the parser", held: false });
  expect(only.todos[0]).toMatchObject({ index: 0, text: "read the code", status: "in_progress" });
});

test("why names the rule that spoke", async () => {
  await aRunWithAList();
  expect((await tildone("why")).out).toContain("rule: todos are open");
});

test.each([["why"], ["status"], ["status", "run1"], ["log", "run1"], ["report", "run1"], ["replay", "run1"], ["todo"]])(
  "%s tells of a stop that only a newer tildone knows, and of an event",
  async (...argv) => {
    await aRunWithAList();
    const decision = { type: "stop", reason: "moonrise", rule: "the moon" };
    const events = [
      { type: "decision.made", boundary: "b1", decision },
      { type: "moon.rose" },
    ] as unknown as RunEvent[];
    const card = {
      ...store.runs.list()[0]!,
      summary: { done: 0, total: 3, state: "stop", reason: "moonrise", held: false },
    };
    store.log.transact("run1abc", store.log.last("run1abc"), () => ({
      append: events.map((event) => ({ at: NOW, by: "engine", v: 1, event })),
      value: 0,
      card,
    }));
    const { code, out, err } = await tildone(...argv);
    expect(code).toBe(0);
    if (argv[0] !== "todo") expect(`${out}${err}`).toContain("moonrise");
  },
);

test("log prints one line an event, in words", async () => {
  await aRunWithAList();
  const { out } = await tildone("log", "run1abc");
  expect(out).toContain("started [0] read the code");
  expect(out.split("\n")[0]).toMatch(/ {4}1 .*engine {4}began on pi: Fix the parser/);
});

/** A run that stopped by itself, with another id and session, so many days ago. */
function aStoppedRun(run: string, daysAgo: number, more: Partial<RunCard> = {}): void {
  const at = NOW - daysAgo * 24 * 60 * 60_000;
  const origin = { host: "pi", session: run, cwd: "/project" };
  const summary = { done: 0, total: 1, state: "stop", reason: "no_progress", held: false };
  const event = { type: "run.began" as const, run, origin, budget: {}, checks: [], requirements: [], seesCalls: true };
  store.log.transact(run, 0, () => ({
    append: [{ at, by: "engine", v: 1, event }],
    value: undefined,
    card: { run, ...origin, live: true, began: at, updated: at, summary, ...more },
    bind: origin,
  }));
}

test("stopped runs age out: hidden from status, never meant without a name, prunable, found by name", async () => {
  aStoppedRun("old12345", 8);
  aStoppedRun("older123", 40);
  expect((await tildone("status")).out).toBe("2 more: tildone status --all");
  expect((await tildone("status", "--all")).out).toContain("old12345");
  await aRunWithAList();
  expect((await tildone("why")).out).toContain("run1abc");
  expect((await tildone("hold")).out).not.toContain("old1");
  expect((await tildone("why", "old1")).out).toContain("old12345");
  expect((await tildone("runs", "prune", "--dry-run")).out).toMatch(/^older123 [\s\S]*Would remove 1 run/);
  expect((await tildone("runs", "prune", "--older-than", "5d", "--yes")).out).toContain("Removed 2 runs (freed ");
  expect(store.runs.list().map(({ run }) => run)).toEqual(["run1abc"]);
});

test("the run of the nearest folder that works is meant, and several are named", async () => {
  aStoppedRun("above123", 0.001, { cwd: "/", summary: { done: 0, total: 1, state: "working", held: false } });
  await aRunWithAList();
  const { out, err } = await tildone("why");
  expect(out).toContain("run1abc");
  expect(err).toBe("2 runs are active in this folder. This is run1abc; name another: above123.");
  const held = (await tildone("hold")).out;
  expect(held).toContain("Held: run1abc");
  expect(held).toContain("Held: above123");
});

test("hold from another process stops the run, unhold lets it go on", async () => {
  await aRunWithAList();
  expect((await tildone("hold")).out).toBe(
    "Held: run1abc  pi  0/3 done  Fix the parser\nTo continue: tildone unhold run1abc",
  );
  expect((await tildone("hold")).out).toContain("Already on hold: run1abc");
  await clock.advance(250);
  expect(engine.run("s1")?.ledger.held).toBe(true);
  await tildone("unhold", "run1");
  await clock.advance(250);
  expect(engine.run("s1")?.ledger.held).toBe(false);
});

test.each([
  ["add", ["add", "write the docs", "--priority", "high"], "– [3] write the docs"],
  ["add at a place", ["add", "first of all", "--at", "0"], "– [0] first of all"],
  ["edit", ["edit", "1", "write two tests"], "– [1] write two tests"],
  ["done", ["done", "1"], "✓ [1] write a test that fails"],
  ["move", ["move", "1", "0"], "– [0] write a test that fails"],
  ["drop", ["drop", "0"], "– [0] write a test that fails"],
])("todo %s", async (_what, args, expected) => {
  await aRunWithAList();
  const { code, out } = await tildone("todo", ...args);
  expect(code).toBe(0);
  expect(out).toContain(expected);
});

test.each([
  ["no such command", ["statsu"], 'There is no command "statsu". Did you mean "status"?'],
  ["no command that is close", ["foo"], 'There is no command "foo". See tildone --help.'],
  ["the beginning of a command", ["stat"], 'Did you mean "status"?'],
  ["no such option", ["status", "--jsno"], "There is no option --jsno. Did you mean --json?"],
  ["a value is missing", ["extend", "--tokens"], "--tokens needs a value."],
  ["not a number", ["extend", "--tokens", "many"], '--tokens needs a number that is not negative, not "many".'],
  ["an argument too many", ["hold", "a", "b"], 'Unexpected argument "b".'],
  ["no such run", ["hold", "zzz"], 'There is no run "zzz". See tildone status --all.'],
  ["nothing to extend", ["extend"], "Say by how much"],
  ["bad index", ["todo", "done", "two"], '"two" is not an index'],
  ["index out of range", ["todo", "done", "9"], "9"],
  ["empty words", ["todo", "add", "  "], ""],
  ["prune with a bad age", ["runs", "prune", "--older-than", "soon"], '"soon" is not a time'],
  ["delete what lives", ["runs", "delete", "run1abc"], "run1abc is being worked on."],
  ["delete without a terminal to ask on", ["runs", "delete", "run1abc", "--force"], "Add --yes"],
  ["attach without a session", ["attach", "run1"], "attach needs a run, --host and --session."],
])("a clear error: %s", async (_what, args, expected) => {
  await aRunWithAList();
  const before = store.log.last("run1abc");
  const { code, err, out } = await tildone(...args);
  expect(code === 1 || code === 2).toBe(true);
  expect(err).toContain(expected);
  expect(err.length).toBeGreaterThan(0);
  expect(err.startsWith("tildone: ")).toBe(true);
  expect(err).not.toContain("internal error");
  expect(out === "" || args[0] === "runs").toBe(true);
  expect(store.log.last("run1abc")).toBe(before);
});

test("extend raises the budget by what is given", async () => {
  await aRunWithAList();
  const { out } = await tildone("extend", "--tokens", "500");
  expect(out).toContain("tokens 0 of 1500");
});

test("a waiting call is answered from any terminal", async () => {
  await aRunWithAList();
  const approval = {
    call: "c1",
    tool: "bash",
    what: "rm -r build",
    because: "it deletes",
    askedAt: NOW,
    endsAt: NOW + 600_000,
  };
  await engine.tell("s1", { type: "calls.journal", events: [{ type: "approval.requested", approval }] });
  expect((await tildone("approvals")).out).toContain("\n    rm -r build\n");
  expect((await tildone("approve", "c9")).err).toContain("c1 (rm -r build)");
  expect((await tildone("approve", "--edit", "ls")).err).toContain("Only a command can be edited here.");
  expect(await tildone("approve", "--edit", "ls", "--always")).toMatchObject({ code: 2 });
  expect((await tildone("deny", "c1", "--words", "keep it")).out).toBe("Denied in run1abc.");
  expect((await tildone("approvals")).out).toBe("Nothing waits for your approval in run1abc.");
});

test("an answer is bound to what was shown, and all of it can be seen later", async () => {
  await aRunWithAList();
  const ask = (call: string, what: string, digit: string) =>
    engine.tell("s1", {
      type: "calls.journal",
      events: [
        {
          type: "approval.requested",
          approval: {
            call,
            tool: "bash",
            what,
            digest: digit.repeat(64),
            because: "it writes",
            askedAt: NOW,
            endsAt: NOW + 600_000,
          },
        },
      ],
    });
  await ask("c1", `echo harmless\n${"# \n".repeat(200)}touch x`, "a");
  const { out } = await tildone("approvals");
  expect(out).toContain("    echo harmless⏎\n");
  expect(out).toContain("    touch x\n");
  expect(out).toContain("lines are not shown; all of it: tildone approvals run1abc --show aaaaaaaaaaaa");
  expect(out).toContain("tildone approve aaaaaaaaaaaa --run run1abc");
  const all = (await tildone("approvals", "run1abc", "--show", "aaaaaaaaaaaa")).out;
  expect(all.split("\n").filter((line) => line === "    #\\u0020⏎")).toHaveLength(200);
  expect(JSON.parse((await tildone("approvals", "--json")).out)[0].what).toContain("\ntouch x");

  // Another call waits by the time the answer comes.
  await tildone("deny", "c1", "--words", "no");
  await ask("c2", "touch y", "b");
  expect((await tildone("approve", "aaaaaaaaaaaa")).err).toContain("bbbbbbbbbbbb (touch y)");
  expect((await tildone("approve", "bbbbbbbbbbb")).err).toContain("waits for no approval"); // too short a name
  expect((await tildone("approve", "bbbbbbbbbbbb")).out).toBe("Approved in run1abc, bash:\n    touch y");
  expect((await tildone("approvals", "--show", "b".repeat(12))).out).toContain("Answer: approved once.");
});

test("replay builds the same run, and an earlier one", async () => {
  await aRunWithAList();
  expect((await tildone("replay")).out).toContain("The stored run equals the rebuilt one.");
  expect((await tildone("replay", "--at", "3")).out).toContain("– [0] read the code");
});

test("export writes the log, delete removes the run", async () => {
  await aRunWithAList();
  const file = join(home, "log.jsonl");
  await tildone("runs", "export", "run1", "--to", file);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(JSON.parse(lines[0]!).event.type).toBe("run.began");
  expect(lines).toHaveLength(store.log.last("run1abc"));
  await tildone("runs", "delete", "run1", "--force", "--yes");
  expect(store.runs.get("run1abc")).toBeUndefined();
});

describe("help", () => {
  const fits = (text: string) => {
    for (const line of text.split("\n")) expect(width(line), line).toBeLessThanOrEqual(80);
  };

  test("is one screen of 80 by 24 that names every command", async () => {
    const { out, code } = await tildone("--help");
    expect(code).toBe(0);
    fits(out);
    expect(out.split("\n").length).toBeLessThan(24);
    expect(out.indexOf("tildone run")).toBeLessThan(out.indexOf("Plumbing"));
    for (const name of Object.keys(COMMANDS)) expect(out).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test("has every command in exactly one group", () => {
    expect(COMMAND_GROUPS.flatMap(({ commands }) => commands).sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  test.each(Object.keys(COMMANDS))("of %s fits 80 columns, examples before options", async (name) => {
    const { out, code } = await tildone("help", name);
    expect(code).toBe(0);
    fits(out);
    const { examples = [] } = await COMMANDS[name]!();
    for (const [typed] of examples) {
      expect(out.indexOf(typed)).toBeGreaterThan(0);
      expect(out.indexOf(typed)).toBeLessThan(out.indexOf("Usage: "));
    }
  });

  test.each(["all", ...COMMAND_GROUPS.map(({ topic }) => topic)])("%s explains a group", async (topic) => {
    const { out } = await tildone("help", topic);
    fits(out);
    for (const { commands } of COMMAND_GROUPS.filter((group) => topic === "all" || group.topic === topic))
      for (const name of commands) expect(out).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  });

  test("exit-codes names every reason with its code", async () => {
    const { out } = await tildone("help", "exit-codes");
    fits(out);
    for (const word of ["all_done", "no_progress", "budget_cost", "130", "143"]) expect(out).toContain(word);
  });

  test("and the version have their short names", async () => {
    expect((await tildone("-h")).out).toBe((await tildone("help")).out);
    for (const name of ["-v", "-V", "version"])
      expect((await tildone(name)).out).toBe((await tildone("--version")).out);
  });
});

describe("resume", () => {
  const driven = (session: string) =>
    openDrivers({ state: home, clock }).enter({
      ...{ host: "pi", session, driver: "test", program: "pi", kind: "engine", cwd: "/project" },
    });

  test("lifts the hold of a run whose agent lives, and passes a message on", async () => {
    await aRunWithAList();
    driven("s1");
    await tildone("pause", "run1");
    const { code, out } = await tildone("resume", "run1", "use tabs");
    expect(code).toBe(0);
    expect(out).toMatch(/^Continues: run1abc/);
    expect((await tildone("status", "run1", "--json")).out).toContain('"held": false');
    expect((await tildone("log", "run1")).out).toContain("use tabs");
  });

  test("refuses options that a living agent would not see", async () => {
    await aRunWithAList();
    driven("s1");
    const { code, err } = await tildone("resume", "run1", "--max-tokens", "5");
    expect([code, err]).toEqual([2, expect.stringContaining("--max-tokens would have no effect")]);
  });

  test("does what run --resume does where no agent lives", async () => {
    await aRunWithAList();
    const [resume, run] = [await tildone("resume", "run1"), await tildone("run", "--resume", "run1")];
    expect(resume).toEqual(run);
    expect(run.err).toContain("lives in another folder: cd /project && tildone run --resume run1abc");
  });
});

test("hostile text cannot steer the terminal", async () => {
  await engine.tell("s2", {
    type: "todos.write",
    by: "model",
    write: { mode: "replace", todos: [{ text: "clear \u001b[2J\u001b]0;owned\u0007 screen" }] },
  });
  const { out } = await tildone("status", "run1");
  expect(out).not.toContain("\u001b");
});

test("doctor looks at Node, the log and every host, and says what to type", async () => {
  const { code, out } = await tildone("doctor");
  expect(code).toBe(0);
  expect(out).toContain(`ok   Node ${process.versions.node}`);
  expect(out.replaceAll("\n     ", " ")).toMatch(/ok {3}the log can be written: .*tildone\.db \(\d+.* .?B\)/);
  expect(out).toMatch(/^(ok {3}keys:|note no key found)/m);
  for (const host of HOST_NAMES)
    expect(out).toContain(`note ${host}: not installed.\n     Run: npm install -g ${PROFILES[host].comesWith}`);
  for (const line of out.split("\n")) expect(width(line), line).toBeLessThanOrEqual(80);
  const facts = JSON.parse((await tildone("doctor", "--json")).out);
  expect(facts.hosts).toContainEqual({ host: "codex", installed: false, setUp: false, works: false });
});

test("doctor names keys and never shows them", async () => {
  process.env.OPENAI_API_KEY = "sk-very-secret";
  try {
    const { out } = await tildone("doctor");
    expect(out).toMatch(/ok {3}keys: .*openai/);
    expect(out).not.toContain("sk-very-secret");
  } finally {
    delete process.env.OPENAI_API_KEY;
  }
});

const NO_FOLDER = { env: { TILDONE_HOME: "/dev/null/here" } };

test("doctor says when nothing can be written to the log, or tildone is switched off", async () => {
  const { code, out } = await tildoneIn(NO_FOLDER, "doctor", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out).findings).toContainEqual({
    status: "fix",
    says: expect.stringMatching(
      /^No run can be recorded, and hooks do nothing\. .*set TILDONE_HOME to one you can write to/,
    ),
  });
  expect((await tildoneIn({ env: { TILDONE_HOME: home, TILDONE_OFF: "1" } }, "doctor")).out).toContain(
    "TILDONE_OFF is set",
  );
});

test("what the system refuses is a sentence", async () => {
  const { code, err } = await tildoneIn(NO_FOLDER, "install", "gemini");
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(
      /^tildone: Cannot use \/dev\/null\/here.*: a file is in the place of a folder\. Fix that, or set TILDONE_HOME/,
    ),
  ]);
  expect(err).not.toContain("    at ");
});

test.each([
  [["run", "--host", "codex", "a goal"], 1, "Codex (`codex`) is not on your PATH."],
  [["mcp", "--host", "nope"], 2, `The host is one of: ${HOOK_HOSTS.join(", ")}.`],
])("%j is refused with a sentence", async (argv, expected, says) => {
  const { code, err } = await tildone(...argv);
  expect([code, err]).toEqual([expected, expect.stringContaining(says)]);
  expect(err).not.toContain("    at ");
});

describe("a host that is there", () => {
  const withCodex = () => {
    const bin = join(home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "codex"), "#!/bin/sh\necho codex 0.1.0\n", { mode: 0o755 });
    return { env: { TILDONE_HOME: home, PATH: `${bin}:/usr/bin:/bin` } };
  };

  test("without tildone is not supervised, and doctor names it", async () => {
    const io = withCodex();
    const { code, err } = await tildoneIn(io, "run", "--host", "codex", "a goal");
    expect([code, err]).toEqual([
      1,
      "tildone: tildone is not installed in codex, so nothing would make it continue. Run: tildone install codex",
    ]);
    expect((await tildoneIn(io, "doctor")).out).toContain(
      "note codex: installed, not set up.\n     Set up with: tildone install codex",
    );
  });

  test("and does not tell what a turn costs: a budget of money is refused with a sentence", async () => {
    const io = withCodex();
    await tildoneIn(io, "install", "codex");
    const { code, err } = await tildoneIn(io, "run", "--host", "codex", "--max-cost", "1", "a goal");
    expect([code, err]).toEqual([2, expect.stringMatching(/^tildone: --max-cost cannot be enforced in Codex/)]);
    expect(err).not.toContain("    at ");
  });
});

test("what is next keeps --project", async () => {
  const project = { cwd: join(home, "project") };
  expect((await tildoneIn(project, "install", "gemini", "--project", "--dry-run")).out).toContain(
    "To do it: tildone install gemini --project",
  );
  expect((await tildoneIn(project, "install", "gemini", "--project")).out).toContain(
    "tildone uninstall gemini --project",
  );
  expect((await tildoneIn(project, "uninstall", "gemini")).out).toBe(
    "tildone is installed in gemini for this project. To remove it: tildone uninstall gemini --project",
  );
});

test("OpenCode is examined, too", async () => {
  const project = { cwd: join(home, "project") };
  mkdirSync(project.cwd);
  const says = async () => (await tildoneIn(project, "doctor", "opencode")).out;
  expect(await says()).toContain('FIX  opencode: tildone is not in it. Add "plugin": [');
  writeFileSync(join(project.cwd, "opencode.jsonc"), '{ // mine\n "plugin": [["tildone", {}]], }');
  expect(await says()).toMatch(/ok +opencode: installed\nnote opencode: escape does not cancel/);
  writeFileSync(join(project.cwd, "tui.json"), JSON.stringify({ plugin: [process.cwd()] }));
  expect(await says()).not.toContain("escape");
  writeFileSync(join(project.cwd, "opencode.jsonc"), "{");
  expect(await says()).toMatch(/FIX +opencode: .*opencode\.jsonc is not valid JSON/);
});

test("a dry run of install says that nothing was changed, and changes nothing", async () => {
  const { out } = await tildone("install", "gemini", "--dry-run");
  expect(out).toContain("Nothing was changed. To do it: tildone install gemini");
  expect((await tildone("doctor")).out).toContain("gemini: not installed");
});

test("verify says that a run without receipts has nothing to verify", async () => {
  await aRunWithAList();
  await tildone("hold", "run1abc");
  expect((await tildone("verify", "run1abc")).err).toContain("run1abc has no receipt: nothing to verify.");
  expect((await tildone("runs", "export", "run1abc", "--proof", "x")).err).toContain(
    "No receipt of run1abc can be repeated elsewhere",
  );
});

describe("stats", () => {
  test("sums up runs, with the same facts as JSON", async () => {
    await aRunWithAList();
    aStoppedRun("stopped1", 2);
    const { out } = await tildone("stats");
    expect(out).toMatch(/^Runs {4}2, 2 open|^Runs {4}2, 1 open; 1 over: 0 % done, 0 % proven/);
    expect(out).toMatch(/^Todos {3}3: 0 done, 0 proven by a check$/m);
    expect(out).toMatch(/^Log {5}.*B, 2 runs$/m);
    for (const line of out.split("\n")) expect(width(line), line).toBeLessThanOrEqual(80);
    const facts = JSON.parse((await tildone("stats", "--json")).out);
    expect(facts).toMatchObject({ runs: 2, todos: { total: 3, done: 0, proven: 0 }, log: { runs: 2 } });
    expect(facts.by).toEqual([expect.objectContaining({ host: "pi", runs: 2 })]);
  });

  test("--since leaves older runs out, and refuses what is no time", async () => {
    await aRunWithAList();
    aStoppedRun("stopped1", 20);
    expect(JSON.parse((await tildone("stats", "--since", "7d", "--json")).out)).toMatchObject({ runs: 1 });
    expect((await tildone("stats", "--since", "soon")).err).toContain('"soon" is not a time: 7d, 12h, 90m.');
  });
});

describe("log.keep", () => {
  const keepNow = async (now: number) => {
    const { io, err } = fakeIo({ env: { TILDONE_HOME: home }, cwd: "/project", home, now: () => now });
    await keepLog(io);
    return err.join("\n");
  };

  test("removes old runs once a day and says what it freed", async () => {
    await aRunWithAList();
    aStoppedRun("old1", 100);
    expect(await keepNow(Date.now())).toBe("");
    expect(store.runs.list()).toHaveLength(2);
    writeFileSync(join(home, "config.yaml"), "log:\n  keep: 30d\n");
    expect(await keepNow(NOW)).toMatch(/^log\.keep: Removed 1 run \(freed .*B\) older than 30 d\.$/);
    expect(store.runs.list().map(({ run }) => run)).toEqual(["run1abc"]);
    aStoppedRun("old2", 100);
    expect(await keepNow(Date.now())).toBe("");
    expect(store.runs.list()).toHaveLength(2);
  });
});
