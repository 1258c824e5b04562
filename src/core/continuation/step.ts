import type { Requirement, Run, Step } from "../run/index.ts";
import { freeTodos, nextTodo, openTodos, type Todo } from "../todo/index.ts";
import { currentPhase, isUnfinished } from "../workflow/index.ts";

/** `free`: continue with it. `stuck`: there is open work, but none of it can be taken up. `none`: nothing is open. */
export type Next =
  | { readonly status: "free"; readonly step: Step }
  | { readonly status: "stuck"; readonly todos: readonly Todo[] }
  | { readonly status: "none" };

export function next(run: Run): Next {
  const { todos, workflow } = run.plan;
  const todo = nextTodo(todos);
  if (todo) return free({ type: "todo", id: todo.id, index: todos.indexOf(todo) });
  const open = openTodos(todos);
  if (open.length > 0) return { status: "stuck", todos: open };
  if (isUnfinished(workflow)) return free({ type: "phase", phase: currentPhase(workflow)?.phase.id ?? "" });
  const requirement = uncovered(run)[0];
  if (requirement) return free({ type: "requirement", requirement });
  if (isWithoutList(run) && !isJudgedByChecks(run)) return free({ type: "write_list" });
  return { status: "none" };
}

/**
 * Something open waits for a command that runs: is there nothing else to do meanwhile? What waits is blocked; where nothing
 * is, it is the one thing at hand.
 */
export function allWaits(run: Run): boolean {
  const { status } = next(run);
  if (status !== "free") return status === "stuck";
  const { todos } = run.plan;
  return !openTodos(todos).some((todo) => todo.status === "blocked") && freeTodos(todos).length <= 1;
}

/** There is a goal, and no list was ever written for it. */
export const isWithoutList = ({ goal, plan: { todos, workflow } }: Run): boolean =>
  goal !== undefined && todos.length === 0 && !workflow;

/** Work without a list is judged by your checks: once the files changed, or the agent was asked for a list in vain. */
function isJudgedByChecks({ ledger: { checks, listAsked, seen } }: Run): boolean {
  return checks.length > 0 && (listAsked || seen.states.flat().length > 1);
}

/** Requirements that no todo covers. An abandoned todo covers nothing. */
export function uncovered(run: Run): readonly Requirement[] {
  const covered = new Set(
    run.plan.todos.filter(({ status }) => status !== "abandoned").flatMap(({ covers }) => covers),
  );
  return run.ledger.requirements.filter(({ id }) => !covered.has(id));
}

const free = (step: Step): Next => ({ status: "free", step });
