import type { Priority, Todo, TodoId } from "./todo.ts";

/** What happened to the list. Written items stand complete in the event, so that replay needs no rules. */
export type TodoEvent =
  | {
      readonly type: "todos.written";
      readonly mode: WriteMode;
      /** Added or changed items, whole. */
      readonly items: readonly Todo[];
      /** The list as it stands afterwards. */
      readonly order: readonly TodoId[];
      /** Unfinished items that the writer left out: recorded as abandoned, shown in the report. */
      readonly dropped: readonly TodoId[];
      /** The batch of calls it came in, where the host tells. */
      readonly batch?: string;
      /** It stands in the host's own list, and was taken over from there. */
      readonly native?: true;
    }
  | { readonly type: "todo.started"; readonly ids: readonly TodoId[] }
  | { readonly type: "todo.completed"; readonly ids: readonly TodoId[] }
  | { readonly type: "todo.abandoned"; readonly ids: readonly TodoId[]; readonly reason: string }
  | { readonly type: "todo.blocked"; readonly ids: readonly TodoId[]; readonly reason: string }
  /** Blocked or finished before, free again: a check failed, the user unblocked or undid it. */
  | { readonly type: "todo.reopened"; readonly ids: readonly TodoId[]; readonly to: "not_started" | "in_progress" }
  | { readonly type: "todo.released"; readonly ids: readonly TodoId[] }
  | { readonly type: "todo.changed"; readonly id: TodoId; readonly text?: string; readonly priority?: Priority }
  | { readonly type: "todo.moved"; readonly id: TodoId; readonly to: number }
  | { readonly type: "todo.removed"; readonly ids: readonly TodoId[] };

export type WriteMode = "replace" | "append" | "insert";

/** Total: an event about an item that is not there changes nothing, whatever log it came from. */
export function evolveTodos(todos: readonly Todo[], event: TodoEvent): readonly Todo[] {
  switch (event.type) {
    case "todos.written":
      return written(todos, event.items, event.order);
    case "todo.started":
      return change(todos, event.ids, (todo) => settled(todo, "in_progress"));
    case "todo.completed":
      return change(todos, event.ids, (todo) => settled(todo, "completed"));
    case "todo.abandoned":
      return change(todos, event.ids, (todo) => ({ ...todo, status: "abandoned", reason: event.reason }));
    case "todo.blocked":
      return change(todos, event.ids, (todo) => ({ ...todo, status: "blocked", reason: event.reason }));
    case "todo.reopened":
      return change(todos, event.ids, (todo) => settled(todo, event.to));
    case "todo.released":
      return change(todos, event.ids, (todo) => ({ ...todo, askFirst: false }));
    case "todo.changed":
      return change(todos, [event.id], (todo) => ({
        ...todo,
        text: event.text ?? todo.text,
        priority: event.priority ?? todo.priority,
        by: "human", // only the user changes an item in place, and what they set the model does not loosen
      }));
    case "todo.moved":
      return moved(todos, event.id, event.to);
    case "todo.removed":
      return removed(todos, event.ids);
  }
}

function change(todos: readonly Todo[], ids: readonly TodoId[], to: (todo: Todo) => Todo): readonly Todo[] {
  return todos.map((todo) => (ids.includes(todo.id) ? to(todo) : todo));
}

/** A reason belongs to the state it explains and goes with it. */
function settled({ reason: _gone, ...todo }: Todo, status: "not_started" | "in_progress" | "completed"): Todo {
  return { ...todo, status };
}

function written(todos: readonly Todo[], items: readonly Todo[], order: readonly TodoId[]): readonly Todo[] {
  const known = new Map([...todos, ...items].map((todo) => [todo.id, todo]));
  return [...new Set(order)].flatMap((id) => known.get(id) ?? []);
}

/** On the user's word: what they took off the list, nothing waits for any more. */
function removed(todos: readonly Todo[], ids: readonly TodoId[]): readonly Todo[] {
  return todos
    .filter(({ id }) => !ids.includes(id))
    .map((todo) =>
      todo.needs.some((need) => ids.includes(need))
        ? { ...todo, needs: todo.needs.filter((need) => !ids.includes(need)) }
        : todo,
    );
}

function moved(todos: readonly Todo[], id: TodoId, to: number): readonly Todo[] {
  const todo = todos.find((candidate) => candidate.id === id);
  if (!todo) return todos;
  const rest = todos.filter((candidate) => candidate.id !== id);
  return [...rest.slice(0, to), todo, ...rest.slice(to)];
}
