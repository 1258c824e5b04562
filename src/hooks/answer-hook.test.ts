import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dialectOf, TABLED, type Tabled } from "../../test/builders/hook-hosts.ts";
import { aPhase, aWorkflow, startOf } from "../../test/builders/workflow.ts";
import { openTildone, type Tildone } from "../compose/index.ts";
import { answerToModel, readToolCall, type Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
import { carriedMark } from "../core/words/index.ts";
import type { StartCommand } from "../core/workflow/index.ts";
import { openRun, speak } from "../engine/index.ts";
import { openStore } from "../store/index.ts";
import { answerHappening } from "./answer-happening.ts";
import { answerHook, type HookCall } from "./answer-hook.ts";
import { answerHooksOf } from "./answer-hooks-of.ts";
import type { Door } from "./door/open-door.ts";
import { readFailures } from "./failures.ts";
import type { EventName } from "./happening.ts";
import { createHookHost } from "./host.ts";

const HOSTS = TABLED;
const SESSION = "3f6b0c1e";

let home: string;
let counter = 0;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-hook-"));
  mkdirSync(work());
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Where the agent works: not where the log lies, which changes all the time. */
const work = () => join(home, "work");
const env = () => ({ TILDONE_HOME: home, PATH: process.env.PATH });

/** What the host reads: one answer, or nothing. */
async function printed(call: HookCall): Promise<string> {
  let output = "";
  await answerHook(call, (text) => {
    output += text;
  });
  return output;
}

/** One event as the host would tell it; the fields are those that the real hosts were seen to send. */
async function tell(host: Tabled, event: EventName, fields: object = {}): Promise<string> {
  const input = { session_id: SESSION, cwd: work(), transcript_path: join(home, "transcript"), ...fields };
  counter++;
  writeFileSync(join(home, "transcript"), "x".repeat(counter)); // it grows with every message
  return forAgent(
    await printed({ dialect: dialectOf(host), event, input: JSON.stringify(input), env: env(), home, now: () => 0 }),
  );
}

/** What you read beside it, of the last event. */
let shown: string | undefined;

/** What the agent hears of it; Claude Code has a form of its own to be told to continue. */
function forAgent(output: string): string {
  const { systemMessage, ...rest } = JSON.parse(output || "{}") as {
    systemMessage?: string;
    hookSpecificOutput?: { hookEventName: string; additionalContext: string };
  };
  shown = systemMessage;
  const told = rest.hookSpecificOutput;
  if (told?.hookEventName === "Stop") return JSON.stringify({ decision: "block", reason: told.additionalContext });
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
}

const PROMPT = (host: Tabled, prompt: string) =>
  host === "gemini"
    ? { prompt, timestamp: `t${counter}` }
    : host === "codex"
      ? { prompt, turn_id: `t${counter}`, permission_mode: "default" }
      : { prompt, prompt_id: `t${counter}`, permission_mode: "default" };

const STOP = (host: Tabled, text: string) =>
  host === "gemini"
    ? { prompt: "go", prompt_response: text, stop_hook_active: false }
    : { last_assistant_message: text, stop_hook_active: false, permission_mode: "default", turn_id: "t" };

const stop = (host: Tabled, text = "I am done for now.", more: object = {}) =>
  tell(host, "stop", { ...STOP(host, text), ...more });

/** What a shell command without output gives, the second time and the third. */
const nothing = (host: Tabled, turn: number): unknown =>
  host === "gemini" ? { llmContent: `Output: (empty)\nProcess Group PGID: ${turn}`, returnDisplay: "" } : "";

const called = (host: Tabled, name: string, input: object, response: unknown) =>
  tell(host, "post-tool", {
    ...(host === "claude-code"
      ? { tool_calls: [{ tool_name: name, tool_input: input, tool_use_id: "u", tool_response: response }] }
      : { tool_name: name, tool_input: input, tool_response: response }),
  });

/** What the MCP server of the same session does: another process, the same driver. */
async function use<T>(host: Tabled, act: (tildone: Tildone) => Promise<T>): Promise<T> {
  const opened = await openTildone({
    host: { ...createHookHost(dialectOf(host)), capabilities: { ...dialectOf(host).capabilities, boundary: "none" } },
    cwd: work(),
    env: env(),
    home,
    driver: `${host}:${SESSION}`,
  });
  if (!opened.ok) throw new Error(opened.problems.join(" "));
  try {
    return await act(opened.tildone);
  } finally {
    opened.tildone.dispose();
  }
}

const tool = (host: Tabled, name: string, args: object) =>
  use(host, async ({ engine }) => {
    const read = readToolCall(name, args, "model", `mcp${++counter}`);
    if (read.type !== "trigger") throw new Error(`${name} was ${read.type}`);
    return answerToModel(await engine.tell(SESSION, read.trigger));
  });

const write = (host: Tabled, ...texts: string[]) =>
  tool(host, "write_todos", { mode: "replace", todos: texts.map((text) => ({ text })) });
const complete = (host: Tabled, index: number) => tool(host, "edit_todos", { action: "complete", indices: [index] });

async function withRun<T>(host: Tabled, act: (run: Run, say: (trigger: Trigger) => void) => T): Promise<T> {
  const store = await openStore({ path: join(home, "tildone.db") });
  try {
    const card = store.runs.find(host, SESSION)!;
    return act(openRun(store.log, card.run).run, (trigger) => void speak(store.log, card.run, trigger, Date.now()));
  } finally {
    store.close();
  }
}

const decision = (host: Tabled) => withRun(host, ({ ledger }) => ledger.decision);
const reason = (output: string) => (JSON.parse(output) as { reason: string }).reason;

/** Nothing depends on who answers: the hook itself, or the server of its session. */
const WAYS = HOSTS.flatMap((host) => (["by itself", "by its server"] as const).map((by) => ({ host, by })));

describe.each(WAYS)("$host, answered $by", ({ host, by }) => {
  let door: Door | undefined;
  beforeEach(async () => {
    if (by === "by its server")
      door = await answerHooksOf({ dialect: dialectOf(host), session: SESSION, env: env(), home });
  });
  afterEach(() => door?.close());

  test("a session without a list is left alone", async () => {
    expect(await tell(host, "prompt", PROMPT(host, "hello"))).toBe("");
    expect(await tell(host, "pre-tool", { tool_name: "Bash", tool_input: {} })).toBe("");
    expect(await stop(host)).toBe("");
    expect(readFailures(home)).toEqual([]);
  });

  test("an agent that stops after every item is told to continue until the list is done", async () => {
    await tell(host, "prompt", PROMPT(host, "three things"));
    await write(host, "one", "two", "three");
    for (let index = 0; index < 3; index++) {
      const output = await stop(host);
      expect(JSON.parse(output)).toEqual({ decision: "block", reason: expect.stringContaining("Todos remain") });
      if (host === "gemini") await tell(host, "prompt", PROMPT(host, reason(output)));
      await called(host, "Bash", { command: `make ${index}` }, `made ${index}`);
      await complete(host, index);
    }
    expect(await stop(host)).toBe("");
    expect(await decision(host)).toMatchObject({ type: "stop", reason: "done_unproven" });
  });

  test("an agent that only says ok is let go after three idle turns", async () => {
    await write(host, "one");
    const outputs: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const output = await stop(host, "ok");
      outputs.push(output);
      if (host === "gemini" && output !== "") await tell(host, "prompt", PROMPT(host, reason(output)));
    }
    expect(outputs.map((output) => output !== "")).toEqual([true, true, true, false, false, false]);
    expect(await decision(host)).toMatchObject({ type: "stop", reason: "no_progress" });
  });

  test("the same cheap call forever does not keep it going", async () => {
    await write(host, "one");
    let blocks = 0;
    for (let turn = 0; turn < 8; turn++) {
      const output = await stop(host, "ok");
      if (output === "") break;
      blocks++;
      if (host === "gemini") await tell(host, "prompt", PROMPT(host, reason(output)));
      await called(host, "Bash", { command: "true" }, nothing(host, turn));
    }
    expect(blocks).toBe(4); // the first such call is news
  });

  test("a held run stops, says nothing, and continues after unhold and words", async () => {
    await write(host, "one");
    await withRun(host, (_run, say) => say({ type: "human.hold", now: false }));
    expect(await stop(host)).toBe("");
    await tell(host, "prompt", PROMPT(host, "what is open?"));
    expect(await stop(host)).toBe("");
    await withRun(host, (_run, say) => say({ type: "human.unhold" }));
    await tell(host, "prompt", PROMPT(host, "go on"));
    expect(await stop(host)).toContain("Todos remain");
  });

  test("hold --now refuses the next calls until the user speaks; our own tools stay free", async () => {
    await write(host, "one");
    const bash = { tool_name: host === "gemini" ? "run_shell_command" : "Bash", tool_input: { command: "ls" } };
    const ours = {
      tool_name: host === "gemini" ? "mcp_tildone_list_todos" : "mcp__tildone__list_todos",
      tool_input: {},
    };
    expect(await tell(host, "pre-tool", bash)).toBe("");
    await withRun(host, (_run, say) => say({ type: "human.hold", now: true }));
    expect(await tell(host, "pre-tool", bash)).toContain("tildone ends this turn");
    expect(await tell(host, "pre-tool", ours)).not.toContain("deny");
    await tell(host, "prompt", PROMPT(host, "just list the files"));
    expect(await tell(host, "pre-tool", bash)).toBe("");
  });

  test("a turn that never came to its stop was interrupted: words alone do not send the agent on", async () => {
    await tell(host, "prompt", PROMPT(host, "do it"));
    await write(host, "one");
    writeFileSync(join(work(), "half-done.txt"), "");
    await tell(host, "prompt", PROMPT(host, "no, wait"));
    expect(await stop(host, "I wait.")).toBe("");
    expect(await decision(host)).toMatchObject({ reason: "interrupted" });
    await tell(host, "prompt", PROMPT(host, "now go on"));
    await called(host, "Bash", { command: "ls" }, "a");
    expect(await stop(host)).toContain("Todos remain");
  });

  test("words from another terminal go out at the stop, once", async () => {
    await write(host, "one");
    await withRun(host, (_run, say) =>
      say({ type: "words.queue", words: { id: "w1", text: "use tabs", kind: "steer" } }),
    );
    const output = await stop(host);
    expect(JSON.parse(output)).toEqual({ decision: "block", reason: `${carriedMark("w1")}\nuse tabs` });
    if (host === "gemini") await tell(host, "prompt", PROMPT(host, reason(output)));
    expect(await stop(host)).toContain("Todos remain");
  });

  test("the list is told again with the user's words", async () => {
    await write(host, "one", "two");
    await stop(host);
    const told = await tell(host, "prompt", PROMPT(host, "go on"));
    expect(JSON.parse(told).hookSpecificOutput.additionalContext).toContain("0/2 done, 2 remaining");
  });

  test("counters outlive every process: the breaker counts over a resume", async () => {
    await write(host, "one");
    for (let turn = 0; turn < 3; turn++) {
      const output = await stop(host, "ok");
      if (host === "gemini") await tell(host, "prompt", PROMPT(host, reason(output)));
    }
    await tell(host, "session-start", { source: "resume" });
    expect(await stop(host, "ok")).toBe("");
  });

  test("what the host sends may be anything: nothing is printed, and it is written down", async () => {
    await write(host, "one");
    for (const input of ["", "{", "null", "[]", '"x"', "{}", '{"session_id":7}'])
      expect(await printed({ dialect: dialectOf(host), event: "stop", input, env: env(), home, now: () => 0 })).toBe(
        "",
      );
    expect(readFailures(home).map(({ event }) => event)).toEqual(Array(7).fill("stop"));
  });

  test("a configuration that is wrong lets the host stop, and is written down", async () => {
    await write(host, "one");
    writeFileSync(join(home, "config.json"), '{ "nonsense": 1 }');
    expect(await stop(host)).toBe("");
    expect(readFailures(home).at(-1)?.message).toContain("your configuration is wrong");
  });

  test("a database that cannot be read lets the host stop, and is written down", async () => {
    writeFileSync(join(home, "tildone.db"), "this is no database, ".repeat(400));
    expect(await stop(host)).toBe("");
    expect(readFailures(home)).toHaveLength(1);
  });
});

