import { type Refusal, refuse } from "./refusal.ts";
import type { Todo, TodoId } from "./todo.ts";

/** The needs of `todo` that are not completed. A need on a todo that left the list is met by nothing. */
export function unmetNeeds(todo: Todo, todos: readonly Todo[]): readonly TodoId[] {
  return todo.needs.filter((id) => todos.find((other) => other.id === id)?.status !== "completed");
}

/** What is wrong with the needs of a list that is about to stand, if anything. A need that stood `before` is not judged again. */
export function misfitNeeds(todos: readonly Todo[], before: readonly Todo[]): Refusal | undefined {
  const at = new Map(todos.map((todo, index) => [todo.id, index]));
  for (const [index, todo] of todos.entries()) {
    const known = before.find(({ id }) => id === todo.id)?.needs ?? [];
    for (const need of todo.needs) {
      if (known.includes(need)) continue;
      if (need === todo.id)
        return refuse("need_on_itself", `Todo [${index}] needs itself. Leave that need out.`).refusal;
      const other = todos[at.get(need) ?? -1];
      if (other?.status === "abandoned")
        return refuse(
          "need_on_abandoned",
          `Todo [${index}] needs todo [${at.get(need)}], which is abandoned and will never be completed. Drop that need or add the work again.`,
        ).refusal;
    }
  }
  const circle = findCircle(todos);
  if (!circle) return undefined;
  const path = circle.map((id) => `[${at.get(id)}]`).join(" -> ");
  return refuse("need_cycle", `These todos need each other in a circle: ${path}. Remove one of the needs.`).refusal;
}

function findCircle(todos: readonly Todo[]): readonly TodoId[] | undefined {
  const byId = new Map(todos.map((todo) => [todo.id, todo]));
  const safe = new Set<TodoId>();
  const walk = (id: TodoId, trail: readonly TodoId[]): readonly TodoId[] | undefined => {
    if (safe.has(id)) return undefined;
    if (trail.includes(id)) return [...trail.slice(trail.indexOf(id)), id];
    for (const need of byId.get(id)?.needs ?? []) {
      const circle = walk(need, [...trail, id]);
      if (circle) return circle;
    }
    safe.add(id);
    return undefined;
  };
  for (const { id } of todos) {
    const circle = walk(id, []);
    if (circle) return circle;
  }
  return undefined;
}
