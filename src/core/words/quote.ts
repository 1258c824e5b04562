import { clipLine, ending, quoteLines } from "../text/index.ts";
import { type ListKind, nextTodo, openTodos, plainLine, type Todo, type TodoStatus } from "../todo/index.ts";
import type { Count, ViewTodo } from "../view/index.ts";

/** How much of a list a model is shown. */
export interface ListBounds {
  readonly items: number;
  readonly characters: number;
}

/** How the agent reads a count: what is left for it to do. */
export const countLine = ({ done, total, remaining }: Count): string => `${done}/${total} done, ${remaining} remaining`;

/**
 * Of a list that the agent knows it is told what comes next. Where no todo is free, and of the host's own list, of which no result of ours
 * speaks: the first few that are open.
 */
export function whatIsNext(todos: readonly ViewTodo[], bounds: ListBounds, list: ListKind = "ours"): string {
  const next = nextTodo(todos);
  if (next && list === "ours") return boundedList([next], todos, bounds);
  return boundedList(openTodos(todos), todos, { ...bounds, items: Math.min(bounds.items, FEW) }, list);
}

const FEW = 3;

/**
 * Lines of the list with their real indices; says how many it leaves out. The item that is next is always among them, because
 * what the last line of a nudge names must be there to be read; what cannot be worked on is left out first.
 */
export function boundedList(
  picked: readonly ViewTodo[],
  todos: readonly ViewTodo[],
  { items, characters }: ListBounds,
  list: ListKind = "ours",
): string {
  const next = nextTodo(todos);
  const rank = (todo: Todo): number => (todo === next ? 0 : RANKS[todo.status]);
  const first = new Set(picked.toSorted((one, other) => rank(one) - rank(other)).slice(0, items));
  const lines = picked
    .filter((todo) => first.has(todo))
    .map((todo) => plainLine({ ...todo, text: clipLine(todo.text, characters) }, todo.index));
  const more = picked.length - lines.length;
  return (more > 0 ? [...lines, MORE[list](more)] : lines).join("\n");
}

const RANKS = { in_progress: 1, not_started: 2, blocked: 3, completed: 3, abandoned: 3 } as const satisfies Record<
  TodoStatus,
  number
>;

const MORE = {
  ours: (count: number) => `(${count} more: list_todos)`,
  native: (count: number) => `(${count} more in your todo list)`,
} as const satisfies Record<ListKind, (count: number) => string>;

/** The end of a command's output, quoted: what a program prints is data, even if we wrote the program. */
export const quotedTail = (tail: string, characters: number): string => quoteLines(ending(tail.trimEnd(), characters));