test("Claude Code: a list of its own is followed, and does not replace one of ours", async () => {
  const todos = (...statuses: string[]) => ({
    todos: statuses.map((status, at) => ({ content: `item ${at}`, status, activeForm: "" })),
  });
  await called("claude-code", "TodoWrite", todos("in_progress", "pending"), {});
  expect(await stop("claude-code")).toContain("0/2 done");
  await called("claude-code", "TodoWrite", todos("completed", "in_progress"), {});
  expect(await stop("claude-code")).toContain("1/2 done");
  await called("claude-code", "TodoWrite", todos("completed", "completed"), {});
  expect(await stop("claude-code")).toBe("");
  await write("claude-code", "ours");
  await called("claude-code", "TodoWrite", todos("pending"), {});
  expect(await withRun("claude-code", ({ plan }) => plan.todos.map(({ text }) => text))).toEqual(["ours"]);
});

test.each<[Tabled, string, object]>([
  [
    "codex",
    "update_plan",
    {
      plan: [
        { step: "a", status: "in_progress" },
        { step: "b", status: "pending" },
      ],
    },
  ],
  [
    "gemini",
    "write_todos",
    {
      todos: [
        { description: "a", status: "in_progress" },
        { description: "b", status: "blocked" },
      ],
    },
  ],
])("%s: a list of its own is followed", async (host, name, input) => {
  await called(host, name, input, "ok");
  expect(await stop(host)).toContain("0/2 done");
});

