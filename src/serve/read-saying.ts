import { type AnswerOutcome, BUDGETS, type BudgetName, MARKS, OUTCOMES, type Priority, type Saying } from "./wire.ts";

export type ReadSaying =
  | { readonly ok: true; readonly id: string; readonly saying: Saying }
  | { readonly ok: false; readonly message: string };

const MOST_TEXT = 20_000;
type Fields = Readonly<Record<string, unknown>>;

/** Believes nothing: what is no saying of ours is refused with the name of the field. */
export function readSaying(body: unknown): ReadSaying {
  const { id, saying } = fieldsOf(body);
  if (typeof id !== "string" || !/^[\w-]{8,64}$/.test(id)) return wrong("id", "8 to 64 letters, digits, - or _");
  const fields = fieldsOf(saying);
  const read = readers[String(fields.type) as Saying["type"]];
  if (!Object.hasOwn(readers, String(fields.type))) return wrong("saying.type", Object.keys(readers).join(", "));
  const found = read(fields);
  return "field" in found ? wrong(`saying.${found.field}`, found.wants) : { ok: true, id, saying: found };
}

const wrong = (field: string, wants: string): ReadSaying => ({ ok: false, message: `"${field}" has to be ${wants}.` });

interface Misfit {
  readonly field: string;
  readonly wants: string;
}

const readers: { readonly [T in Saying["type"]]: (fields: Fields) => (Saying & { type: T }) | Misfit } = {
  hold: ({ now }) => ({ type: "hold", now: now === true }),
  unhold: ({ text }) => (isText(text, 0) ? { type: "unhold", text } : misfit("text", 0)),
  say: ({ text, later }) => (isText(text, 1) ? { type: "say", text, later: later === true } : misfit("text")),
  add: ({ text, priority, askFirst }) =>
    !isText(text, 1)
      ? misfit("text")
      : !isPriority(priority)
        ? { field: "priority", wants: "high, medium or low" }
        : { type: "add", text, askFirst: askFirst === true, ...(priority && { priority }) },
  mark: ({ todo, as }) => {
    const mark = MARKS.find((each) => each === as);
    if (!isName(todo)) return NO_TODO;
    return mark ? { type: "mark", todo, as: mark } : { field: "as", wants: MARKS.join(", ") };
  },
  change: ({ todo, text, priority }) => {
    if (!isName(todo)) return NO_TODO;
    if (text !== undefined && !isText(text, 1)) return misfit("text");
    if (!isPriority(priority)) return { field: "priority", wants: "high, medium or low" };
    return { type: "change", todo, ...(text !== undefined && { text }), ...(priority && { priority }) };
  },
  move: ({ todo, to }) =>
    !isName(todo)
      ? NO_TODO
      : isIndex(to)
        ? { type: "move", todo, to }
        : { field: "to", wants: "a place in the list, from 0" },
  extend: ({ budget }) => {
    const given = Object.entries(fieldsOf(budget));
    const isGood = given.length > 0 && given.every(([name, more]) => isBudget(name) && isMore(more));
    return isGood
      ? { type: "extend", budget: Object.fromEntries(given) as Partial<Record<BudgetName, number>> }
      : { field: "budget", wants: `a number above 0 for ${BUDGETS.join(", ")}` };
  },
  accept: () => ({ type: "accept" }),
  answer: ({ ask, outcome, words = "" }) => {
    const known = OUTCOMES.find((each): each is AnswerOutcome => each === outcome);
    if (!isName(ask)) return { field: "ask", wants: "the name of what waits" };
    if (!known) return { field: "outcome", wants: OUTCOMES.join(", ") };
    return isText(words, 0) ? { type: "answer", ask, outcome: known, words } : misfit("words", 0);
  },
  edit: ({ ask, command }) =>
    !isName(ask)
      ? { field: "ask", wants: "the name of what waits" }
      : isText(command, 1)
        ? { type: "edit", ask, command }
        : misfit("command"),
  undo: ({ todo }) => (todo === undefined ? { type: "undo" } : isName(todo) ? { type: "undo", todo } : NO_TODO),
  redo: () => ({ type: "redo" }),
  cancel: () => ({ type: "cancel" }),
};

const NO_TODO: Misfit = { field: "todo", wants: "the id of a todo" };
const misfit = (field: string, least = 1): Misfit => ({
  field,
  wants: `a text of ${least} to ${MOST_TEXT} characters`,
});

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const isText = (value: unknown, least: number): value is string =>
  typeof value === "string" && value.trim().length >= least && value.length <= MOST_TEXT;
const isName = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 256;
const isIndex = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 100_000;
const isMore = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 && value <= 1e12;
const isBudget = (name: string): name is BudgetName => (BUDGETS as readonly string[]).includes(name);
const isPriority = (value: unknown): value is Priority | undefined =>
  value === undefined || value === "high" || value === "medium" || value === "low";
