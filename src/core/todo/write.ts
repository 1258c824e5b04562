import { oneLine } from "../text/index.ts";
import type { Check } from "./check.ts";
import type { TodoEvent, WriteMode } from "./evolve.ts";
import { LIMITS } from "./limits.ts";
import { matchTexts } from "./match.ts";
import { misfitNeeds } from "./needs.ts";
import { accept, type Proposal, type Refusal, refuse } from "./refusal.ts";
import { type Author, isFinished, type Priority, type Todo, type TodoId } from "./todo.ts";
import { isTrivialCheck } from "./trivial-check.ts";

/** One todo as it was asked for; `needs` are indices of the list as it will stand after the write. */
export interface TodoInput {
  readonly text: string;
  readonly priority?: Priority;
  readonly needs?: readonly number[];
  readonly check?: string | readonly string[];
  readonly covers?: readonly string[];
  readonly touches?: readonly string[];
  readonly askFirst?: boolean;
}

export interface WriteRequest {
  readonly mode: WriteMode;
  readonly index?: number;
  readonly todos: readonly TodoInput[];
}

export interface WriteCommand extends WriteRequest {
  readonly by: Author;
  /** Says whether a check that the model proposes may run. */
  readonly allowsCheck?: (run: string | readonly string[]) => boolean | "pattern";
  /** Number of the first new id; ids are never used twice in a run. */
  readonly firstId: number;
}

/** Strict: gives the one event of a write, or says what is wrong and with which item. */
export function proposeWrite(todos: readonly Todo[], command: WriteCommand): Proposal<TodoEvent> {
  const place = placeOf(todos, command);
  if (typeof place !== "number") return { ok: false, refusal: place };
  const misfit = misfitInput(todos, command);
  if (misfit) return { ok: false, refusal: misfit };

  const inputs = command.todos.map((input) => ({ ...input, text: oneLine(input.text) }));
  const matches =
    command.mode === "replace"
      ? matchTexts(
          inputs.map(({ text }) => text),
          todos,
        )
      : [];
  let nextId = command.firstId;
  const ids = inputs.map((_, index) => matches[index]?.id ?? `t${nextId++}`);
  const kept = command.mode === "replace" ? [] : todos;
  const order = [...kept.slice(0, place).map(idOf), ...ids, ...kept.slice(place).map(idOf)];
  const isMet = (need: TodoId) => todos.some(({ id, status }) => id === need && status === "completed");
  const keepsNeed = (need: TodoId) => order.includes(need) || !isMet(need); // what is done may leave the list
  const items = inputs.map((input, index) => item(ids[index]!, input, matches[index], order, keepsNeed, command));

  const list = order.map((id) => items.find((todo) => todo.id === id) ?? todos.find((todo) => todo.id === id)!);
  const conflict = repeatedText(list) ?? misfitNeeds(list, todos);
  if (conflict) return { ok: false, refusal: conflict };
  const dropped = todos.filter((todo) => !order.includes(todo.id) && !isFinished(todo)).map(idOf);
  return accept({ type: "todos.written", mode: command.mode, items, order, dropped });
}

const idOf = (todo: Todo): TodoId => todo.id;

function placeOf(todos: readonly Todo[], { mode, index }: WriteCommand): number | Refusal {
  switch (mode) {
    case "replace":
      return 0;
    case "append":
      return todos.length;
    case "insert":
      if (index === undefined)
        return refuse("index_required", "Mode 'insert' needs 'index': give the position the first new todo will have.")
          .refusal;
      if (!Number.isInteger(index) || index < 0 || index > todos.length)
        return refuse("index_out_of_range", `Index ${index} is out of range (0 to ${todos.length}).`).refusal;
      return index;
  }
}

