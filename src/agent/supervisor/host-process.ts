import { type Failure, UNREACHABLE } from "../../core/run/index.ts";
import { type HostName, plainApiError } from "../../hooks/index.ts";
import { fields, type Line } from "./line.ts";
import { claudeSpend, codexSpend, geminiSpend, type ReadSpend } from "./read-spend.ts";
import { CODEX_FILES, GEMINI_FILES, type SessionFiles } from "./session-file.ts";

/** How a host is started without anybody watching, and what its output says when it is over. */
export interface HostProcess {
  /** Its name on a screen. */
  readonly title: string;
  readonly program: string;
  /** The npm package that brings it. */
  readonly comesWith: string;
  /** `hook`: a process for each event. `resident`: our adapter lives inside, and tells what turns use. */
  readonly adapter: "hook" | "resident";
  /** Whether the session can be named before it begins; otherwise the host tells its id. */
  readonly takesSession: boolean;
  start(session: string, prompt: string): readonly string[];
  /** The same for a workflow, with what it is to be about; `words` begin with its name. */
  startWorkflow(session: string, words: string): readonly string[];
  /** Arguments that choose the model, in a process that starts and in one that resumes. */
  model(name: string): readonly string[];
  resume(session: string, prompt: string): readonly string[];
  sessionIn(line: Line): string | undefined;
  /** How long a turn that has to end may take to: our hooks end it in most hosts, in others nobody but the supervisor does. */
  readonly endsWithinMs: number;
  /** How many more tools run after this line; negative where some ended. */
  toolsIn?(line: Line): number;
  /** Why the turn failed, if this line says so. */
  failureIn(line: Line): string | undefined;
  /** How what it uses can be seen from outside; absent where our adapter inside sees it. */
  readonly spend?: {
    readonly sees: "tokens" | "tokens and cost";
    readonly reader: () => ReadSpend;
    /** Where it writes it down, if its output does not tell it in time. */
    readonly files?: SessionFiles;
    /** Arguments that make it end by itself when it has spent so much. */
    readonly limit?: (cost: number) => readonly string[];
  };
  /** How it says that there is no such session: it died before it wrote down what was said in it. Absent: it makes one. */
  readonly unknownSession?: RegExp;
}

const ENDED_INSIDE_MS = 10_000;
const TOOL_ITEMS: readonly string[] = ["command_execution", "file_change", "mcp_tool_call", "collab_tool_call"];

function blocksIn(message: unknown, type: string): number {
  const { content } = fields(message);
  return Array.isArray(content) ? content.filter((block) => fields(block).type === type).length : 0;
}

const claudeCode: HostProcess = {
  title: "Claude Code",
  comesWith: "@anthropic-ai/claude-code",
  program: "claude",
  adapter: "hook",
  endsWithinMs: ENDED_INSIDE_MS,
  toolsIn: ({ type, message }) =>
    type === "assistant" ? blocksIn(message, "tool_use") : -blocksIn(message, "tool_result"),
  takesSession: true,
  start: (session, prompt) => ["-p", prompt, "--session-id", session, ...CLAUDE_OUTPUT],
  resume: (session, prompt) => ["-p", "--resume", session, prompt, ...CLAUDE_OUTPUT],
  startWorkflow: (session, words) => claudeCode.start(session, `tildone workflow ${words}`),
  model: (name) => ["--model", name],
  sessionIn: () => undefined,
  spend: {
    sees: "tokens and cost",
    reader: claudeSpend,
    limit: (cost) => ["--max-budget-usd", cost.toFixed(4)],
  },
  unknownSession: /No conversation found/i,
  // It calls itself a success even when the provider failed: only this field says so.
  failureIn: ({ type, is_error, api_error_status, subtype, result }) =>
    type === "result" && (is_error === true || String(subtype).startsWith("error_"))
      ? `${api_error_status ?? ""} ${subtype === "success" ? "" : subtype} ${result ?? ""}`.trim()
      : undefined,
};
/** The pieces of an answer tell what it used, and that the model is not silent. */
const CLAUDE_OUTPUT = ["--output-format", "stream-json", "--verbose", "--include-partial-messages"];

