import type { Theme } from "@earendil-works/pi-coding-agent";
import { STATUSES, type Todo } from "../../../core/todo/index.ts";

/** What a tool result keeps: always the list as it stood after the call, so that a re-rendered history is the same. */
export interface ToolDetails {
  readonly action: "write" | "list" | "edit";
  readonly todos: readonly ShownTodo[];
}
export type ShownTodo = Pick<Todo, "id" | "text" | "status" | "reason">;

export const shownTodos = (todos: readonly Todo[]): readonly ShownTodo[] =>
  todos.map(({ id, text, status, reason }) => ({ id, text, status, ...(reason !== undefined && { reason }) }));

export type Paint = Pick<Theme, "fg" | "strikethrough">;

export function paintedList(todos: readonly ShownTodo[], theme: Paint): string {
  if (todos.length === 0) return theme.fg("dim", "No todos");
  return todos.map((todo, index) => paintedTodo(todo, index, theme)).join("\n");
}

export function paintedTodo({ text, status, reason }: ShownTodo, index: number, theme: Paint): string {
  const { icon, role, finished } = STATUSES[status];
  const label = finished ? theme.fg("dim", theme.strikethrough(text)) : theme.fg("text", text);
  const why = reason === undefined ? "" : theme.fg("muted", ` (${reason})`);
  return `${theme.fg(role, icon)} ${theme.fg("accent", `[${index}]`)} ${label}${why}`;
}
