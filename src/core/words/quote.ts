import { plainLine, type Todo } from "../todo/index.ts";

/** Untrusted text on its way to a model: one line, bounded, marked where it was cut. */
export function bounded(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

export const LIST_BOUNDS = { items: 20, characters: 200 } as const;

/** Lines of the list with their real indices, at most 20 of 200 characters; says how many it leaves out. */
export function boundedList(picked: readonly Todo[], todos: readonly Todo[]): string {
  const lines = picked
    .slice(0, LIST_BOUNDS.items)
    .map((todo) => plainLine({ ...todo, text: bounded(todo.text, LIST_BOUNDS.characters) }, todos.indexOf(todo)));
  const more = picked.length - lines.length;
  return (more > 0 ? [...lines, `(${more} more: list_todos)`] : lines).join("\n");
}