const codex: HostProcess = {
  title: "Codex",
  comesWith: "@openai/codex",
  program: "codex",
  adapter: "hook",
  endsWithinMs: 0, // no answer of a hook ends its turn
  toolsIn: ({ type, item }) => {
    const isTool = TOOL_ITEMS.includes(String(fields(item).type));
    return isTool ? Number(type === "item.started") - Number(type === "item.completed") : 0;
  },
  takesSession: false,
  start: (_session, prompt) => ["exec", "--json", "--skip-git-repo-check", ...CODEX_SANDBOX, prompt],
  // A resumed session neither keeps its sandbox mode nor takes the flag for it.
  resume: (session, prompt) => ["exec", "resume", "--json", "--skip-git-repo-check", ...CODEX_SANDBOX, session, prompt],
  startWorkflow: (session, words) => codex.start(session, `tildone workflow ${words}`),
  model: (name) => ["-c", `model=${JSON.stringify(name)}`],
  sessionIn: ({ type, thread_id }) =>
    type === "thread.started" && typeof thread_id === "string" ? thread_id : undefined,
  spend: { sees: "tokens", reader: codexSpend, files: CODEX_FILES },
  unknownSession: /no rollout found|no recorded session|session not found|thread not found/i,
  failureIn: ({ type, error }) =>
    type === "turn.failed"
      ? String((error as { message?: unknown } | undefined)?.message ?? "the turn failed")
      : undefined,
};
const CODEX_SANDBOX = ["-c", 'sandbox_mode="workspace-write"'];

const gemini: HostProcess = {
  title: "Gemini CLI",
  comesWith: "@google/gemini-cli",
  program: "gemini",
  adapter: "hook",
  endsWithinMs: ENDED_INSIDE_MS,
  toolsIn: ({ type }) => Number(type === "tool_use") - Number(type === "tool_result"),
  takesSession: true,
  start: (session, prompt) => ["--session-id", session, "-p", prompt, "--output-format", "stream-json"],
  resume: (session, prompt) => ["--resume", session, "-p", prompt, "--output-format", "stream-json"],
  startWorkflow: (session, words) => gemini.start(session, `tildone workflow ${words}`),
  model: (name) => ["--model", name],
  sessionIn: () => undefined,
  spend: { sees: "tokens", reader: geminiSpend, files: GEMINI_FILES },
  unknownSession: /Error resuming session|Invalid session identifier|No previous sessions found/i,
  failureIn: ({ type, status, error }) =>
    type === "result" && status === "error"
      ? plainApiError(String(fields(error).message ?? "the turn failed"))
      : undefined,
};

const opencode: HostProcess = {
  title: "OpenCode",
  comesWith: "opencode-ai",
  program: "opencode",
  adapter: "resident",
  endsWithinMs: ENDED_INSIDE_MS,
  takesSession: false,
  start: (_session, prompt) => ["run", ...OPENCODE_OUTPUT, prompt],
  resume: (session, prompt) => ["run", ...OPENCODE_OUTPUT, "--session", session, prompt],
  startWorkflow: (_session, words) => ["run", ...OPENCODE_OUTPUT, "--command", "workflow", words],
  model: (name) => ["--model", name],
  sessionIn: ({ sessionID }) => (typeof sessionID === "string" ? sessionID : undefined),
  unknownSession: /session not found/i,
  failureIn: ({ type, error }) => (type === "error" ? JSON.stringify(error ?? "the turn failed") : undefined),
};
const OPENCODE_OUTPUT = ["--format", "json"];

/** A session that is named and not there is made. It waits inside its turn, and its adapter sees every failure. */
const pi: HostProcess = {
  title: "pi",
  comesWith: "@earendil-works/pi-coding-agent",
  program: "pi",
  adapter: "resident",
  endsWithinMs: ENDED_INSIDE_MS,
  takesSession: true,
  start: (session, prompt) => ["--mode", "json", "--session-id", session, prompt],
  resume: (session, prompt) => pi.start(session, prompt),
  startWorkflow: (session, words) => pi.start(session, `/workflow ${words}`),
  model: (name) => ["--model", name],
  sessionIn: () => undefined,
  failureIn: () => undefined,
};

export type SupervisedHost = HostName | "opencode" | "pi";

export const HOST_PROCESSES: Readonly<Record<SupervisedHost, HostProcess>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  opencode,
  pi,
};

/** What kind of failure a host's words mean; whoever gives no known reason may be tried again. */
export function failureKind(message: string): Failure["kind"] {
  return KINDS.find(([, words]) => words.test(message))?.[0] ?? "overload";
}

// In this order: a usage limit may come with any status, and a full context often comes as a plain 400.
const KINDS: readonly (readonly [Failure["kind"], RegExp])[] = [
  ["context_full", /context (length|window|size)|prompt is too long|maximum context|input is too long/i],
  ["overload", UNREACHABLE],
  ["rate_limit", /rate.?limit|too many requests|\b429\b|usage limit|quota|RESOURCE_EXHAUSTED|limit reached/i],
  ["host_limit", /error_max_turns|max.?(session)?.?turns|error_max_budget/i],
  ["refused", /content.?(policy|filter)|safety|\brefus/i],
  ["other", /\b(400|401|403|404)\b|authenticat|api key|credit balance|model.?not.?found|billing/i],
];
