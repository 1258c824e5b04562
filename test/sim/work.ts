import type { Todo } from "../../src/core/todo/index.ts";
import type { Facts } from "./facts.ts";
import { lineOf } from "./line-of.ts";

/** Open work as the log tells it: judged here on its own, like everything the invariants rest on. */
export function hasOpenWork(facts: Facts): boolean {
  return (
    openTodos(facts).length > 0 ||
    facts.workflowActive ||
    isUncovered(facts) ||
    (lacksList(facts) && !isLeftToChecks(facts))
  );
}

/** There is open work that can be taken up. */
export function hasFreeWork(facts: Facts): boolean {
  if (openTodos(facts).length > 0) return freeTodo(facts) !== undefined;
  return hasOpenWork(facts);
}

export const lacksList = (facts: Facts): boolean => facts.goal && facts.todos.length === 0 && !facts.hadWorkflow;

/** Work without a list is judged by the user's checks: something was changed, or a list was asked for. */
const isLeftToChecks = ({ checks, listDenied, states }: Facts): boolean =>
  checks.length > 0 && (listDenied || states.size > 1);

/** Nothing can be done beside what waits: that is blocked, or else the one thing at hand. */
export function allWaits(facts: Facts): boolean {
  if (!hasOpenWork(facts) || !hasFreeWork(facts)) return hasOpenWork(facts);
  return openTodos(facts).every(({ status }) => status !== "blocked") && freeTodos(facts).length <= 1;
}

function freeTodos(facts: Facts): readonly Todo[] {
  const isDone = (id: string) => facts.todos.find((todo) => todo.id === id)?.status === "completed";
  return openTodos(facts).filter(({ status, needs }) => status !== "blocked" && needs.every(isDone));
}

export function freeTodo(facts: Facts): Todo | undefined {
  const free = freeTodos(facts);
  const rank = ({ status, priority }: Todo) =>
    (status === "in_progress" ? 0 : 10) + ["high", "medium", "low"].indexOf(priority);
  return free.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Why a finished list may not be called done. */
export function doubts(facts: Facts): readonly string[] {
  const isGone = (id: string) => (facts.todos.find((todo) => todo.id === id)?.status ?? "abandoned") === "abandoned";
  const found = [...facts.abandonedByModel].filter(isGone).map((id) => `${id} was abandoned by the agent`);
  const isSuspect = (owner: string) =>
    [...facts.receipts.values()].some((receipt) => receipt.owner === owner && receipt.suspect);
  if (isSuspect("run")) found.push("the run's check is suspect");
  if (lacksList(facts) && facts.seesCalls && facts.activity === 0) found.push("no work was seen");
  if (facts.workflowGivenUp) found.push("the agent gave the workflow up");
  if (facts.seesCalls) for (const place of facts.idlePhases) found.push(`${place} saw no work`);
  for (const { id, status } of facts.todos) {
    if (status !== "completed" || facts.completedByHuman.has(id)) continue;
    if (isSuspect(id)) found.push(`${id} is suspect`);
    if (facts.seesCalls && facts.completedUnseen.has(id)) found.push(`${id} saw no work`);
  }
  return found;
}

/** Every required check has a receipt that passed on the workspace as it is, and something speaks for every todo. */
export function isProven(facts: Facts): boolean {
  const passed = (owner: string, line: string) => {
    const receipt = facts.receipts.get(`${owner} ${line}`);
    return receipt?.status === "passed" && (receipt.workspace ?? facts.workspace) === facts.workspace;
  };
  const todos = facts.todos.filter(({ id, status }) => status === "completed" && !facts.completedByHuman.has(id));
  const isPassed = ({ id, checks }: Todo) => checks.filter(({ run }) => passed(id, lineOf(run)));
  const mustPass = ({ checks }: Todo) => checks.filter(({ by, allowed }) => by !== "model" || allowed);
  const ownPassed = todos.every((todo) => mustPass(todo).every((check) => isPassed(todo).includes(check)));
  if (facts.checks.length > 0) return ownPassed && facts.checks.every((line) => passed("run", line));
  const completed = facts.todos.filter(({ status }) => status === "completed");
  return ownPassed && completed.length > 0 && completed.every((todo) => isPassed(todo).length > 0);
}

export function spentBudget({ budget, spent }: Facts): string | undefined {
  const used = {
    tokens: spent.tokens,
    cost: spent.cost,
    minutes: spent.activeMs / 60_000,
    continuations: spent.continuations,
  };
  return (Object.keys(used) as (keyof typeof used)[]).find(
    (name) => used[name] >= (budget[name] ?? Number.POSITIVE_INFINITY),
  );
}

const openTodos = ({ todos }: Facts): readonly Todo[] =>
  todos.filter(({ status }) => status !== "completed" && status !== "abandoned");

function isUncovered({ requirements, todos }: Facts): boolean {
  const covered = todos.filter(({ status }) => status !== "abandoned").flatMap(({ covers }) => covers);
  return requirements.some((id) => !covered.includes(id));
}
