import { SESSION_ARGUMENT } from "../../core/words/index.ts";
import type { ToolKind } from "../../core/workflow/index.ts";
import {
  type Answer,
  type Dialect,
  type EndedCall,
  type Happening,
  hookCapabilities,
  isObject,
  nativeItem,
  objectAt,
  objectsAt,
  type Past,
  type Payload,
  plainApiError,
  readPayload,
  readsAs,
  textAt,
  toldAt,
  toolOf,
  withMessage,
} from "../../hooks/index.ts";

const KINDS: Readonly<Record<string, readonly ToolKind[]>> = {
  read_file: ["@read"],
  read_many_files: ["@read"],
  list_directory: ["@read"],
  glob: ["@read"],
  grep_search: ["@read"],
  search_file_content: ["@read"],
  replace: ["@write"],
  write_file: ["@write"],
  run_shell_command: ["@shell"],
  web_fetch: ["@network"],
  google_web_search: ["@network"],
  write_todos: ["@control"],
  ask_user: ["@control"],
  enter_plan_mode: ["@control"],
  exit_plan_mode: ["@control"],
  complete_task: ["@control"],
};

/**
 * No session start: Gemini puts its context in front of the prompt, and a slash command is then no command any more. No compaction:
 * what it calls so happens before every request. Its subagents bear no mark.
 */
