import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EventName, HostFiles } from "../../hooks/index.ts";
import { dialect } from "./dialect.ts";

const home = mkdtempSync(join(tmpdir(), "tildone-qwen-"));
mkdirSync(join(home, ".qwen"));
const NOTHING: HostFiles = {
  places: { env: {}, home },
  readTasks: () => [],
  transcriptOnce: () => "",
  transcriptWith: () => "",
  transcriptSize: () => undefined,
  transcriptEnd: () => "",
  hostIsGone: () => true,
};
const line = (type: string, at: string, more = "") =>
  `{"uuid":"u","sessionId":"s1","timestamp":"2026-11-16T12:00:${at}.000Z","type":"${type}"${more}}`;
const ERROR = '"event.name":"qwen-code.api_error","error_message":"400 Your \\"quota\\" is used up."';
const read = (event: EventName, payload: object, transcript = "") =>
  dialect.read(event, { ...payload }, { ...NOTHING, transcriptEnd: () => transcript });
const shell = (response: object, more: object = {}) => ({
  tool_calls: [{ tool_name: "run_shell_command", tool_input: { command: "x" }, tool_response: response, ...more }],
});
const said = (text: string) => ({ response_parts: [{ functionResponse: { response: { output: text } } }] });

test("the prompt's hook before results go to the model is the end of calls, and what is typed is a prompt", () => {
  expect(read("prompt", { prompt: "" })).toEqual({ type: "calls.ended", calls: [], interrupted: false });
  expect(read("prompt", { prompt: "do it", submitted_prompt: "do it" })).toMatchObject({
    type: "prompted",
    text: "do it",
  });
});

test.each<[string, string, boolean | undefined]>([
  ["passed", "Command: x\nOutput: ok\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 7", true],
  ["did not", "Command: x\nOutput: no\nError: (none)\nExit Code: 3\nSignal: (none)", false],
  ["printed another end", "Command: x\nOutput: \nExit Code: 0\n\nExit Code: 1\nSignal: (none)", false],
  ["was cancelled", "[Operation Cancelled] Reason: you", undefined],
])("a command that %s", (_what, text, passed) => {
  const happening = read("post-tool", shell(said(text)));
  expect(happening?.type === "calls.ended" && happening.calls[0]?.command?.passed()).toBe(passed);
});

test("a call that failed is told by its batch alone, and one that you interrupted by its own hook", () => {
  expect(read("post-tool", { tool_name: "edit", error: "no such file", is_interrupt: false })).toBeUndefined();
  expect(read("post-tool", { tool_name: "edit", is_interrupt: true })).toMatchObject({ interrupted: true, calls: [] });
  expect(read("post-tool", shell({ execution_status: "not_started" }))).toMatchObject({ calls: [{ refused: true }] });
});

test("a subagent's moments are its own, but its calls are asked about", () => {
  expect(read("stop", { agent_id: "a1" })).toBeUndefined();
  expect(read("pre-tool", { agent_id: "a1", tool_name: "edit" })).toMatchObject({ bySubagent: true });
});

test("a stop tells how many agents still work in the background", () => {
  const tasks = [{ status: "running" }, { status: "completed" }, { status: "running" }];
  expect(read("stop", { background_tasks: tasks })).toMatchObject({ background: { agents: 2, commands: [] } });
  expect(read("stop", {})).toMatchObject({ background: { agents: 0 } });
});

test.each<[string, string, string, object]>([
  ["by an error", [line("user", "01"), line("system", "02", `,${ERROR}`)].join("\n"), "", { type: "session.ended" }],
  [
    "by a signal",
    line("user", "01"),
    `{"sessionId":"s1","timestamp":${Date.parse("2026-11-16T12:00:02Z")}}`,
    { left: true },
  ],
  [
    "by a kill",
    line("user", "01"),
    `{"sessionId":"s1","timestamp":${Date.parse("2026-11-16T11:00:00Z")}}`,
    { left: false },
  ],
  ["by a kill in its first session", line("user", "01"), "", { left: false }],
])("a process that ended %s", (_how, transcript, records, expected) => {
  writeFileSync(join(home, ".qwen/usage_record.jsonl"), records);
  const happening = read("host-gone", {}, transcript);
  const found = happening?.type === "host.left" ? { left: happening.wasInterrupted() } : happening;
  expect(found).toMatchObject(expected);
});

test("only where results go to the model an answer ends the turn; before a call it refuses it", () => {
  const end = { type: "end", reason: "the budget is spent", free: false } as const;
  expect(dialect.write("prompt", end)).toEqual({ decision: "block", reason: "the budget is spent" });
  expect(dialect.write("post-tool", end)).toBeUndefined();
  expect(dialect.write("pre-tool", end)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
});
