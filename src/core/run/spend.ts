import { countedTokens } from "./budget.ts";
import type { Usage } from "./event.ts";
import type { Ledger, Millis, Turn } from "./run.ts";

export function withUsage(spent: Ledger["spent"], usage: Usage): Ledger["spent"] {
  return {
    ...spent,
    input: spent.input + usage.input,
    output: spent.output + usage.output,
    cacheRead: spent.cacheRead + usage.cacheRead,
    cacheWrite: spent.cacheWrite + usage.cacheWrite,
    cost: spent.cost + usage.cost,
  };
}

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
