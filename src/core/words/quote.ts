import { clipLine, ending, quoteLines } from "../text/index.ts";
import { nextTodo, plainLine, type Todo } from "../todo/index.ts";

/** How much of a list a model is shown. */
export interface ListBounds {
  readonly items: number;
  readonly characters: number;
}

/**
 * Lines of the list with their real indices; says how many it leaves out. The item that is next is always among them:
 * what the last line of a nudge names must be there to be read.
 */
export function boundedList(
  picked: readonly Todo[],
  todos: readonly Todo[],
  { items, characters }: ListBounds,
): string {
  const shown = withNext(picked, nextTodo(todos), items);
  const lines = shown.map((todo) => plainLine({ ...todo, text: clipLine(todo.text, characters) }, todos.indexOf(todo)));
  const more = picked.length - lines.length;
  return (more > 0 ? [...lines, `(${more} more: list_todos)`] : lines).join("\n");
}

function withNext(picked: readonly Todo[], next: Todo | undefined, most: number): readonly Todo[] {
  const first = picked.slice(0, most);
  if (!next || first.includes(next) || !picked.includes(next)) return first;
  return [...first.slice(0, most - 1), next];
}

/** The end of a command's output, quoted: what a program prints is data, whoever wrote the program. */
export const quotedTail = (tail: string, characters: number): string => quoteLines(ending(tail.trimEnd(), characters));