test("Claude Code: no block while its agents work in the background, and none in plan mode", async () => {
  await write("claude-code", "one");
  const working = [{ id: "a", type: "subagent", status: "running", description: "" }];
  expect(await stop("claude-code", "I wait.", { background_tasks: working })).toBe("");
  expect(await decision("claude-code")).toMatchObject({ type: "wait", reason: "background" });
  await tell("claude-code", "prompt", { prompt: "<task-notification> done", prompt_id: "n1" });
  const server = [{ id: "s", type: "shell", status: "running", command: "npm run dev" }];
  expect(await stop("claude-code", "Hm.", { background_tasks: server })).toContain("Todos remain");
  expect(await stop("claude-code", "Plan.", { permission_mode: "plan" })).toBe("");
  expect(await decision("claude-code")).toMatchObject({ reason: "read_only" });
});

const BACKGROUND = [
  ...[
    "vite",
    "npx vite --host",
    "next dev",
    "npm start",
    "npm run serve",
    "pnpm storybook",
    "ng serve",
    "astro preview",
  ],
  ...["python3 -m http.server 8000", "uvicorn app:app --reload", "flask run", "rails s", "php -S localhost:8000"],
  ...[
    "docker compose up",
    "redis-server",
    "cargo watch -x run",
    "tsc -w",
    "tail -F log",
    "./tools/go.sh",
    "sleep 1000",
  ],
];
test.each(BACKGROUND)("Claude Code: a command that nothing waits for keeps no run waiting: %s", async (command) => {
  const running = [{ id: "b1", type: "shell", status: "running", command, description: "Run it" }];
  await write("claude-code", "one", "two");
  await tool("claude-code", "edit_todos", { action: "start", indices: [0] });
  expect(await stop("claude-code", "It runs.", { background_tasks: running })).toContain("Todos remain");
  await tool("claude-code", "edit_todos", { action: "block", indices: [0, 1], reason: "needs your password" });
  expect(await stop("claude-code", "Hm.", { background_tasks: running })).toBe("");
  expect(await decision("claude-code")).toMatchObject({ type: "stop", reason: "blocked" });
});

