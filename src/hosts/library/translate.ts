import { type Failure, readFailure } from "../../core/run/index.ts";
import { type NativeItem, PRIORITIES, type Todo as RunTodo, type TodoStatus } from "../../core/todo/index.ts";
import type { AgentInfo, Message, Todo } from "./options.ts";

/** Our statuses for the program's. One that is not here is unknown: the item is left out, counted and shown. */
const FROM = {
  pending: "not_started",
  in_progress: "in_progress",
  completed: "completed",
  cancelled: "abandoned",
} as const satisfies Record<Todo["status"], TodoStatus>;

/** A blocked item is pending for the program: it has no word for it, and our list remembers. */
const TO = {
  not_started: "pending",
  in_progress: "in_progress",
  blocked: "pending",
  completed: "completed",
  abandoned: "cancelled",
} as const satisfies Record<TodoStatus, Todo["status"]>;

/** An item of the program's list in our words. It is known by its text: ids of such lists are made anew at every write. */
export function fromTodo(todo: { readonly content?: unknown; readonly status?: unknown; readonly priority?: unknown }) {
  const status = Object.hasOwn(FROM, String(todo.status)) ? FROM[todo.status as Todo["status"]] : undefined;
  const priority = PRIORITIES.find((known) => known === todo.priority);
  const item: NativeItem = {
    text: typeof todo.content === "string" ? todo.content : "",
    ...(status && { status }),
    ...(priority && { priority }),
  };
  return item;
}

/** An item of a run's list as the program knows it. */
export const toTodo = ({ id, text, status, priority }: Pick<RunTodo, "id" | "text" | "status" | "priority">): Todo => ({
  id,
  content: text,
  status: TO[status],
  priority,
});

/** Why this agent must not be told to continue; undefined if it may. */
export function whyReadOnly({ agent, hasWritePermission }: AgentInfo): string | undefined {
  if (agent !== undefined && PLANNERS.has(agent.toLowerCase())) return `The agent "${agent}" only plans.`;
  return hasWritePermission === true ? undefined : `The agent${agent ? ` "${agent}"` : ""} may not write.`;
}

const PLANNERS: ReadonlySet<string> = new Set(["plan", "planner"]);

/** How the last answer ended. */
export function endOf(messages: readonly Message[], now: number): TurnEnd {
  const last = messages.findLast(({ role }) => role === "assistant");
  const text = last?.text === undefined ? {} : { text: last.text };
  return last?.error === undefined || last.error === null
    ? { outcome: "completed", ...text }
    : endOfError(last.error, now);
}

export type TurnEnd =
  | { readonly outcome: "completed"; readonly text?: string }
  | { readonly outcome: "aborted" }
  | { readonly outcome: "failed"; readonly failure: Failure };

export function endOfError(error: unknown, now: number): TurnEnd {
  const { name, message, data } = partsOf(error);
  if (typeof name === "string" && ABORTS.has(name)) return { outcome: "aborted" };
  const said = [message, partsOf(data).message, typeof error === "string" ? error : undefined, name].find(
    (text) => typeof text === "string" && text !== "",
  );
  return {
    outcome: "failed",
    failure: readFailure(
      { message: String(said ?? "the turn failed"), code: typeof name === "string" ? name : undefined },
      now,
    ),
  };
}

const ABORTS: ReadonlySet<string> = new Set(["MessageAbortedError", "AbortError"]);

/** The program compacts and continues by itself; an idle that comes without that says so by its last message. */
export const recoversByItself = (error: unknown): boolean => partsOf(error).name === "ContextOverflowError";

/** What an event says of a message. Whether the text is told differs from program to program. */
export interface SeenMessage {
  readonly role: string | undefined;
  readonly id: string | undefined;
  readonly error: unknown;
  readonly text: string | undefined;
}

export function readMessage(data: unknown): SeenMessage | undefined {
  const { info, parts, text } = partsOf(data);
  if (typeof info !== "object" || info === null) return undefined;
  const { role, id, error, content, text: own } = partsOf(info);
  const texts = [text, own, content, ...(Array.isArray(parts) ? parts.map((part: unknown) => partsOf(part).text) : [])];
  const told = texts.filter((one): one is string => typeof one === "string");
  return {
    role: typeof role === "string" ? role : undefined,
    id: typeof id === "string" ? id : undefined,
    error: error ?? undefined,
    text: told.length > 0 ? told.join("\n") : undefined,
  };
}

/** A nudge bears its name, so that it is known when it comes back as a message. */
export const marked = (text: string, nudge: string): string => `${text}\n\n${MARK}${nudge} -->`;
export const isMarked = (text: string): boolean => text.includes(MARK);
const MARK = "<!-- tildone nudge ";

/** A call of the program: what names it, for telling news from repetition. Editing the list is no work. */
export function readCall(data: unknown): { readonly tool: string; readonly args: unknown; readonly result: unknown } {
  const { tool, name, args, input, result, output } = partsOf(data);
  return { tool: String(tool ?? name ?? ""), args: args ?? input, result: result ?? output };
}

export const editsTheList = (tool: string): boolean => /^todo_?(write|read|list|edit)?s?$/i.test(tool);

const partsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
