import type { StopReason } from "../reason/index.ts";
import type { Ledger } from "./run.ts";

/** Totals; what is absent is not limited. Tokens are input, output and cache writes; cache reads are recorded, not counted. */
export interface Budget {
  readonly tokens?: number;
  readonly cost?: number;
  readonly minutes?: number;
  readonly continuations?: number;
}

const MINUTE = 60_000;

/** How much of each limited thing is used: what status bars and rule 12 read. */
export function budgetUse({ budget, spent }: Pick<Ledger, "budget" | "spent">): readonly BudgetUse[] {
  const used = {
    tokens: countedTokens(spent),
    cost: spent.cost,
    minutes: spent.activeMs / MINUTE,
    continuations: spent.continuations,
  };
  return BUDGETS.flatMap((name) => {
    const limit = budget[name];
    return limit === undefined ? [] : [{ name, used: used[name], limit }];
  });
}

export interface BudgetUse {
  readonly name: keyof Budget;
  readonly used: number;
  readonly limit: number;
}

export function budgetSpent(ledger: Pick<Ledger, "budget" | "spent">): StopReason | undefined {
  const over = budgetUse(ledger).find(({ used, limit }) => used >= limit);
  return over && `budget_${over.name}`;
}

export const countedTokens = (spent: { input: number; output: number; cacheWrite: number }): number =>
  spent.input + spent.output + spent.cacheWrite;

const BUDGETS = ["tokens", "cost", "minutes", "continuations"] as const satisfies readonly (keyof Budget)[];