test("Claude Code: with a command that a todo waits for, the rest continues; it is waited for when nothing else is free", async () => {
  const running = [{ id: "b1", type: "shell", status: "running", command: "npm run build", description: "Build it" }];
  const hear = (text: string) => stop("claude-code", text, { background_tasks: running });
  await write("claude-code", "build", "write");
  await tool("claude-code", "edit_todos", { action: "start", indices: [0] });
  expect(await hear("The build runs.")).toContain("block the todo and name the command");
  await tool("claude-code", "edit_todos", { action: "block", indices: [0], reason: "waits for npm run build" });
  expect(await hear("I wait for the build.")).toContain("edit_todos start [1]");
  await complete("claude-code", 1);
  expect(await hear("Now I wait.")).toBe("");
  expect(await decision("claude-code")).toMatchObject({ type: "wait", reason: "background" });
  await tell("claude-code", "prompt", { prompt: "<task-notification> b1 completed", prompt_id: "n1" });
  expect(await stop("claude-code", "It is built.", { background_tasks: [] })).toBe("");
  expect(await decision("claude-code")).toMatchObject({ type: "stop", reason: "blocked" });
});

test("Claude Code: a finished list does not wait for a command", async () => {
  const running = [{ id: "b1", type: "shell", status: "running", command: "vite", description: "" }];
  await write("claude-code", "one");
  await called("claude-code", "Bash", { command: "make" }, "made");
  await complete("claude-code", 0);
  expect(await stop("claude-code", "Done.", { background_tasks: running })).toBe("");
  expect(await decision("claude-code")).toMatchObject({ type: "stop", reason: "done_unproven" });
});

test("Claude Code: a failure ends the turn, early or late; a late one of an old prompt ends nothing", async () => {
  await tell("claude-code", "prompt", { prompt: "go", prompt_id: "p1" });
  await write("claude-code", "one");
  expect(await tell("claude-code", "failure", { prompt_id: "p1", error: "rate_limit" })).toBe("");
  expect(await decision("claude-code")).toMatchObject({ type: "wait", reason: "rate_limited" });
  await tell("claude-code", "prompt", { prompt: "again", prompt_id: "p2" });
  await tell("claude-code", "failure", { prompt_id: "p1", error: "server_error" });
  expect(await withRun("claude-code", ({ ledger }) => ledger.turn?.id)).toBe("p2");
});

test.each([
  ["somebody ended it", "", { type: "stop", reason: "interrupted" }],
  ["its loop detector ended it", "System: Potential loop detected. Details: …", { type: "stop", reason: "host_limit" }],
  ["a call ran", '\n{"type":"gemini","content":"","toolCalls":[{}]}', { type: "stop", reason: "interrupted" }],
])("Gemini: a session that ends within a turn is not left open: %s", async (_how, said, expected) => {
  await tell("gemini", "prompt", PROMPT("gemini", "go"));
  await write("gemini", "one");
  const transcript = join(home, "chat.jsonl");
  writeFileSync(transcript, `${"x".repeat(5_000)}${said}`);
  expect(await tell("gemini", "session-end", { reason: "exit", transcript_path: transcript })).toBe("");
  expect(await decision("gemini")).toMatchObject(expected);
});

const ANSWER = '{"message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}';
const USE = '{"message":{"role":"assistant","content":[{"type":"tool_use","name":"Bash"}]}}';
const RESULT = '{"message":{"role":"user","content":[{"type":"tool_result"}]}}';
const COMPLETE = '{"payload":{"type":"task_complete","error":null}}';
test.each<[string, Tabled, string, object | undefined]>([
  ["after an answer: our stop hook failed", "gemini", '{"type":"user"}\n{"type":"gemini","content":"done"}', undefined],
  ["while the model was asked", "claude-code", `${USE}\n${RESULT}`, { type: "stop", reason: "interrupted" }],
  ["while a tool ran", "claude-code", `${RESULT}\n${USE}`, { type: "stop", reason: "interrupted" }],
  ["without a transcript", "claude-code", "", { type: "stop", reason: "interrupted" }],
  ["by its own limit", "claude-code", `${USE}\n{"type":"max_turns_reached"}`, { type: "stop", reason: "host_limit" }],
  ["after an answer: our stop hook failed", "claude-code", `${RESULT}\n${ANSWER}`, undefined],
  ["by the human", "codex", '{"payload":{"type":"turn_aborted"}}', { type: "stop", reason: "interrupted" }],
  [
    "by a limit of the provider",
    "codex",
    '{"payload":{"type":"task_complete","error":{"message":"429 Too Many Requests"}}}',
    { type: "wait", reason: "rate_limited" },
  ],
  ["after an answer: our stop hook failed", "codex", COMPLETE, undefined],
  ["after an abort long ago", "codex", `{"payload":{"type":"turn_aborted"}}\n${COMPLETE}`, undefined],
])("a session that ends within a turn is not left open: %s (%s)", async (_how, host, said, expected) => {
  await tell(host, "prompt", PROMPT(host, "go"));
  await write(host, "one");
  const transcript = join(home, "transcript.jsonl");
  writeFileSync(transcript, said);
  expect(await tell(host, "session-end", { reason: "other", transcript_path: transcript })).toBe("");
  const decided = await decision(host);
  if (expected) expect(decided).toMatchObject(expected);
  else expect(decided).toBeUndefined();
});

