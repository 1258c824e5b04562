import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BackgroundCommand } from "../../core/continuation/index.ts";
import type { ToolKind } from "../../core/workflow/index.ts";
import {
  blocksOrTells,
  type Cut,
  type Dialect,
  type EndedCall,
  type Happening,
  type HostFiles,
  hookCapabilities,
  isObject,
  nativeItem,
  objectAt,
  objectsAt,
  type Past,
  type Payload,
  type Places,
  readsAs,
  stopFailure,
  textAt,
  toldAt,
  toolOf,
  withMessage,
} from "../../hooks/index.ts";

const KINDS: Readonly<Record<string, readonly ToolKind[]>> = {
  Read: ["@read"],
  Glob: ["@read"],
  Grep: ["@read"],
  LS: ["@read"],
  NotebookRead: ["@read"],
  Edit: ["@write"],
  MultiEdit: ["@write"],
  Write: ["@write"],
  NotebookEdit: ["@write"],
  Bash: ["@shell"],
  BashOutput: ["@read"],
  KillShell: ["@shell"],
  WebFetch: ["@network"],
  WebSearch: ["@network"],
  AskUserQuestion: ["@control"],
  EnterPlanMode: ["@control"],
  ExitPlanMode: ["@control"],
  TodoWrite: ["@control"],
  TaskCreate: ["@control"],
  TaskUpdate: ["@control"],
  TaskList: ["@control"],
  TaskGet: ["@control"],
  TaskStop: ["@control"],
};

export const dialect: Dialect = {
  host: "claude-code",
  capabilities: hookCapabilities(true, { failure: true, background: true, mode: true }),
  resumed: (session) => `claude --resume ${session}`,
  names: {
    "session-start": ["SessionStart"],
    prompt: ["UserPromptSubmit"],
    "pre-tool": ["PreToolUse"],
    // One process for all calls of an answer; a call that failed may be one that the user interrupted.
    "post-tool": ["PostToolBatch", "PostToolUseFailure"],
    task: ["TaskCompleted"],
    stop: ["Stop"],
    failure: ["StopFailure"],
    compaction: ["PreCompact"],
    "session-end": ["SessionEnd"],
  },
  hidesTools: false,
  announcesTurns: false,
  // Before a call it can be refused, or the turn ended after it, not both: the turn continues after a refusal.
  endsTurnAt: "post-tool",
  hidesNudges: true,
  addsTo: () => undefined,
  // In one folder for each place that Claude Code ever worked in.
  transcript: (session, places) => {
    const projects = join(configOf(places), "projects");
    return readdirSync(projects)
      .map((place) => join(projects, place, `${session}.jsonl`))
      .find((path) => existsSync(path));
  },
  tasks: (session, places) => {
    const folder = join(configOf(places), "tasks", session);
    return readdirSync(folder)
      .filter((name) => /^\d+\.json$/.test(name))
      .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
      .map((name): unknown => JSON.parse(readFileSync(join(folder, name), "utf8")))
      .filter(isObject);
  },
  cutIn: interruptIn, // a hook tells of failures
  read: readsAs({
    kinds: KINDS,
    past,
    own: {
      prompt: prompted,
      "post-tool": ended,
      task: (payload) => ({ type: "task.completing", text: textAt(payload, "task_subject") ?? "" }),
      stop: stopped,
      failure: failed,
      "session-end": (_payload, files) => sessionEnded(files.transcriptEnd()),
      "host-gone": (_payload, files) => ({
        type: "host.left",
        isGone: files.hostIsGone,
        wasInterrupted: () => isInterrupted(files, ""),
      }),
    },
  }),
  isRead: (line) => line.includes('"type":"hook_additional_context"'),
  write: (event, answer) => {
    const name = dialect.names[event]?.[0] ?? "";
    if (answer.type === "end" && (answer.free || event === "post-tool"))
      return { continue: false, stopReason: answer.reason }; // which it shows you
    // As a block it would stand on the screen as an error of a hook.
    if (answer.type === "go_on") return withMessage(toldAt(name, answer.reason), answer);
    return blocksOrTells(name, answer);
  },
};

const configOf = ({ env, home }: Places): string => env.CLAUDE_CONFIG_DIR ?? join(home, ".claude");

/** A finished background task wakes the agent with a prompt that you did not type. */
function prompted(payload: Payload, files: HostFiles): Happening {
  const text = textAt(payload, "prompt") ?? "";
  const turn = textAt(payload, "prompt_id") ?? "";
  const from = text.startsWith("<task-notification>") ? "host" : "human";
  return { type: "prompted", from, text, turn, before: () => past(payload, files) };
}

/** The mark may be late, and is not written where nothing was answered yet. */
function past(payload: Payload, files: HostFiles): Past {
  return { how: isInterrupted(files, textAt(payload, "prompt") ?? "") ? "interrupted" : "unknown" };
}

function ended(payload: Payload, files: HostFiles): Happening {
  const single = payload.tool_name === undefined ? [] : [payload];
  const calls = [
    ...objectsAt(payload, "tool_calls").map((call) => ({ ...endedCall(call, files), ...refusal(call, files) })),
    ...single.map((call) => endedCall(call, files)),
  ];
  return { type: "calls.ended", calls, interrupted: payload.is_interrupt === true };
}

