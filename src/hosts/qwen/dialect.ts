import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolKind } from "../../core/workflow/index.ts";
import {
  blocksOrTells,
  type Dialect,
  type EndedCall,
  type Happening,
  type HostFiles,
  hookCapabilities,
  nativeItem,
  objectAt,
  objectsAt,
  type Past,
  type Payload,
  type Places,
  readsAs,
  stopFailure,
  textAt,
  toolOf,
} from "../../hooks/index.ts";

const TOOLS: Partial<Readonly<Record<ToolKind, readonly string[]>>> = {
  "@read": ["read_file", "glob", "grep_search", "list_directory"],
  "@write": ["edit", "write_file", "notebook_edit"],
  "@shell": ["run_shell_command", "monitor"],
  "@network": ["web_fetch", "web_search"],
  "@control": ["todo_write", "tool_search", "ask_user_question", "exit_plan_mode", "get_goal", "update_goal"],
};
const KINDS = Object.fromEntries(
  Object.entries(TOOLS).flatMap(([kind, names]) => names.map((name) => [name, [kind as ToolKind]])),
);

export const dialect: Dialect = {
  host: "qwen",
  capabilities: hookCapabilities(true, { failure: true, background: true, mode: true }),
  resumed: (session) => `qwen --resume ${session}`,
  names: {
    "session-start": ["SessionStart"],
    prompt: ["UserPromptSubmit"],
    "pre-tool": ["PreToolUse"],
    // All calls of an answer in one process; one that you interrupt is told by the other hook alone.
    "post-tool": ["PostToolBatch", "PostToolUseFailure"],
    stop: ["Stop"],
    failure: ["StopFailure"],
    compaction: ["PreCompact"],
    "session-end": ["SessionEnd"],
  },
  hidesTools: false, // the server is written down as one whose tools are always loaded
  announcesTurns: true,
  // It asks the prompt's hook before it sends results to the model, too, and only there an answer ends the turn.
  endsTurnAt: "prompt",
  hidesNudges: false,
  addsTo: () => undefined,
  // In one folder for each place that it ever worked in.
  transcript: (session, places) => {
    const projects = join(homeOf(places), "projects");
    return readdirSync(projects)
      .map((place) => join(projects, place, "chats", `${session}.jsonl`))
      .find((path) => existsSync(path));
  },
  read: readsAs({
    kinds: KINDS,
    past: (_payload, files) => pastOf(files),
    own: {
      prompt: prompted,
      "post-tool": ended,
      stop: stopped,
      failure: stopFailure,
      "session-end": () => ({ type: "session.ended" }),
      "host-gone": (_payload, files) => left(files),
    },
  }),
  isRead: (line) => /"type":"(?:user|tool_result)"/.test(line),
  write: (event, answer) => {
    const name = dialect.names[event]?.[0] ?? "";
    if (answer.type !== "end" || event === "pre-tool") return blocksOrTells(name, answer);
    return event === "prompt" ? { decision: "block", reason: answer.reason } : undefined;
  },
};

const homeOf = ({ env, home }: Places): string => env.QWEN_HOME || join(home, ".qwen");

/** Of results that go to the model there is no text. What the stop hook said comes back as a prompt of the same name. */
function prompted(payload: Payload, files: HostFiles): Happening {
  const text = textAt(payload, "prompt") ?? "";
  if (text === "") return { type: "calls.ended", calls: [], interrupted: false };
  const turn = textAt(payload, "timestamp") ?? "";
  return { type: "prompted", from: "human", text, turn, before: () => pastOf(files) };
}

function ended(payload: Payload): Happening | undefined {
  const isInterrupted = payload.is_interrupt === true;
  if (payload.tool_name !== undefined && !isInterrupted) return undefined; // the batch tells of it, too
  const calls = objectsAt(payload, "tool_calls");
  const cancelled = isInterrupted || calls.some(({ status }) => status === "cancelled");
  return { type: "calls.ended", calls: calls.map(endedCall), interrupted: cancelled, ...modeOf(payload) };
}

