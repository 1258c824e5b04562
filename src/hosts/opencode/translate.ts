import { digestOf } from "../../core/call/index.ts";
import type { Nudge } from "../../core/react/index.ts";
import { type Failure, readFailure, type Usage } from "../../core/run/index.ts";
import { type NativeItem, PRIORITIES } from "../../core/todo/index.ts";
import type { ToolKind } from "../../core/workflow/index.ts";
import { type AgentEntry, type Fields, fieldsOf, numberAt, type TextPart, textAt } from "./payload.ts";

/** OpenCode's list has no word for blocked, but lets every word pass. */
const STATUSES: Readonly<Record<string, NativeItem["status"]>> = {
  pending: "not_started",
  in_progress: "in_progress",
  completed: "completed",
  cancelled: "abandoned",
  blocked: "blocked", // no word of OpenCode's own
};

export function itemsOf(todos: unknown): readonly NativeItem[] {
  return list(todos).map((todo) => {
    const name = textAt(todo, "status") ?? "";
    const status = Object.hasOwn(STATUSES, name) ? STATUSES[name] : undefined;
    const priority = PRIORITIES.find((known) => known === todo.priority);
    return {
      text: textAt(todo, "content") ?? "",
      ...(status && { status }),
      ...(priority && { priority }),
    };
  });
}

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

const KINDS: Readonly<Record<string, readonly ToolKind[]>> = {
  read: ["@read"],
  glob: ["@read"],
  grep: ["@read"],
  list: ["@read"],
  lsp: ["@read"],
  edit: ["@write"],
  write: ["@write"],
  patch: ["@write"],
  multiedit: ["@write"],
  apply_patch: ["@write"],
  bash: ["@shell"],
  webfetch: ["@network"],
  websearch: ["@network"],
  codesearch: ["@network"],
  question: ["@control"],
  todowrite: ["@control"],
  todoread: ["@control"],
  plan_enter: ["@control"],
  plan_exit: ["@control"],
  invalid: ["@control"], // a tool that does not exist: OpenCode tells the model so
};
export const kindsOf = (tool: string): readonly ToolKind[] => (Object.hasOwn(KINDS, tool) ? KINDS[tool]! : []);
export const WRITERS: readonly string[] = Object.keys(KINDS).filter((tool) => kindsOf(tool).includes("@write"));

/** What is seen of a call that ended: the same call with the same result is nothing new, and a command may be a check of a todo. */
export function seenOf(tool: string, args: Fields, result: Fields) {
  const output = textAt(result, "output") ?? "";
  const line = tool === "bash" ? textAt(args, "command") : undefined;
  const passed = fieldsOf(result.metadata).exit === 0;
  return {
    digest: digestOf(tool, args, output),
    ...(line !== undefined && { command: { line, passed, output } }),
  };
}

/** How a turn that brought an error ended. */
export type TurnFailure =
  | { readonly type: "aborted" }
  /** OpenCode compacts and replays by itself; only if it did not, the turn failed. */
  | { readonly type: "overflow"; readonly failure: Failure }
  | { readonly type: "failed"; readonly failure: Failure };

export function turnFailureOf(error: unknown, now: number): TurnFailure | undefined {
  const fields = fieldsOf(error);
  const name = textAt(fields, "name") ?? "";
  const data = fieldsOf(fields.data);
  const status = numberAt(data, "statusCode");
  const message = [status > 0 ? String(status) : "", textAt(data, "message") ?? name].filter(Boolean).join(" ");
  if (name === "MessageAbortedError" || name === "AbortError") return { type: "aborted" };
  if (name === "MessageOutputLengthError") return undefined; // an answer that was cut at its limit is an answer
  const said = { message: message || "the turn failed", code: name, headers: headersOf(data) };
  return { type: name === "ContextOverflowError" ? "overflow" : "failed", failure: readFailure(said, now) };
}

const headersOf = (data: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(data.responseHeaders)).flatMap(([name, value]) =>
      typeof value === "string" ? [[name.toLowerCase(), value]] : [],
    ),
  );

/** What an answer used so far, as its latest update says. */
export function usageOf(info: Fields): Usage {
  const tokens = fieldsOf(info.tokens);
  const cache = fieldsOf(tokens.cache);
  return {
    input: numberAt(tokens, "input"),
    output: numberAt(tokens, "output") + numberAt(tokens, "reasoning"),
    cacheRead: numberAt(cache, "read"),
    cacheWrite: numberAt(cache, "write"),
    cost: numberAt(info, "cost"),
  };
}

/** An ordinary file, as far as patterns go. */
const SAMPLE = "src/file.txt";

/** Whether an agent may write: the last rule that fits decides, and what no rule speaks of is allowed. */
export function mayEdit({ permission = [] }: Pick<AgentEntry, "permission">): boolean {
  const rule = permission.findLast(
    ({ permission: key, pattern }) => (key === "edit" || key === "*") && fits(pattern, SAMPLE),
  );
  return rule?.action !== "deny";
}

const fits = (pattern: string, path: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replace(/\*+/g, ".*")
      .replace(/\?/g, ".")}$`,
  ).test(path);

/** Our own messages bear a mark in their part; flags and metadata survive a compaction's replay. */
export const MARK = "tildone";

export const nudgePart = (run: string, { id, text }: Nudge): TextPart => ({
  type: "text",
  text,
  synthetic: true,
  metadata: { [MARK]: { run, nudge: id } },
});
export const wordsPart = (text: string): TextPart => ({ type: "text", text, metadata: { [MARK]: { words: true } } });

/** Whose words a prompt is: our nudge, the user's words that we carried, the user's own, or another plugin's. */
export function lastChoiceOf(parts: unknown): "nudge" | "words" | "human" | "other" {
  const all = list(parts);
  const marks = all.map((part) => fieldsOf(fieldsOf(part.metadata)[MARK]));
  if (marks.some(({ nudge }) => nudge !== undefined)) return "nudge";
  if (marks.some(({ words }) => words === true)) return "words";
  const texts = all.filter(({ type }) => type === "text");
  return texts.length > 0 && texts.every(({ synthetic }) => synthetic === true) ? "other" : "human";
}

export const promptText = (parts: unknown): string =>
  list(parts)
    .map((part) => textAt(part, "text") ?? "")
    .join("\n");
