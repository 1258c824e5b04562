import { EDIT_ACTIONS, type EditCommand } from "./edit.ts";
import type { WriteMode } from "./evolve.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { PRIORITIES } from "./todo.ts";
import type { TodoInput, WriteRequest } from "./write.ts";

/** Arguments of a tool call as they came from a model, read once at the door: a value, or the path of the mistake. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export function readWrite(args: unknown): Read<WriteRequest> {
  if (!isRecord(args)) return wrong("The arguments", "an object with 'mode' and 'todos'", args);
  const { mode, index, todos } = args;
  if (!isOneOf(MODES, mode))
    return refuse("unknown_mode", `'mode' must be 'replace', 'append' or 'insert', not ${shown(mode)}.`);
  if (isGiven(index) && typeof index !== "number") return wrong("'index'", "a whole number", index);
  if (!Array.isArray(todos)) return wrong("'todos'", "a list of objects with 'text'", todos);
  const items: TodoInput[] = [];
  for (const [position, item] of todos.entries()) {
    const read = readItem(item, `'todos[${position}]`);
    if (!read.ok) return read;
    items.push(read.value);
  }
  return { ok: true, value: { mode, todos: items, ...(isGiven(index) && { index }) } };
}

export function readEdit(args: unknown): Read<EditCommand> {
  if (!isRecord(args)) return wrong("The arguments", "an object with 'action' and 'indices'", args);
  const { action, indices, start, reason, note } = args;
  if (!isOneOf(EDIT_ACTIONS, action))
    return refuse(
      "unknown_action",
      `'action' must be 'start', 'complete', 'abandon' or 'block', not ${shown(action)}.`,
    );
  if (!isListOf(isNumber, indices)) return wrong("'indices'", "a list of whole numbers, for example [0]", indices);
  if (isGiven(start) && !isListOf(isNumber, start))
    return wrong("'start'", "a list of whole numbers, for example [1]", start);
  if (isGiven(reason) && typeof reason !== "string") return wrong("'reason'", "a sentence", reason);
  if (isGiven(note) && typeof note !== "string") return wrong("'note'", "a sentence", note);
  const more = isGiven(start) ? start.filter((index) => !indices.includes(index)) : [];
  const begins =
    action === "start" ? { indices: [...indices, ...more] } : { indices, ...(more.length > 0 && { start: more }) };
  return { ok: true, value: { action, ...begins, ...(isGiven(reason) && { reason }), ...(isGiven(note) && { note }) } };
}

function readItem(item: unknown, path: string): Read<TodoInput> {
  if (!isRecord(item)) return wrong(`${path}'`, "an object with 'text'", item);
  const { text, priority, needs, check, covers, touches, askFirst } = item;
  if (typeof text !== "string") return wrong(`${path}.text'`, "the text of the todo", text);
  if (isGiven(priority) && !isOneOf(PRIORITIES, priority))
    return wrong(`${path}.priority'`, "'high', 'medium' or 'low'", priority);
  if (isGiven(needs) && !isListOf(isNumber, needs)) return wrong(`${path}.needs'`, "a list of indices", needs);
  if (isGiven(check) && typeof check !== "string" && !isListOf(isString, check))
    return wrong(`${path}.check'`, "a command line, or a list of arguments", check);
  if (isGiven(covers) && !isListOf(isString, covers)) return wrong(`${path}.covers'`, "a list of ids", covers);
  if (isGiven(touches) && !isListOf(isString, touches)) return wrong(`${path}.touches'`, "a list of globs", touches);
  if (isGiven(askFirst) && typeof askFirst !== "boolean") return wrong(`${path}.askFirst'`, "true or false", askFirst);
  return {
    ok: true,
    value: {
      text,
      ...(isGiven(priority) && { priority }),
      ...(isGiven(needs) && { needs }),
      ...(isGiven(check) && { check }),
      ...(isGiven(covers) && { covers }),
      ...(isGiven(touches) && { touches }),
      ...(isGiven(askFirst) && { askFirst }),
    },
  };
}

const MODES = ["replace", "append", "insert"] as const satisfies readonly WriteMode[];

const wrong = (what: string, expected: string, came: unknown) =>
  refuse("bad_shape", `${what} must be ${expected}, not ${shown(came)}.`);

function shown(value: unknown): string {
  if (value === undefined) return "left out";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return `"${value.slice(0, 40)}"`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Models write `null` for what they leave out. */
const isGiven = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === "number";
const isString = (value: unknown): value is string => typeof value === "string";
const isListOf = <T>(is: (value: unknown) => value is T, value: unknown): value is readonly T[] =>
  Array.isArray(value) && value.every(is);
const isOneOf = <const T extends string>(known: readonly T[], value: unknown): value is T =>
  (known as readonly unknown[]).includes(value);
