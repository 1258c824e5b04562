import type { Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
import type { Check } from "../core/todo/index.ts";
import type { GuardRequest, WorkPlace } from "./ports.ts";

/** Triggers after which something counts that a check will judge: what the check relies on is fingerprinted before. */
export function guardRequest(
  trigger: Trigger,
  run: Run,
  place: WorkPlace,
  runChecks: readonly Check[],
): GuardRequest | undefined {
  if (!isGuarded(trigger)) return undefined;
  const { plan, ledger } = run;
  const checks = [...runChecks, ...plan.todos.flatMap((todo) => todo.checks), ...proposed(trigger)];
  const hasPhases = trigger.type === "workflow.start" || plan.workflow !== undefined;
  if (checks.length === 0 && !hasPhases) return undefined;
  return { ...place, checks, ...(ledger.guard !== undefined && { before: ledger.guard }) };
}

const isGuarded = (trigger: Trigger): boolean =>
  trigger.type === "goal.set" ||
  trigger.type === "todos.write" ||
  trigger.type === "todos.mirror" ||
  (trigger.type === "todos.edit" && (trigger.edit.action === "start" || trigger.edit.start !== undefined)) ||
  trigger.type === "workflow.start" ||
  (trigger.type === "workflow.step" && trigger.action !== "status");

function proposed(trigger: Trigger): readonly Check[] {
  if (trigger.type !== "todos.write") return [];
  return trigger.write.todos.flatMap(({ check }) => (check === undefined ? [] : [{ run: check, by: "model" }]));
}