const modeOf = ({ permission_mode: mode }: Payload): { readonly readOnly?: boolean } =>
  typeof mode === "string" ? { readOnly: mode === "plan" } : {};

function endedCall(call: Payload): EndedCall {
  const name = textAt(call, "tool_name") ?? "";
  const [input, response] = [objectAt(call, "tool_input"), objectAt(call, "tool_response")];
  const said = saidIn(response);
  const line = textAt(input, "command");
  const isCommand = name === "run_shell_command" && line !== undefined && input.is_background !== true;
  return {
    tool: toolOf(name, KINDS),
    args: input,
    result: said.replaceAll(/^(Process Group PGID|Background PIDs): .*\n?/gm, ""), // new ones every time
    ...(response.execution_status === "not_started" && { refused: true }),
    ...(name === "todo_write" && { list: objectsAt(input, "todos").map(nativeItem("content")) }),
    ...(isCommand && { command: { line, output: said, passed: () => passedIn(said) } }),
  };
}

function saidIn(response: Payload): string {
  const [part = {}] = objectsAt(response, "response_parts");
  const told = objectAt(objectAt(part, "functionResponse"), "response");
  return textAt(told, "output") ?? textAt(told, "error") ?? textAt(response, "result_display") ?? "";
}

/** It tells how a command ended below what it printed. */
function passedIn(said: string): boolean | undefined {
  const exit = /^Exit Code: (-?\d+)$/m.exec(said.slice(said.lastIndexOf("\nExit Code: ") + 1))?.[1];
  return exit === undefined ? undefined : exit === "0";
}

function stopped(payload: Payload): Happening {
  const turn = textAt(payload, "timestamp");
  const text = textAt(payload, "last_assistant_message") ?? "";
  const agents = objectsAt(payload, "background_tasks").filter(({ status }) => status === "running").length;
  const background = { agents, commands: [] }; // of commands it tells nothing
  return { type: "stopped", text, background, ...modeOf(payload), ...(turn !== undefined && { turn }) };
}

/** Without a terminal it runs no hook for its end. An error of the provider stands in its transcript; so does its orderly end in a list. */
function left(files: HostFiles): Happening {
  const past = pastOf(files);
  if (past.how === "failed") return { type: "session.ended", failure: past.failure };
  return {
    type: "host.left",
    isGone: files.hostIsGone,
    wasInterrupted: () => endedInOrder(files),
  };
}

/** How the last turn ended, where the transcript says it. */
function pastOf({ transcriptEnd }: HostFiles): Past {
  const lines = transcriptEnd().split("\n");
  const spoken = lines.findLastIndex((line) => /"type":"(?:user|assistant|tool_result)"/.test(line));
  const error = lines.slice(spoken + 1).findLast((line) => line.includes('"qwen-code.api_error"'));
  const failure = /"error_message":"((?:[^"\\]|\\.)*)"/.exec(error ?? "")?.[1];
  if (failure !== undefined) return { how: "failed", failure };
  return { how: lines[spoken]?.includes('"status":"cancelled"') ? "interrupted" : "unknown" };
}

/** One that is killed writes no record of what it used; one that is interrupted does, after the last thing that was said. */
function endedInOrder({ places, transcriptEnd }: HostFiles): boolean {
  const last = transcriptEnd().trimEnd().split("\n").at(-1) ?? "";
  const [, session, at] = /"sessionId":"([^"]+)","timestamp":"([^"]+)"/.exec(last) ?? [];
  try {
    const records = readFileSync(join(homeOf(places), "usage_record.jsonl"), "utf8").split("\n");
    const record = records.findLast((line) => session !== undefined && line.includes(session)) ?? "";
    return Number(/"timestamp":(\d+)/.exec(record)?.[1] ?? 0) >= Date.parse(at ?? "");
  } catch {
    return false; // it never ended in order
  }
}
