import { oneLine } from "../text/index.ts";
import { evolveTodos, type TodoEvent } from "./evolve.ts";
import { LIMITS } from "./limits.ts";
import { unmetNeeds } from "./needs.ts";
import { accept, type Proposal, type Refusal, refuse } from "./refusal.ts";
import { isFinished, type Todo } from "./todo.ts";

export const EDIT_ACTIONS = ["start", "complete", "abandon", "block"] as const;
export type EditAction = (typeof EDIT_ACTIONS)[number];

export interface EditCommand {
  readonly action: EditAction;
  readonly indices: readonly number[];
  /** What is started by the same call, once the rest of it is done. */
  readonly start?: readonly number[];
  readonly reason?: string;
  /** What later todos must know. */
  readonly note?: string;
}

/** All or nothing: one index that does not fit refuses the whole edit, and names it. */
export function proposeEdit(todos: readonly Todo[], { start = [], ...command }: EditCommand): Proposal<TodoEvent> {
  const first = proposeMove(todos, command);
  if (!first.ok || start.length === 0) return first;
  const then = proposeMove(first.events.reduce(evolveTodos, todos), { action: "start", indices: start });
  return then.ok ? accept(...first.events, ...then.events) : then;
}

function proposeMove(todos: readonly Todo[], command: Omit<EditCommand, "start">): Proposal<TodoEvent> {
  const misfit = misfitIndices(todos, command.indices);
  if (misfit) return { ok: false, refusal: misfit };
  const named = command.indices.map((index) => [index, todos[index]!] as const);
  // Completing what is completed changes nothing: agents say it twice, and mean no harm.
  const picked = named.filter(([, { status }]) => command.action !== "complete" || status !== "completed");
  for (const [index, todo] of picked) {
    const refusal = misfitMove(
      command.action,
      index,
      todo,
      todos,
      named.map(([, other]) => other),
    );
    if (refusal) return { ok: false, refusal };
  }
  const reason = oneLine(command.reason ?? "");
  if (command.action === "block" || command.action === "abandon") {
    if (reason === "")
      return refuse(
        "reason_required",
        `Action '${command.action}' needs 'reason': say in a sentence why, for the user.`,
      );
    if (reason.length > LIMITS.reason)
      return refuse("reason_too_long", `The reason has ${reason.length} characters; the maximum is ${LIMITS.reason}.`);
  }
  const ids = picked.map(([, todo]) => todo.id);
  switch (command.action) {
    case "start":
      return accept({ type: "todo.started", ids });
    case "complete":
      return ids.length === 0 ? accept() : accept({ type: "todo.completed", ids });
    case "abandon":
      return accept({ type: "todo.abandoned", ids, reason });
    case "block":
      return accept({ type: "todo.blocked", ids, reason });
  }
}

export function misfitIndices(todos: readonly Todo[], indices: readonly number[]): Refusal | undefined {
  if (indices.length === 0)
    return refuse("indices_required", "'indices' is empty: name the todos, for example [0].").refusal;
  if (todos.length === 0)
    return refuse("list_empty", "There are no todos. Write the list first with write_todos.").refusal;
  if (indices.length > LIMITS.indices)
    return refuse("too_many_indices", `${indices.length} indices; the maximum is ${LIMITS.indices}. Split the edit.`)
      .refusal;
  const outside = indices.filter((index) => !Number.isInteger(index) || index < 0 || index >= todos.length);
  if (outside.length > 0)
    return refuse("index_out_of_range", `Indices [${outside.join(", ")}] are out of range (0 to ${todos.length - 1}).`)
      .refusal;
  const repeated = indices.find((index, position) => indices.indexOf(index) !== position);
  if (repeated !== undefined)
    return refuse("index_repeated", `Index ${repeated} is named twice. Name each todo once.`).refusal;
  return undefined;
}

function misfitMove(
  action: EditAction,
  index: number,
  todo: Todo,
  todos: readonly Todo[],
  together: readonly Todo[],
): Refusal | undefined {
  if (isFinished(todo))
    return refuse(
      "already_finished",
      `Todo [${index}] is ${todo.status} and stays so. If there is more to do, append a new todo for it.`,
    ).refusal;
  if (action === "abandon" || action === "block") return undefined;
  if (todo.askFirst)
    return refuse("not_released", `Todo [${index}] waits for the user's release. Work on another todo, or stop here.`)
      .refusal;
  if (action === "complete" && todo.status === "blocked")
    return refuse("blocked", `Todo [${index}] is blocked. Start it first if it is ready.`).refusal;
  // Items completed by the same edit meet each other's needs.
  const open = unmetNeeds(todo, todos).filter((id) => action === "start" || !together.some((other) => other.id === id));
  if (open.length === 0) return undefined;
  const known = open.map((id) => todos.findIndex((other) => other.id === id)).filter((at) => at >= 0);
  if (known.length < open.length)
    return refuse(
      "needs_unmet",
      `Todo [${index}] needs something that is no longer on the list. Block it with that reason, or rewrite the list without the need.`,
    ).refusal;
  return refuse("needs_unmet", `Todo [${index}] needs ${known.map((at) => `[${at}]`).join(", ")} completed first.`)
    .refusal;
}
