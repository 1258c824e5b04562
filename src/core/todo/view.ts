import { isFinished, type Role, STATUSES, type Todo } from "./todo.ts";

/** A line of the list as data, so that a host only colours it. */
export interface Segment {
  readonly text: string;
  readonly role: Role;
  readonly struck: boolean;
}

export const NO_TODOS = "No todos";

/** `– [0] text`, one line each, with the indices they have in the whole list. */
export function plainList(todos: readonly Todo[]): string {
  return todos.length === 0 ? NO_TODOS : todos.map((todo, index) => plainLine(todo, index)).join("\n");
}

export function plainLine(todo: Todo, index: number): string {
  return `${STATUSES[todo.status].icon} [${index}] ${todo.text}`;
}

export function themedList(todos: readonly Todo[]): readonly (readonly Segment[])[] {
  return todos.map((todo, index) => [
    { text: STATUSES[todo.status].icon, role: STATUSES[todo.status].role, struck: false },
    { text: ` [${index}] `, role: "dim", struck: false },
    { text: todo.text, role: isFinished(todo) ? "dim" : "text", struck: isFinished(todo) },
    ...(todo.reason ? [{ text: ` (${todo.reason})`, role: "muted" as const, struck: false }] : []),
  ]);
}

export interface Count {
  readonly done: number;
  readonly total: number;
  readonly remaining: number;
}

/** Done counts what is finished, abandoned items included: they are not work that remains. */
export function countTodos(todos: readonly Todo[]): Count {
  const done = todos.filter(isFinished).length;
  return { done, total: todos.length, remaining: todos.length - done };
}
