import type { PlanItem } from "../core/plan/index.ts";
import type { Trigger } from "../core/react/index.ts";

/** The boxes of a plan file, and todos given one by one. */
export const listOf = (plan: readonly PlanItem[], todos: readonly string[]): readonly PlanItem[] => [
  ...plan,
  ...todos.map((text) => ({ text, needs: [], status: "open" as const })),
];

/**
 * Your list is written before the agent hears of it, in one step with the birth of the run and with what was done before: whenever
 * the process dies, there is no run without it. A run that is continued gets it at the end.
 */
export const writtenByPlan = (list: readonly PlanItem[]): Trigger => ({
  type: "todos.write",
  by: "plan",
  standing: list.map(({ status }) => status),
  write: { mode: "append", todos: list.map(({ text, needs }) => ({ text, needs })) },
});
