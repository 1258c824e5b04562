import type { Theme, ThemeColor } from "@earendil-works/pi-coding-agent";
import { type MarkedTodo, markOf, type Role } from "../../../core/todo/index.ts";

/** What a tool result keeps: always the list as it stood after the call, so that a re-rendered history is the same. */
export interface ToolDetails {
  readonly action: "write" | "list" | "edit";
  readonly todos: readonly ShownTodo[];
}
export type ShownTodo = Pick<MarkedTodo, "id" | "text" | "status" | "reason" | "proof">;

export const shownTodos = (todos: readonly MarkedTodo[]): readonly ShownTodo[] =>
  todos.map(({ id, text, status, reason, proof }) => ({
    id,
    text,
    status,
    reason,
    proof,
  }));

export type Paint = Pick<Theme, "fg" | "strikethrough">;

export function paintedList(todos: readonly ShownTodo[], theme: Paint): string {
  if (todos.length === 0) return theme.fg("dim", "No todos");
  return todos.map((todo, index) => paintedTodo(todo, index, theme)).join("\n");
}

export function paintedTodo(todo: ShownTodo, index: number, theme: Paint): string {
  const { text, reason } = todo;
  const { glyph, role, struck } = markOf(todo);
  const label = struck ? theme.fg("dim", theme.strikethrough(text)) : theme.fg("text", text);
  const why = reason === undefined ? "" : theme.fg("muted", ` (${reason})`);
  return `${theme.fg(colourOf(role), glyph)} ${theme.fg("accent", `[${index}]`)} ${label}${why}`;
}

/** pi's themes have no colour for alarm; this one differs from every other mark in all of them. */
const colourOf = (role: Role): ThemeColor => (role === "alarm" ? "customMessageLabel" : role);