export const dialect: Dialect = {
  host: "gemini",
  capabilities: { ...hookCapabilities(true), renews: "nudge" },
  resumed: (session) => `gemini --resume ${session}`,
  // It writes all messages anew when something is taken back.
  repeats: /^\{"\$set":\{"messages":.*\n?/gm,
  names: {
    prompt: ["BeforeAgent"],
    "pre-tool": ["BeforeTool"],
    "post-tool": ["AfterTool"],
    stop: ["AfterAgent"],
    "session-end": ["SessionEnd"],
  },
  hidesTools: false,
  announcesTurns: true,
  endsTurnAt: "pre-tool",
  hidesNudges: false,
  addsTo: (payload) => ({ [SESSION_ARGUMENT]: textAt(payload, "session_id") ?? "" }),
  read: readsAs({
    kinds: KINDS,
    past: (_payload, { transcriptEnd }) => pastOf(transcriptEnd()),
    own: {
      prompt: (payload, { transcriptEnd }) => {
        const text = textAt(payload, "prompt") ?? "";
        return {
          type: "prompted",
          from: OF_THE_HOST.test(text) ? "host" : "human",
          text,
          turn: textAt(payload, "timestamp") ?? "",
          before: () => pastOf(transcriptEnd()),
        };
      },
      "post-tool": (payload, { transcriptEnd }) => ({
        type: "calls.ended",
        calls: [endedCall(payload)],
        interrupted: SAYS_CANCELLED.test(saidBy(payload)) && cancelledSince("prompt", transcriptEnd()),
        ...modeAfter(payload),
      }),
      stop: (payload, { transcriptOnce }) => {
        const transcript = transcriptOnce(saysHowItEnded);
        if (isAborted(payload, transcript)) return { type: "aborted" };
        return {
          type: "stopped",
          text: lastWords(payload),
          turn: textAt(payload, "timestamp"),
          ...failureSince("answer", transcript),
        };
      },
      "session-end": (_payload, { transcriptEnd }) => sessionEnded(transcriptEnd()),
    },
  }),
  isRead: (line) => PROMPT.test(line) || line.startsWith('{"$set":{"messages":'),
  write: (event, answer) => {
    const isTooEarly = answer.type === "end" && event !== "pre-tool";
    return withMessage(isTooEarly ? undefined : written(dialect.names[event]?.[0] ?? "", answer), answer);
  },
};

/** After an answer without words Gemini asks for some, in a prompt that you did not type; once also when you pressed escape before it. */
const OF_THE_HOST = /^\[System: You /;

/**
 * Escape ends a turn like an answer does: the same hook, with what was said before it. But an answer stands in the transcript, whether it
 * has words or not, and after escape a note stands there instead.
 */
function isAborted(payload: Payload, transcript: string): boolean {
  if (transcript === "") return textAt(payload, "prompt_response") === NO_WORDS; // it is not kept, and nothing else is known
  return cancelledSince("answer", transcript);
}
const NO_WORDS = "[no response text]";

/** An answer is the last thing said, or a note stands behind what was asked last. It may come after the hook. */
function saysHowItEnded(transcript: string): boolean {
  const lines = since("answer", transcript);
  return !lines.some((line) => ASKED.test(line)) || lines.some((line) => NOTE.test(line) || CANCELLED.test(line));
}

/** Gemini notes what you cancel and what fails, in its terminal; of a process that was killed there is nothing. */
function pastOf(transcript: string): Past {
  if (!transcript.split("\n").some((line) => PROMPT.test(line))) return { how: "unknown" };
  if (cancelledSince("prompt", transcript)) return { how: "interrupted" };
  const { failure } = failureSince("prompt", transcript);
  return failure === undefined ? { how: "cut" } : { how: "failed", failure };
}

/** An error of the provider ends a turn like an answer, too; its terminal shows it, and writes it down. */
function failureSince(what: Spoken, transcript: string): { readonly failure?: string } {
  const error = since(what, transcript).findLast((line) => ERROR.test(line));
  return error === undefined
    ? {}
    : { failure: plainApiError(textAt(parsedLine(error), "content") ?? "the turn failed") };
}

/** Whether you cancelled something since the last thing that the agent, or a prompt, said. */
const cancelledSince = (what: Spoken, transcript: string): boolean =>
  since(what, transcript).some((line) => CANCELLED.test(line));

function since(what: Spoken, transcript: string): readonly string[] {
  const lines = transcript.split("\n");
  return lines.slice(lines.findLastIndex((line) => (what === "answer" ? ANSWER : PROMPT).test(line)) + 1);
}
type Spoken = "answer" | "prompt";

function parsedLine(line: string): Payload {
  try {
    return readPayload(line) ?? {};
  } catch {
    return {}; // the beginning of the line is not in what was read
  }
}

/** Other errors are of an answer that it could not read, or of a command of its own. */
const ERROR = /^\{"id":[^{]*"type":"error","content":"\[API Error/;
const ANSWER = /^\{"id":[^{]*"type":"gemini"/;
const ASKED = /^\{"id":[^{]*"type":"user"/;
const NOTE = /^\{"id":[^{]*"type":"error"/;
const PROMPT = /^\{"id":[^{]*"type":"user","content":\[\{"text":/;
const CANCELLED = /^\{"id":[^{]*"type":"info","content":"(?:Request|User) cancelled|"status":"cancelled"/;

/** What a tool answered when it was cancelled, or when it printed such words. */
const SAYS_CANCELLED = /cancell?ed|abort/i;
const saidBy = (payload: Payload): string => JSON.stringify(payload.tool_response ?? "");

/** The session was ended from outside, unless the agent spoke last: then its turn was over, and our stop hook failed. */
function sessionEnded(transcript: string): Happening | undefined {
  if (LOOP_WARNING.test(transcript)) return { type: "session.ended", limit: "its loop detector" };
  const { failure } = failureSince("answer", transcript);
  if (failure !== undefined) return { type: "session.ended", failure };
  const last = transcript.split("\n").findLast((line) => /"type":"(?:gemini|user)"/.test(line)) ?? "";
  const isAnswer = last.includes('"type":"gemini"') && /"content":"[^"]/.test(last) && !last.includes('"toolCalls"');
  return isAnswer ? undefined : { type: "session.ended" };
}

/** The agent is warned once in these words; the second time the session ends without a stop. */
const LOOP_WARNING = /System: Potential loop detected/;

/** Gemini gives all texts of the prompt, one below the other; the last is the one that ends the turn. */
const lastWords = (payload: Payload): string => (textAt(payload, "prompt_response") ?? "").slice(-2000);

function written(name: string, answer: Answer): object {
  switch (answer.type) {
    case "end":
      return { continue: false, stopReason: answer.reason, decision: "block", reason: answer.reason };
    case "show":
      return {};
    case "go_on":
      return {
        decision: "block",
        reason: answer.reason,
        ...(answer.fresh && { hookSpecificOutput: { hookEventName: name, clearContext: true } }),
      };
    case "deny":
      return { decision: "block", reason: answer.reason };
    case "tell":
      return toldAt(name, answer.context);
    case "rewrite":
      return { hookSpecificOutput: { hookEventName: name, tool_input: answer.args } };
  }
}

/**
 * Plan mode has no field, but tools that begin and end it; and a tool that it does not offer shows that it is over.
 */
function modeAfter(payload: Payload): { readonly readOnly?: boolean } {
  const name = textAt(payload, "tool_name") ?? "";
  const said = textAt(objectAt(payload, "tool_response"), "llmContent") ?? "";
  if (name === "enter_plan_mode" && said.startsWith("Switching to Plan mode")) return { readOnly: true };
  const isOver =
    name === "run_shell_command" ||
    toolOf(name, KINDS).ours !== undefined ||
    (name === "exit_plan_mode" && said.startsWith("Plan approved"));
  return isOver ? { readOnly: false } : {};
}

function endedCall(payload: Payload): EndedCall {
  const name = textAt(payload, "tool_name") ?? "";
  const call = { tool: toolOf(name, KINDS), args: payload.tool_input, result: sameEachTime(payload.tool_response) };
  if (name === "run_shell_command") return { ...call, ...commandOf(payload) };
  if (name !== "write_todos") return call;
  return { ...call, list: objectsAt(objectAt(payload, "tool_input"), "todos").map(nativeItem("description")) };
}

/**
 * Gemini tells how a command ended below what it printed, and only if it did not pass. One that was cancelled, moved to the
 * background or cut down has no such end: nothing is known of it.
 */
function commandOf(payload: Payload): Pick<EndedCall, "command"> {
  const input = objectAt(payload, "tool_input");
  const line = textAt(input, "command");
  if (line === undefined || textAt(input, "dir_path")) return {}; // elsewhere it is another command
  const [, output] = ENDED.exec(textAt(objectAt(payload, "tool_response"), "llmContent") ?? "") ?? [];
  const passed = () => (output === undefined ? undefined : !NOT_PASSED.test(output));
  return { command: { line, output: output ?? "", passed } };
}

const ENDED =
  /^(?:<untrusted_context>\n)?Output: ([\s\S]*)\n(?:Background PIDs: .*\n)?Process Group PGID: \d+(?:\n<\/untrusted_context>)?$/;
const NOT_PASSED = /\n(?:Error: .*|Exit Code: -?\d+|Signal: \w+)$/;

/** Its shell tells process ids, new ones every time: without them the same command with the same output is the same call. */
function sameEachTime(result: unknown): unknown {
  if (typeof result === "string") return result.replaceAll(/^(Process Group PGID|Background PIDs): .*\n?/gm, "");
  if (!isObject(result)) return result;
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, sameEachTime(value)]));
}