test.each(HOSTS)("%s: what ended a process that a supervisor started, the supervisor tells", async (host) => {
  await tell(host, "prompt", PROMPT(host, "go"));
  await write(host, "one");
  const input = JSON.stringify({
    session_id: SESSION,
    cwd: work(),
    transcript_path: join(home, "none"),
    reason: "other",
  });
  const supervised = { ...env(), TILDONE_SUPERVISED: "tokens" };
  await printed({ dialect: dialectOf(host), event: "session-end", input, env: supervised, home, now: () => 0 });
  expect(await decision(host)).toBeUndefined();
  expect(await withRun(host, ({ ledger }) => ledger.interrupt)).toBeUndefined();
});

const CUT = '{"message":{"role":"user","content":[{"text":"[Request interrupted by user for tool use]"}]}}';
test.each<[string, Tabled, string, string | undefined]>([
  ["by Ctrl-C in a tool, and its hook did not run", "claude-code", `${USE}\n${CUT}`, "interrupted"],
  ["by nobody knows whom", "claude-code", `${CUT}\n${USE}`, undefined],
  ["by nobody knows whom", "codex", "", undefined],
  ["by nobody knows whom", "gemini", "", undefined],
])("a host that our server outlived was ended within a turn: %s (%s)", async (_how, host, said, expected) => {
  await tell(host, "prompt", PROMPT(host, "go"));
  await write(host, "one");
  const folder = join(home, "claude/projects/-work");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${SESSION}.jsonl`), said);
  // The host lives on for a moment, as hosts do that close their servers first.
  const { pid } = spawn("sleep", ["0.1"], { stdio: "ignore" });
  const input = JSON.stringify({ session_id: SESSION, host_process: pid });
  const told = { ...env(), CLAUDE_CONFIG_DIR: join(home, "claude") };
  const hook = { dialect: dialectOf(host), event: "host-gone", input, env: told, home, now: () => 0 } as const;
  const left = async () => (await withRun(host, ({ ledger }) => ledger)).left !== undefined;
  expect(await printed(hook)).toBe("");
  expect([(await decision(host)) ?? {}, await left()]).toMatchObject([
    expected === undefined ? {} : { type: "stop", reason: expected },
    expected === undefined,
  ]);
});

test("a host that ended after a stop did not leave, and one that only closed our server neither", async () => {
  await tell("codex", "prompt", PROMPT("codex", "go"));
  await write("codex", "one");
  const left = async () => (await withRun("codex", ({ ledger }) => ledger)).left;
  await tell("codex", "host-gone"); // which process it was is not said
  expect(await left()).toBeUndefined();
  await complete("codex", 0);
  await stop("codex");
  await tell("codex", "host-gone", { host_process: 2 ** 22 + 1 });
  expect(await left()).toBeUndefined();
});

const BASH = { tool_name: "Bash", tool_input: { command: "make test" }, tool_use_id: "c1", tool_response: "ok" };
const RAN = (exit: number) => `{"payload":{"type":"item_completed","item":{"id":"c1","exit_code":${exit}}}}`;
const SAID = (more: string) => `{"message":{"content":[{"tool_use_id":"c1","type":"tool_result"${more}}]}}`;
const SHELL = (end: string, more: object = {}) => ({
  tool_name: "run_shell_command",
  tool_input: { command: "make test", ...more },
  tool_response: { llmContent: `<untrusted_context>\n${end}\n</untrusted_context>`, returnDisplay: "" },
});
test.each<[string, Tabled, object, string, readonly string[]]>([
  ["passed", "claude-code", { tool_calls: [BASH] }, SAID(""), ["observed"]],
  ["failed", "claude-code", { ...BASH, error: "Exit code 2" }, "", ["failed"]],
  ["was refused", "claude-code", { tool_calls: [BASH] }, SAID(',"is_error":true'), ["failed"]],
  ["said no", "claude-code", { tool_calls: [BASH] }, SAID(',"returnCodeInterpretation":"No matches"'), ["failed"]],
  ["is not in the transcript yet", "claude-code", { tool_calls: [BASH] }, "", []],
  [
    "runs on",
    "claude-code",
    { tool_calls: [{ ...BASH, tool_input: { command: "make test", run_in_background: true } }] },
    SAID(""),
    [],
  ],
  ["passed", "codex", BASH, RAN(0), ["observed"]],
  ["failed", "codex", BASH, RAN(1), ["failed"]],
  ["is not in the transcript yet", "codex", BASH, "", []],
  ["is another one", "codex", { ...BASH, tool_input: { command: "make" } }, RAN(0), []],
  ["passed", "gemini", SHELL("Output: (empty)\nProcess Group PGID: 7"), "", ["observed"]],
  [
    "left something running",
    "gemini",
    SHELL("Output: up\nBackground PIDs: 8\nProcess Group PGID: 7"),
    "",
    ["observed"],
  ],
  ["failed", "gemini", SHELL("Output: Exit Code: 0\nExit Code: 1\nProcess Group PGID: 7"), "", ["failed"]],
  ["was killed", "gemini", SHELL("Output: (empty)\nSignal: 9\nProcess Group PGID: 7"), "", ["failed"]],
  ["runs on", "gemini", SHELL("Command moved to background (PID: 7). Output hidden."), "", []],
  [
    "was cancelled, and its output looks like an end",
    "gemini",
    SHELL(
      "Command was cancelled by user before it could complete. Below is the output:\nOutput: x\nProcess Group PGID: 7",
    ),
    "",
    [],
  ],
  ["ran elsewhere", "gemini", SHELL("Output: (empty)\nProcess Group PGID: 7", { dir_path: "other" }), "", []],
])("a check that you did not allow, run by the agent: it %s (%s)", async (_how, host, payload, said, expected) => {
  await tell(host, "prompt", PROMPT(host, "go"));
  await tool(host, "write_todos", { mode: "replace", todos: [{ text: "one", check: "make test" }] });
  const transcript = join(home, "transcript.jsonl");
  writeFileSync(transcript, said);
  await tell(host, "post-tool", { ...payload, transcript_path: transcript });
  const statuses = await withRun(host, ({ ledger }) => Object.values(ledger.receipts).map(({ status }) => status));
  expect(statuses).toEqual(expected);
});

test("Gemini: plan mode begins and ends with its tools, and with a tool that it does not offer", async () => {
  await tell("gemini", "prompt", PROMPT("gemini", "go"));
  await write("gemini", "one");
  const after = async (name: string, said: string) => {
    await called("gemini", name, {}, { llmContent: said });
    return withRun("gemini", ({ ledger }) => ledger.readOnly);
  };
  expect(await after("enter_plan_mode", "Plan mode is not available.")).toBe(false);
  expect(await after("enter_plan_mode", "Switching to Plan mode.")).toBe(true);
  expect(await stop("gemini")).toBe("");
  expect(await decision("gemini")).toMatchObject({ type: "stop", reason: "read_only" });
  expect(await after("exit_plan_mode", "Plan rejected. No feedback provided.")).toBe(true);
  expect(await after("exit_plan_mode", "Plan approved. Switching to YOLO mode.")).toBe(false);
  expect(await after("enter_plan_mode", "Switching to Plan mode.")).toBe(true);
  expect(await after("read_file", "text")).toBe(true);
  expect(await after("run_shell_command", "Output: (empty)")).toBe(false); // the user left it by a key
});

test("Gemini: the end of a session changes nothing after a stop", async () => {
  await tell("gemini", "prompt", PROMPT("gemini", "go"));
  await tool("gemini", "write_todos", { mode: "replace", todos: [{ text: "one" }] });
  await called("gemini", "run_shell_command", { command: "make" }, "made");
  await complete("gemini", 0);
  expect(await stop("gemini")).toBe("");
  await tell("gemini", "session-end", { reason: "exit" });
  expect(await decision("gemini")).toMatchObject({ reason: "done_unproven" });
});

test("Codex: the same stop told twice is answered once", async () => {
  await write("codex", "one");
  const input = {
    session_id: SESSION,
    cwd: work(),
    transcript_path: join(home, "t"),
    turn_id: "t",
    ...STOP("codex", "ok"),
  };
  writeFileSync(join(home, "t"), "abc");
  const both = await Promise.all(
    [1, 2].map(() =>
      printed({
        dialect: dialectOf("codex"),
        event: "stop",
        input: JSON.stringify(input),
        env: env(),
        home,
        now: () => 0,
      }),
    ),
  );
  expect(both.filter((output) => output !== "")).toHaveLength(1);
});

// The longest that is ever said are words of the user; no letter of theirs is cut in two.
test.each(["ü", "語", "🚀"])(
  "what a stop prints has no field that Codex does not know, and is never too long: %s",
  async (letter) => {
    await write("codex", "one");
    const words = { id: "w", text: `a${letter.repeat(6_000)}`, kind: "steer" } as const;
    await withRun("codex", (_run, say) => say({ type: "words.queue", words }));
    const output = JSON.parse(await stop("codex")) as Record<string, string>;
    expect(Object.keys(output)).toEqual(["decision", "reason"]);
    expect(Buffer.byteLength(output.reason!)).toBeLessThan(9_000);
    expect(Buffer.byteLength(output.reason!)).toBeGreaterThan(8_000);
    expect(output.reason!.isWellFormed() && !output.reason!.includes("\ufffd")).toBe(true);
    expect(output.reason).toContain(letter.repeat(10));
  },
);

test("a list whose check is stale is open again, and completing it proves it", async () => {
  writeFileSync(join(home, "config.json"), '{ "checks": { "allow": ["test -f done.txt"] } }');
  writeFileSync(join(work(), "done.txt"), "1");
  await tool("claude-code", "write_todos", { mode: "replace", todos: [{ text: "a", check: "test -f done.txt" }] });
  await called("claude-code", "Bash", { command: "touch" }, "");
  expect((await complete("claude-code", 0)).text).toContain("1 check passed");
  writeFileSync(join(work(), "done.txt"), "changed after the check");
  expect(await stop("claude-code")).toContain("The files changed after this check passed");
  expect((await complete("claude-code", 0)).ok).toBe(true);
  expect(await stop("claude-code")).toBe("");
  expect(await decision("claude-code")).toMatchObject({ reason: "all_done" });
});

test("after a compaction the list is told again", async () => {
  for (const host of ["claude-code", "codex"] as const) {
    await write(host, "one");
    expect(await tell(host, "compaction", { trigger: "auto" })).toBe("");
    expect(await tell(host, "session-start", { source: "compact" })).toContain("0/1 done, 1 remaining");
  }
});

test("a compaction that fails is over: a full context stops the run with its reason, and a stop is answered", async () => {
  const full = { error: "invalid_request", error_details: '400 {"error":{"message":"prompt is too long"}}' };
  await tell("claude-code", "prompt", PROMPT("claude-code", "go"));
  await write("claude-code", "one");
  await tell("claude-code", "compaction", { trigger: "auto" });
  await tell("claude-code", "failure", full);
  expect(await decision("claude-code")).toMatchObject({ type: "stop", reason: "context_full" });
  await write("codex", "one");
  await tell("codex", "compaction", { trigger: "auto" });
  expect(await stop("codex")).toContain("Todos remain");
});

test("Codex hides tools behind a search, so a new session hears their names", async () => {
  expect(await tell("codex", "session-start", { source: "startup" })).toContain("write_todos");
  expect(await tell("claude-code", "session-start", { source: "startup" })).toBe("");
});

test("Gemini: the session goes with the arguments of our own tools", async () => {
  const output = await tell("gemini", "pre-tool", { tool_name: "mcp_tildone_list_todos", tool_input: { a: 1 } });
  expect(JSON.parse(output)).toEqual({
    hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { a: 1, tildone_session: SESSION } },
  });
});

test.each(["claude-code", "codex"] as const)(
  "a subagent changes no counter, and may not write the list: %s",
  async (host) => {
    await tell(host, "prompt", PROMPT(host, "go"));
    await write(host, "one");
    await stop(host);
    const before = await withRun(host, ({ ledger }) => ledger);
    const sub = { agent_id: "a1", agent_type: "task" };
    expect(await tell(host, "prompt", { ...sub, ...PROMPT(host, "look") })).toBe("");
    await tell(host, "post-tool", { ...sub, ...BASH, tool_calls: [BASH] });
    expect(await stop(host, "done", sub)).toBe("");
    expect(await tell(host, "subagent-stop", { ...sub, last_assistant_message: "done" })).toBe("");
    await tell(host, "compaction", { ...sub, trigger: "auto" });
    expect(await withRun(host, ({ ledger }) => ledger)).toEqual(before);
    const writes = { ...sub, tool_name: "mcp__tildone__write_todos", tool_input: {} };
    expect(await tell(host, "pre-tool", writes)).toContain("A subagent may list and edit todos");
  },
);

test("Claude Code: an item with a check is not completed in the host's own list", async () => {
  writeFileSync(join(home, "config.json"), '{ "checks": { "allow": ["test -f *"] } }');
  await tool("claude-code", "write_todos", {
    mode: "replace",
    todos: [{ text: "a", check: "test -f done.txt" }, { text: "b" }],
  });
  expect(await tell("claude-code", "task", { task_subject: "a" })).toContain("edit_todos complete [0]");
  expect(await tell("claude-code", "task", { task_subject: "b" })).toBe("");
});

describe.each(HOSTS)("%s in a phase that only reads", (host) => {
  const NAMES = {
    "claude-code": {
      read: "Read",
      write: "Write",
      shell: "Bash",
      control: "TaskUpdate",
      ours: "mcp__tildone__edit_todos",
    },
    codex: {
      read: "view_image",
      write: "apply_patch",
      shell: "Bash",
      control: "update_goal",
      ours: "mcp__tildone__edit_todos",
    },
    gemini: {
      read: "read_file",
      write: "write_file",
      shell: "run_shell_command",
      control: "write_todos",
      ours: "mcp_tildone_edit_todos",
    },
  }[host];
  const ask = (name: string) => tell(host, "pre-tool", { tool_name: name, tool_input: { command: "x" } });

  beforeEach(async () => {
    const {
      now: _now,
      type: _type,
      ...start
    } = startOf([
      aWorkflow("careful", [aPhase("look", { tools: { rule: "only", tools: ["@read"] } }), "act"]),
    ]) as StartCommand;
    await use(host, ({ engine }) => engine.tell(SESSION, { type: "workflow.start", start }));
  });

  test("what writes is refused with the reason, what reads is not", async () => {
    expect(await ask(NAMES.read)).toBe("");
    for (const name of [NAMES.write, NAMES.shell, "mcp__other__edit_todos"])
      expect(await ask(name)).toContain("is not available in the phase Look");
  });

  test("our own tools and the host's own lists and goals are never refused", async () => {
    expect(await ask(NAMES.control)).toBe("");
    expect(await ask(NAMES.ours)).not.toContain("not available");
  });

  test("stopping in the phase sends the agent on with it", async () => {
    expect(await stop(host)).toContain("is not finished: 🔧 Look is the current phase");
  });
});

describe.each(HOSTS)("%s: words to tildone", (host) => {
  const say = async (text: string) => JSON.parse(await tell(host, "prompt", PROMPT(host, text)));

  test("hold, unhold and status are answered on the spot", async () => {
    expect(await say("tildone hold")).toEqual({ decision: "block", reason: "There is no run in this session." });
    await write(host, "one");
    expect(await say("tildone hold")).toMatchObject({ decision: "block", reason: expect.stringContaining("On hold") });
    expect(await stop(host)).toBe("");
    expect((await say("/tildone:status")).reason).toContain("– [0] one");
    expect((await say("/tildone unhold")).reason).toContain("No longer on hold");
    await say("go on then");
    expect(await stop(host)).toContain("Todos remain");
  });

  test("the list, budgets and the switch are changed from a prompt, too", async () => {
    await write(host, "one");
    expect((await say("tildone todo add two")).reason).toContain("[1] two");
    expect((await say("tildone todos drop 1")).reason).not.toContain("– [1] two");
    expect((await say("tildone extend continuations=5")).reason).toContain("Extended");
    expect((await say("tildone off")).reason).toBe("Continuation is off for this run.");
    expect(await stop(host)).toBe("");
    expect((await say("tildone on")).reason).toBe("Continuation is on for this run.");
    expect((await say("tildone accept")).reason).toContain("Accepted");
  });

  test("a workflow starts with the words that name it", async () => {
    expect((await say("tildone workflow nonsense it")).reason).toContain('Unknown workflow: "nonsense"');
    expect((await say("tildone workflow")).reason).toContain("bugfix");
    const { hookSpecificOutput } = await say("tildone workflow bugfix the login fails");
    expect(hookSpecificOutput.additionalContext).toContain("Reproduce");
    expect(hookSpecificOutput.additionalContext).toContain("the login fails");
    expect(await stop(host)).toContain("Make the bug fail a test");
    expect((await say("tildone cancel-workflow")).reason).toBe("Workflow ended.");
  });
});

test.each(["held", "not yet told"])("a hook that is gone while its boundary is %s: nothing follows", async (when) => {
  await write("codex", "one");
  const gone = new AbortController();
  const told = { event: "stop", session: SESSION, payload: {}, home } as const;
  const answer = answerHappening(
    { type: "stopped" },
    { ...told, dialect: dialectOf("codex"), env: { ...env(), TILDONE_COUNTDOWN: "40s" }, gone: gone.signal },
  );
  if (when === "held")
    await expect
      .poll(() => withRun("codex", ({ ledger }) => ledger.decision?.type), { timeout: 20_000 })
      .toBe("continue");
  gone.abort();
  expect(await answer).toBeUndefined();
  expect(await withRun("codex", ({ ledger }) => ledger.nudge)).toBeUndefined();
});

describe.each(HOSTS)("%s: a sentence that begins like a command", (host) => {
  test("a polite one is done, and reaches the agent all the same", async () => {
    await write(host, "one");
    expect(await tell(host, "prompt", PROMPT(host, "tildone hold please"))).not.toContain('"decision"');
    expect(shown).toContain("On hold. `tildone unhold` continues.");
    expect(await withRun(host, ({ ledger }) => ledger.held)).toBe(true);
  });

  test.each([
    "tildone status is wrong in the footer, fix it",
    "tildone hold the door open in the animation",
    "tildone unholds",
    "tildone todo list is too long on a small screen",
    "tildone extend the parser so that it reads dates",
    "tildone off by one in the counter",
  ])("%j is for the agent alone", async (text) => {
    await write(host, "one");
    expect(await tell(host, "prompt", PROMPT(host, text))).not.toContain('"decision"');
    expect([shown, await withRun(host, ({ ledger }) => ledger.held)]).toEqual([undefined, false]);
  });

  test("a full stop is no sentence", async () => {
    await write(host, "one");
    expect(await tell(host, "prompt", PROMPT(host, "/tildone hold!"))).toContain("On hold");
  });
});

describe.each(HOSTS)("%s: what you read on its screen", (host) => {
  const finish = async () => {
    await write(host, "one", "two");
    for (const index of [0, 1]) await complete(host, index);
  };

  test("the verdict, once", async () => {
    await tell(host, "prompt", PROMPT(host, "do it"));
    await finish();
    expect([await stop(host), shown]).toEqual([
      "",
      expect.stringMatching(/^tildone: Finished, but .*\[2\/2 done · 0 proven\] `tildone report`/),
    ]);
    expect([await stop(host), shown]).toEqual(["", undefined]);
  });

  test("that it gave up, and what to do", async () => {
    await write(host, "one");
    while ((await stop(host)) !== "") {}
    expect(shown).toMatch(/^tildone: The agent made no progress.*\[0\/1 done\] /);
  });

  test("a hold, once", async () => {
    await write(host, "one");
    await withRun(host, (_run, say) => say({ type: "human.hold", now: false }));
    expect([await stop(host), shown]).toEqual(["", "tildone: On hold. [0/1 done] `tildone unhold` continues."]);
    expect([await stop(host), shown]).toEqual(["", undefined]);
  });

  test("that we could not decide", async () => {
    await write(host, "one");
    writeFileSync(join(home, "config.json"), '{ "nonsense": 1 }');
    expect([await stop(host), shown]).toEqual([
      "",
      expect.stringMatching(/^tildone could not decide here: .*Run: tildone doctor$/),
    ]);
  });

  test("nothing in a session without a list", async () => {
    expect([await stop(host), shown]).toEqual(["", undefined]);
  });
});

test("Claude Code shows a nudge as a message, not as an error of a hook", async () => {
  await write("claude-code", "one");
  expect(await stop("claude-code")).toContain("Todos remain");
  expect(shown).toBe("tildone: The agent stopped with open todos: told it to continue. [0/1 done]");
});

test("Claude Code: what waits for an agent in the background says so, once", async () => {
  await write("claude-code", "one");
  const background_tasks = [{ id: "a1", type: "subagent", status: "running", description: "look" }];
  expect([await stop("claude-code", "I wait.", { background_tasks }), shown]).toEqual([
    "",
    expect.stringMatching(/^tildone: .*background/i),
  ]);
  expect([await stop("claude-code", "I wait.", { background_tasks }), shown]).toEqual(["", undefined]);
});
