import { unmetNeeds } from "./needs.ts";
import { isFinished, PRIORITIES, type Todo } from "./todo.ts";

/** The todo to work on now: in progress first, then priority, then order; never one that is blocked or lacks a need. */
export function nextTodo<T extends Todo>(todos: readonly T[]): T | undefined {
  return [...freeTodos(todos)].sort(byUrgency)[0];
}

/** What could be worked on now. */
export const freeTodos = <T extends Todo>(todos: readonly T[]): readonly T[] =>
  todos.filter((todo) => isFree(todo, todos));

export const openTodos = <T extends Todo>(todos: readonly T[]): readonly T[] =>
  todos.filter((todo) => !isFinished(todo));

/** What an open todo that is not free waits for, in words. */
export function whatItWaitsFor(todo: Todo, todos: readonly Todo[]): string {
  if (todo.status === "blocked") return todo.reason ?? "blocked";
  const names = unmetNeeds(todo, todos).map((id) => {
    const index = todos.findIndex((other) => other.id === id);
    return index < 0 ? "a todo that left the list" : `[${index}] (${todos[index]!.status})`;
  });
  return `needs ${names.join(", ")}`;
}

const isFree = (todo: Todo, todos: readonly Todo[]): boolean =>
  !isFinished(todo) && todo.status !== "blocked" && unmetNeeds(todo, todos).length === 0;

// Array.prototype.sort is stable, so equal urgency keeps the list's order.
const byUrgency = (a: Todo, b: Todo): number =>
  Number(b.status === "in_progress") - Number(a.status === "in_progress") ||
  PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority);
