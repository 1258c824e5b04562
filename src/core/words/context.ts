import { DEFAULTS, next } from "../continuation/index.ts";
import type { Run } from "../run/index.ts";
import { openTodos, plainLine, type Todo } from "../todo/index.ts";
import { listOf } from "../view/index.ts";
import { cutCallsText } from "./cut-call.ts";
import { boundedList, countLine, type ListBounds, whatIsNext } from "./quote.ts";

/** What the agent is told about the list when a prompt begins: as much as it does not know; nothing while nothing is open. */
export function contextText(run: Run, bounds: ListBounds = DEFAULTS.listInNudge): string {
  if (!run.ledger.listKnown) return wholeContext(run, bounds);
  const { todos } = listOf(run);
  return telling(run, whatIsNext(todos, bounds));
}

/** All that is open and how to work with it, for an agent that remembers nothing. */
export function wholeContext(run: Run, bounds: ListBounds = DEFAULTS.listInNudge): string {
  const { todos } = listOf(run);
  return telling(run, boundedList(openTodos(todos), todos, bounds), HOW);
}

function telling(run: Run, ...told: readonly string[]): string {
  if (openTodos(run.plan.todos).length === 0) return "";
  const lines = [`[tildone] Todos: ${countLine(listOf(run).count)}.`, ...told, cutCallsText(run.ledger.cutCalls)];
  return lines.filter((line) => line !== "").join("\n");
}

/** The same as a change since `before`, where the host keeps what it was told: nothing if the list stands as it stood. */
export function contextChange(run: Run, before: readonly Todo[], bounds: ListBounds = DEFAULTS.listInNudge): string {
  const { todos, count } = listOf(run);
  const old = new Map(before.map((todo, index) => [todo.id, plainLine(todo, index)]));
  const changed = todos.filter((todo, index) => old.get(todo.id) !== plainLine(run.plan.todos[index]!, index));
  const gone = before.length - before.filter(({ id }) => todos.some((todo) => todo.id === id)).length;
  if (changed.length === 0 && gone === 0) return "";
  const heading = `[tildone] The list changed: ${countLine(count)}.`;
  const lines = [heading, boundedList(changed, todos, bounds), gone > 0 ? `(${gone} removed)` : ""];
  return lines.filter((line) => line !== "").join("\n");
}

const HOW = "Start a todo before working on it, complete it when it is done, block it with a reason if it is stuck.";

export const hasOpenWork = (run: Run): boolean => run.status === "live" && next(run).status !== "none";
