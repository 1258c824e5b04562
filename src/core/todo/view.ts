import { visible } from "../text/index.ts";
import { type MarkedTodo, markOf, type Role } from "./mark.ts";

/** A line of the list as data, so that a host only colours it. */
export interface Segment {
  readonly text: string;
  readonly role: Role;
  readonly struck: boolean;
}

export const NO_TODOS = "No todos";

/** `– [0] text`, one line each, with the indices they have in the whole list. */
export function plainList(todos: readonly MarkedTodo[]): string {
  return todos.length === 0 ? NO_TODOS : todos.map((todo, index) => plainLine(todo, index)).join("\n");
}

export function plainLine(todo: MarkedTodo, index: number): string {
  return `${markOf(todo).glyph} [${index}] ${todo.text}`;
}

/** The list as segments with roles, for screens with colour. */
export function themedList(todos: readonly MarkedTodo[]): readonly (readonly Segment[])[] {
  return todos.map((todo, index) => {
    const { glyph, role, struck } = markOf(todo);
    return [
      { text: glyph, role, struck: false },
      { text: ` [${index}] `, role: "dim", struck: false },
      { text: visible(todo.text), role: struck ? "dim" : "text", struck },
      ...(todo.reason ? [{ text: ` (${visible(todo.reason)})`, role: "muted" as const, struck: false }] : []),
    ];
  });
}
