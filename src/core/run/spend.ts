import { countedTokens } from "./budget.ts";
import { addUsage, type Usage } from "./event.ts";
import type { Ledger, Millis, Turn } from "./run.ts";

export const withUsage = (spent: Ledger["spent"], usage: Usage): Ledger["spent"] => ({
  ...spent,
  ...addUsage(spent, usage),
});

export function charged(
  ledgers: Ledger["todoLedgers"],
  id: string,
  { usage, activeMs }: { readonly usage: Usage; readonly activeMs: Millis },
  turn: Turn | undefined,
): Ledger["todoLedgers"] {
  const entry = ledgers[id];
  if (!entry) return ledgers;
  return {
    ...ledgers,
    [id]: {
      ...entry,
      tokens: entry.tokens + countedTokens(usage),
      cost: entry.cost + usage.cost,
      activeMs: entry.activeMs + activeMs,
      continuations: entry.continuations + (turn?.cause === "nudge" ? 1 : 0),
    },
  };
}