function misfitInput(todos: readonly Todo[], { mode, todos: inputs }: WriteCommand): Refusal | undefined {
  if (inputs.length === 0 && mode !== "replace")
    return refuse("no_items", `Mode '${mode}' needs at least one todo in 'todos'.`).refusal;
  const kept = mode === "replace" ? 0 : todos.length;
  if (kept + inputs.length > LIMITS.items)
    return refuse(
      "too_many_items",
      `${kept + inputs.length} todos would exceed the maximum of ${LIMITS.items} (the list has ${kept}). Merge todos or write fewer.`,
    ).refusal;
  for (const [index, input] of inputs.entries()) {
    const text = oneLine(input.text);
    if (text === "")
      return refuse("text_empty", `The todo at position ${index} of 'todos' has no text. Say what is to be done.`)
        .refusal;
    if (text.length > LIMITS.text)
      return refuse(
        "text_too_long",
        `The todo at position ${index} of 'todos' has ${text.length} characters; the maximum is ${LIMITS.text}. Shorten it or split it.`,
      ).refusal;
    const long = tooLong(input);
    if (long)
      return refuse(
        "field_too_long",
        `'${long}' of the todo at position ${index} of 'todos' is too long: at most ${LIMITS.fields} entries of ${LIMITS.field} characters.`,
      ).refusal;
    if (input.check !== undefined && isTrivialCheck({ run: input.check }))
      return refuse(
        "check_trivial",
        `The check of the todo at position ${index} of 'todos' cannot fail, so it proves nothing. Give a command that fails while the work is not done, or leave the check out.`,
      ).refusal;
    const total = kept + inputs.length;
    const unknown = input.needs?.find((need) => !Number.isInteger(need) || need < 0 || need >= total);
    if (unknown !== undefined)
      return refuse(
        "need_unknown",
        `The todo at position ${index} of 'todos' needs index ${unknown}, but the list will have indices 0 to ${total - 1}.`,
      ).refusal;
  }
  return undefined;
}

function tooLong({ check = [], covers = [], touches = [] }: TodoInput): string | undefined {
  const fields = { check: typeof check === "string" ? [check] : check, covers, touches };
  return Object.entries(fields).find(
    ([, entries]) => entries.length > LIMITS.fields || entries.some((entry) => entry.length > LIMITS.field),
  )?.[0];
}

function repeatedText(list: readonly Todo[]): Refusal | undefined {
  const first = new Map<string, number>();
  for (const [index, todo] of list.entries()) {
    const earlier = first.get(todo.text);
    if (earlier !== undefined)
      return refuse(
        "text_repeated",
        `Todos [${earlier}] and [${index}] would have the same text. Keep one, or reword one.`,
      ).refusal;
    first.set(todo.text, index);
  }
  return undefined;
}

/** A continued item keeps its id, status and what human or plan set; checks are added to, never weakened. */
function item(
  id: TodoId,
  input: TodoInput,
  old: Todo | undefined,
  order: readonly TodoId[],
  keepsNeed: (need: TodoId) => boolean,
  { by, allowsCheck }: WriteCommand,
): Todo {
  const asked = {
    text: input.text,
    priority: input.priority ?? old?.priority ?? "medium",
    needs: input.needs?.map((index) => order[index]!) ?? old?.needs.filter((need) => order.includes(need)) ?? [],
    covers: input.covers ?? old?.covers ?? [],
    touches: (old && old.status !== "not_started" ? old.touches : input.touches) ?? old?.touches ?? [],
    askFirst: old?.askFirst || (input.askFirst ?? false),
  };
  const checks = withCheck(old?.checks ?? [], input.check, by, allowsCheck);
  if (!old) return { id, status: "not_started", ...asked, checks, by };
  const isFixed = old.by !== "model" && by === "model";
  return isFixed ? { ...old, needs: old.needs.filter(keepsNeed), checks } : { ...old, ...asked, checks };
}

function withCheck(
  checks: readonly Check[],
  run: TodoInput["check"],
  by: Author,
  allows: WriteCommand["allowsCheck"],
): readonly Check[] {
  if (run === undefined || checks.some((check) => JSON.stringify(check.run) === JSON.stringify(run))) return checks;
  const allowed = by === "model" && allows?.(run);
  return [...checks, { run, by, ...(allowed && { allowed: true }), ...(allowed === "pattern" && { byPattern: true }) }];
}
