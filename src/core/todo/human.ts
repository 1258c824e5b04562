import { misfitIndices } from "./edit.ts";
import type { TodoEvent } from "./evolve.ts";
import { accept, type Proposal, refuse } from "./refusal.ts";
import { isFinished, type Priority, type Todo } from "./todo.ts";
import { LIMITS, oneLine } from "./write.ts";

/** What the human does to the list from a terminal or a dialog. The human's word needs no start, no reason and no check. */
export type HumanEdit =
  | { readonly action: "done" | "drop" | "unblock" | "release" | "reopen"; readonly indices: readonly number[] }
  | { readonly action: "change"; readonly index: number; readonly text?: string; readonly priority?: Priority }
  | { readonly action: "move"; readonly index: number; readonly to: number };

export function proposeHumanEdit(todos: readonly Todo[], edit: HumanEdit): Proposal<TodoEvent> {
  const misfit = misfitIndices(todos, "indices" in edit ? edit.indices : [edit.index]);
  if (misfit) return { ok: false, refusal: misfit };
  switch (edit.action) {
    case "done":
      return eachMust(
        todos,
        edit.indices,
        (todo) => !isFinished(todo),
        "is finished already",
        (ids) => ({ type: "todo.completed", ids }),
      );
    case "drop":
      return accept({ type: "todo.removed", ids: edit.indices.map((index) => todos[index]!.id) });
    case "unblock":
      return eachMust(
        todos,
        edit.indices,
        (todo) => todo.status === "blocked",
        "is not blocked",
        (ids) => ({ type: "todo.reopened", ids, to: "not_started" }),
      );
    case "reopen":
      return eachMust(todos, edit.indices, isFinished, "is not finished", (ids) => ({
        type: "todo.reopened",
        ids,
        to: "not_started",
      }));
    case "release":
      return eachMust(
        todos,
        edit.indices,
        (todo) => todo.askFirst,
        "does not wait for a release",
        (ids) => ({ type: "todo.released", ids }),
      );
    case "change":
      return change(todos, edit.index, edit.text, edit.priority);
    case "move":
      if (!Number.isInteger(edit.to) || edit.to < 0 || edit.to >= todos.length)
        return refuse("index_out_of_range", `Position ${edit.to} is out of range (0 to ${todos.length - 1}).`);
      return accept({ type: "todo.moved", id: todos[edit.index]!.id, to: edit.to });
  }
}

function eachMust(
  todos: readonly Todo[],
  indices: readonly number[],
  fits: (todo: Todo) => boolean,
  otherwise: string,
  event: (ids: readonly string[]) => TodoEvent,
): Proposal<TodoEvent> {
  const misfit = indices.find((index) => !fits(todos[index]!));
  if (misfit !== undefined) return refuse("already_finished", `Item [${misfit}] ${otherwise}.`);
  return accept(event(indices.map((index) => todos[index]!.id)));
}

function change(todos: readonly Todo[], index: number, words?: string, priority?: Priority): Proposal<TodoEvent> {
  const text = words === undefined ? undefined : oneLine(words);
  if (text === "") return refuse("text_empty", "The new text is empty.");
  if (text !== undefined && text.length > LIMITS.text)
    return refuse("text_too_long", `The text has ${text.length} characters; the maximum is ${LIMITS.text}.`);
  const twin = todos.findIndex((todo, at) => at !== index && todo.text === text);
  if (twin >= 0) return refuse("text_repeated", `Item [${twin}] has this text already.`);
  return accept({
    type: "todo.changed",
    id: todos[index]!.id,
    ...(text !== undefined && { text }),
    ...(priority && { priority }),
  });
}
