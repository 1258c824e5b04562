import type { Todo, TodoEvent, TodoId } from "../todo/index.ts";
import { NEW_TODO_LEDGER } from "./birth.ts";
import type { Actor, Envelope } from "./event.ts";
import { progressedWith, takenUp } from "./progress.ts";
import type { Ledger, TodoLedger } from "./run.ts";

/** What the ledger keeps about each todo: it outlives the item's place on the list. */
export function evolveTodoLedgers(ledger: Ledger, before: readonly Todo[], { by }: Envelope, event: TodoEvent): Ledger {
  const after = by === "model" ? takenUp(ledger) : ledger;
  switch (event.type) {
    case "todos.written": {
      const fresh = event.items.filter(({ id }) => !(id in after.todoLedgers));
      const nextTodoId = Math.max(after.nextTodoId, ...fresh.map(({ id }) => afterId(id)));
      const dropped = by === "model" ? event.dropped : [];
      return {
        ...after,
        nextTodoId,
        firstListEnd: after.firstListEnd || nextTodoId - 1,
        todoLedgers: assign(
          after,
          fresh.map(({ id }) => id),
          (entry) => ({ ...entry, activityBefore: after.activity, added: by === "model" && after.firstListEnd > 0 }),
        ),
        abandoned: addAll(after.abandoned, dropped),
        ...(dropped.length > 0 && { accepted: false }),
        ...(event.batch !== undefined &&
          event.mode !== "append" && {
            movedIn: { batch: event.batch, mode: event.mode, before: before.map(({ id }) => id) },
          }),
      };
    }
    case "todo.completed":
      return completed(after, before, event.ids, by);
    case "todo.abandoned":
      return by === "model" || by === "subagent"
        ? { ...after, abandoned: addAll(after.abandoned, event.ids), accepted: false }
        : after;
    case "todo.blocked":
      return by === "engine" ? update(after, event.ids, { setAside: true }) : after;
    case "todo.started":
      return { ...update(after, event.ids, { setAside: false }), declared: declaredBy(after, before, event.ids) };
    case "todo.reopened":
      return {
        ...update(after, event.ids, {
          setAside: false,
          completedByHuman: false,
          unseenIn: undefined,
          ...(by === "human" && FRESH_START),
        }),
        abandoned: after.abandoned.filter((id) => !event.ids.includes(id)),
      };
    case "todo.removed":
      return { ...after, abandoned: after.abandoned.filter((id) => !event.ids.includes(id)) };
    case "todo.released":
    case "todo.changed":
    case "todo.moved":
      return after;
  }
}

/** What the user takes up again has its tries and its budget anew. */
const FRESH_START = { failedAttempts: 0, tokens: 0, cost: 0, activeMs: 0, continuations: 0 } as const;

/** What the agent completes after the user accepted has not been accepted. */
function completed(ledger: Ledger, before: readonly Todo[], ids: readonly TodoId[], by: Actor): Ledger {
  const declared = declaredBy(ledger, before, ids);
  const abandoned = ledger.abandoned.filter((id) => !ids.includes(id)); // a host's own list may take it up after all
  let next: Ledger = { ...ledger, declared, abandoned, ...(by !== "human" && { accepted: false }) };
  for (const id of ids) {
    const todo = before.find((candidate) => candidate.id === id);
    if (!todo || todo.status === "completed") continue;
    const entry = next.todoLedgers[id] ?? NEW_TODO_LEDGER;
    const first = !entry.completedOnce;
    // Judged here and now: what is done for other items later says nothing about this one.
    const unseenIn = entry.activityBefore >= next.activity ? (next.turn?.id ?? "") : undefined;
    next = update(next, [id], { completedOnce: true, completedByHuman: by === "human", unseenIn });
    if (first) next = progressedWith(next, id);
  }
  return next;
}

/** Files that changed in the very turn that completed an item are work for it: calls of one answer run side by side. */
export function workSeenIn(turn: string, ledgers: Ledger["todoLedgers"]): Ledger["todoLedgers"] {
  const entries = Object.entries(ledgers);
  if (!entries.some(([, { unseenIn }]) => unseenIn === turn)) return ledgers;
  return Object.fromEntries(
    entries.map(([id, entry]) => [id, entry.unseenIn === turn ? { ...entry, unseenIn: undefined } : entry]),
  );
}

/** What an item declares counts from its start, or from its completion if it never was started. */
function declaredBy({ declared }: Ledger, before: readonly Todo[], ids: readonly TodoId[]): readonly string[] {
  return addAll(
    declared,
    before.filter(({ id }) => ids.includes(id)).flatMap(({ touches }) => touches),
  );
}

function update(ledger: Ledger, ids: readonly TodoId[], change: Partial<TodoLedger>): Ledger {
  return { ...ledger, todoLedgers: assign(ledger, ids, (entry) => ({ ...entry, ...change })) };
}

function assign(ledger: Ledger, ids: readonly TodoId[], to: (entry: TodoLedger) => TodoLedger): Ledger["todoLedgers"] {
  if (ids.length === 0) return ledger.todoLedgers;
  return {
    ...ledger.todoLedgers,
    ...Object.fromEntries(ids.map((id) => [id, to(ledger.todoLedgers[id] ?? NEW_TODO_LEDGER)])),
  };
}

/** The number after an item's own; an id that is none of ours counts for nothing. */
export const afterId = (id: TodoId): number => {
  const number = Number(id.slice(1));
  return Number.isSafeInteger(number) ? number + 1 : 1;
};

const addAll = (known: readonly TodoId[], more: readonly TodoId[]): readonly TodoId[] => [
  ...new Set([...known, ...more]),
];
