import { oneLine } from "../text/index.ts";
import { misfitIndices } from "./edit.ts";
import type { TodoEvent } from "./evolve.ts";
import { LIMITS } from "./limits.ts";
import { accept, type Proposal, type RefusalCode, refuse } from "./refusal.ts";
import { isFinished, type Priority, type Todo } from "./todo.ts";

/** What the user does to the list from a terminal or a dialog. The user's word needs no start, no reason and no check. */
export type HumanEdit =
  | { readonly action: "done" | "drop" | "unblock" | "release" | "reopen"; readonly indices: readonly number[] }
  | { readonly action: "change"; readonly index: number; readonly text?: string; readonly priority?: Priority }
  | { readonly action: "move"; readonly index: number; readonly to: number };

export function proposeHumanEdit(todos: readonly Todo[], edit: HumanEdit): Proposal<TodoEvent> {
  const misfit = misfitIndices(todos, "indices" in edit ? edit.indices : [edit.index]);
  if (misfit) return { ok: false, refusal: misfit };
  const ids = "indices" in edit ? edit.indices.map((index) => todos[index]!.id) : [];
  switch (edit.action) {
    case "done":
      return misfitOf(todos, edit, isFinished, "already_finished") ?? accept({ type: "todo.completed", ids });
    case "drop":
      return accept({ type: "todo.removed", ids });
    case "unblock":
      return (
        misfitOf(todos, edit, (todo) => todo.status !== "blocked", "not_blocked") ??
        accept({ type: "todo.reopened", ids, to: "not_started" })
      );
    case "reopen":
      return (
        misfitOf(todos, edit, (todo) => !isFinished(todo), "not_finished") ??
        accept({ type: "todo.reopened", ids, to: "not_started" })
      );
    case "release":
      return misfitOf(todos, edit, (todo) => !todo.askFirst, "not_waiting") ?? accept({ type: "todo.released", ids });
    case "change":
      return change(todos, edit.index, edit.text, edit.priority);
    case "move":
      if (!Number.isInteger(edit.to) || edit.to < 0 || edit.to >= todos.length)
        return refuse("index_out_of_range", `Position ${edit.to} is out of range (0 to ${todos.length - 1}).`);
      return accept({ type: "todo.moved", id: todos[edit.index]!.id, to: edit.to });
  }
}

const MISFIT = {
  already_finished: "is already finished",
  not_blocked: "is not blocked",
  not_finished: "is not finished",
  not_waiting: "does not wait for a release",
} as const satisfies Partial<Record<RefusalCode, string>>;

function misfitOf(
  todos: readonly Todo[],
  { indices }: { readonly indices: readonly number[] },
  misfits: (todo: Todo) => boolean,
  code: keyof typeof MISFIT,
): Proposal<TodoEvent> | undefined {
  const misfit = indices.find((index) => misfits(todos[index]!));
  return misfit === undefined ? undefined : refuse(code, `Todo [${misfit}] ${MISFIT[code]}.`);
}

function change(todos: readonly Todo[], index: number, words?: string, priority?: Priority): Proposal<TodoEvent> {
  const text = words === undefined ? undefined : oneLine(words);
  if (text === undefined && priority === undefined) return refuse("no_change", "Give a new text or a new priority.");
  if (text === "") return refuse("text_empty", "The new text is empty.");
  if (text !== undefined && text.length > LIMITS.text)
    return refuse("text_too_long", `The text has ${text.length} characters; the maximum is ${LIMITS.text}.`);
  const twin = todos.findIndex((todo, at) => at !== index && todo.text === text);
  if (twin >= 0) return refuse("text_repeated", `Todo [${twin}] already has this text.`);
  return accept({
    type: "todo.changed",
    id: todos[index]!.id,
    ...(text !== undefined && { text }),
    ...(priority && { priority }),
  });
}