function endedCall(call: Payload, files: HostFiles): EndedCall {
  const name = textAt(call, "tool_name") ?? "";
  const args = call.tool_input;
  const result = call.tool_response ?? call.error;
  const tool = toolOf(name, KINDS);
  if (name === "TodoWrite")
    return { tool, args, result, list: objectsAt(objectAt(call, "tool_input"), "todos").map(nativeItem("content")) };
  if (name === "TaskCreate" || name === "TaskUpdate")
    return { tool, args, result, list: files.readTasks().map(nativeItem("subject")) };
  return { tool, args, result, ...(name === "Bash" && commandOf(call, files)) };
}

/**
 * A call that was refused has a result like any other, and no hook of its own; only the transcript says that it is an error. One that
 * ran and failed has a hook, which came before and counted it. The transcript is late: it is waited for only where the words look like it.
 */
function refusal(call: Payload, { transcriptWith }: HostFiles): { readonly refused?: true } {
  const said = textAt(call, "tool_response") ?? "";
  if (said.length > LONGEST_REFUSAL || !LOOKS_REFUSED.test(said)) return {};
  const result = resultIn(transcriptWith, textAt(call, "tool_use_id") ?? "");
  return result?.includes('"is_error":true') ? { refused: true } : {};
}
const LONGEST_REFUSAL = 4_000;
const LOOKS_REFUSED =
  /permission|approv|denied|block|reject|refus|forbid|grant|allow|doesn't want|not available|tildone|hook|<tool_use_error>/i;

/** What the transcript holds of a call's result, as soon as it is written. */
function resultIn(transcriptWith: HostFiles["transcriptWith"], id: string): string | undefined {
  const mark = `"tool_use_id":${JSON.stringify(id)}`;
  return transcriptWith(mark)
    .split("\n")
    .findLast((entry) => entry.includes(mark));
}

/** A `test` or `grep` that said no is no error to Claude Code, but a check that did not pass. */
function commandOf(call: Payload, { transcriptWith }: HostFiles): Pick<EndedCall, "command"> {
  const input = objectAt(call, "tool_input");
  const line = textAt(input, "command");
  if (line === undefined || input.run_in_background === true) return {};
  const error = textAt(call, "error");
  const id = textAt(call, "tool_use_id") ?? "";
  const passed = () => {
    if (error !== undefined) return false;
    const result = resultIn(transcriptWith, id);
    return result === undefined ? undefined : !NOT_PASSED.test(result);
  };
  return { command: { line, output: error ?? textAt(call, "tool_response") ?? "", passed } };
}

const NOT_PASSED = /"is_error":true|"interrupted":true|"returnCodeInterpretation":"|"backgroundTaskId":"/;

function stopped(payload: Payload): Happening {
  const running = objectsAt(payload, "background_tasks").filter(({ status }) => status === "running");
  const prompt = textAt(payload, "prompt_id");
  const commands = running.filter(isCommand);
  return {
    type: "stopped",
    text: textAt(payload, "last_assistant_message") ?? "",
    readOnly: payload.permission_mode === "plan",
    turn: prompt,
    background: { agents: running.length - commands.length, commands: commands.map(commandInBackground) },
  };
}

/** A monitor is a command, too: it reads what another one prints. Whatever else runs is an agent of some kind. */
const isCommand = ({ type }: Payload): boolean => type === "shell" || type === "monitor";

function commandInBackground(task: Payload): BackgroundCommand {
  const [id, description] = [textAt(task, "id"), textAt(task, "description")];
  return {
    line: textAt(task, "command") ?? "",
    id,
    description,
  };
}

/**
 * The session was ended from outside, unless its last words were the agent's: then the turn was over, and our stop hook failed; or the
 * provider failed, and another hook tells of it.
 */
function sessionEnded(transcript: string): Happening | undefined {
  const answer = transcript.lastIndexOf('"role":"assistant"');
  const last = transcript.slice(Math.max(0, answer));
  if (last.includes('"max_turns_reached"')) return { type: "session.ended", limit: "its limit of turns" };
  const isAnswered = answer > transcript.lastIndexOf('"role":"user"') && !last.includes('"type":"tool_use"');
  if (isAnswered) return undefined;
  return transcript.includes('"type":"budget_usd"') && !last.includes(INTERRUPTED) ? SPENT : { type: "session.ended" };
}

/** Its own budget of money ended it. How much that was is told by the supervisor, which reads its output and decides. */
const SPENT: Happening = { type: "host.left", isGone: () => true, wasInterrupted: () => false };

/**
 * Claude Code writes this down, also where it then ends without its hook for the end of a session. A prompt after it began a turn
 * that was not interrupted; the one that is just sent may stand there already.
 */
function isInterrupted({ transcriptEnd }: HostFiles, prompt: string): boolean {
  const spoken = spokenIn(transcriptEnd());
  const at = spoken.findLastIndex((line) => line.includes(INTERRUPTED));
  const mark = JSON.stringify(prompt).slice(1, -1);
  const since = spoken.slice(at + 1).filter((line) => prompt === "" || !line.includes(mark));
  return at >= 0 && since.length === 0;
}
const INTERRUPTED = "[Request interrupted by user";

const spokenIn = (transcript: string): readonly string[] =>
  transcript.split("\n").filter((line) => /"role":"(?:assistant|user)"/.test(line));

function interruptIn(transcript: string): Cut | undefined {
  const line = spokenIn(transcript).at(-1);
  return line?.includes(INTERRUPTED) ? { line } : undefined;
}

/** The id of the prompt names what failed. */
function failed(payload: Payload): Happening {
  const turn = textAt(payload, "prompt_id");
  return { ...stopFailure(payload), ...(turn !== undefined && { turn }) };
}
