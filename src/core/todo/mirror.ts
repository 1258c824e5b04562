import { oneLine } from "../text/index.ts";
import type { TodoEvent } from "./evolve.ts";
import { LIMITS } from "./limits.ts";
import { isFinished, type Priority, type Todo, type TodoId, type TodoStatus } from "./todo.ts";
import { proposeWrite, type TodoInput } from "./write.ts";

/** Whose tools keep the list: ours, or the host's own, which knows items by their words and has no indices. */
export type ListKind = "ours" | "native";

/** One item of a host's own list, its words translated at the door. No status: the host has one we do not know. */
export interface NativeItem {
  readonly text: string;
  readonly status?: TodoStatus;
  readonly priority?: Priority;
}

/** Items that could not be taken over as they were. Counted and shown, never lost in silence. */
export interface Repaired {
  readonly blank: number;
  readonly cut: number;
  readonly surplus: number;
  readonly unknown: number;
}

/**
 * The host's own list as it stands now, as a difference to ours. What human or plan put on our list stays on it, and an
 * item that our tools blocked stays blocked until the host's list has it in progress. Items below the number `known` are older than the
 * agent's conversation: a list without them does not drop them, as it may never have heard of them. It can cancel them.
 */
export function proposeMirror(
  todos: readonly Todo[],
  native: readonly NativeItem[],
  firstId: number,
  kept: ListKind = "native",
  known = 0,
): { readonly events: readonly TodoEvent[]; readonly repaired: Repaired } {
  const { items, repaired } = tidied(native);
  const texts = new Set(items.map(({ text }) => text));
  const stays = ({ by, id }: Todo): boolean => by !== "model" || Number(id.slice(1)) < known;
  const ours = todos.filter((todo) => stays(todo) && !texts.has(todo.text));
  const inputs: TodoInput[] = [
    ...items.map(({ text, priority }) => ({ text, ...(priority && { priority }) })),
    ...ours.map(({ text }) => ({ text })),
  ].slice(0, LIMITS.items);
  const written = proposeWrite(todos, { mode: "replace", todos: inputs, by: "model", firstId });
  if (!written.ok) return { events: [], repaired }; // tidied items break no rule of the list
  const [event] = written.events;
  if (event?.type !== "todos.written") return { events: [], repaired };
  const list = event.order.map((id) => event.items.find((todo) => todo.id === id)!);
  const moves = items.map((item, at) => [list[at]!, item.status] as const);
  const isNews = !isSame(todos, list) || (kept !== "native" && items.length > 0);
  return { events: [...(isNews ? [{ ...event, native: true as const }] : []), ...statusEvents(moves)], repaired };
}

/** Texts made to fit our rules: one line, bounded, no two alike. */
function tidied(native: readonly NativeItem[]): {
  items: readonly (NativeItem & { status: TodoStatus })[];
  repaired: Repaired;
} {
  const repaired = { blank: 0, cut: 0, surplus: 0, unknown: 0 };
  const seen = new Set<string>();
  const items: (NativeItem & { status: TodoStatus })[] = [];
  for (const item of native) {
    const whole = oneLine(item.text);
    if (whole === "") repaired.blank++;
    else if (item.status === undefined) repaired.unknown++;
    else if (items.length >= LIMITS.items) repaired.surplus++;
    else {
      if (whole.length > LIMITS.text) repaired.cut++;
      const text = apart(whole.slice(0, LIMITS.text), seen);
      seen.add(text);
      items.push({ ...item, text, status: item.status } as NativeItem & { status: TodoStatus });
    }
  }
  return { items, repaired };
}

function apart(text: string, seen: ReadonlySet<string>): string {
  if (!seen.has(text)) return text;
  for (let count = 2; ; count++) {
    const suffix = ` (${count})`;
    const candidate = text.slice(0, LIMITS.text - suffix.length) + suffix;
    if (!seen.has(candidate)) return candidate;
  }
}

const isSame = (before: readonly Todo[], after: readonly Todo[]): boolean =>
  JSON.stringify(before) === JSON.stringify(after);

function statusEvents(moves: readonly (readonly [Todo, TodoStatus | undefined])[]): readonly TodoEvent[] {
  const ids = (fits: (from: Todo, to: TodoStatus) => boolean): readonly TodoId[] =>
    moves.flatMap(([todo, to]) => (to !== undefined && todo.status !== to && fits(todo, to) ? [todo.id] : []));
  const reopened = ids(
    (from, to) => (to === "not_started" && from.status !== "blocked") || (to === "blocked" && isFinished(from)),
  );
  const started = ids((from, to) => to === "in_progress" && !isFinished(from));
  const restarted = ids((from, to) => to === "in_progress" && isFinished(from));
  const completed = ids((_, to) => to === "completed");
  const abandoned = ids((_, to) => to === "abandoned");
  const blocked = ids((_, to) => to === "blocked");
  return [
    ...(reopened.length > 0 ? [{ type: "todo.reopened", ids: reopened, to: "not_started" } as const] : []),
    ...(restarted.length > 0 ? [{ type: "todo.reopened", ids: restarted, to: "in_progress" } as const] : []),
    ...(started.length > 0 ? [{ type: "todo.started", ids: started } as const] : []),
    ...(completed.length > 0 ? [{ type: "todo.completed", ids: completed } as const] : []),
    ...(abandoned.length > 0
      ? [{ type: "todo.abandoned", ids: abandoned, reason: "cancelled in the host's own list" } as const]
      : []),
    ...(blocked.length > 0
      ? [{ type: "todo.blocked", ids: blocked, reason: "blocked in the host's own list" } as const]
      : []),
  ];
}
