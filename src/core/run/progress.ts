import type { Ledger } from "./run.ts";

/** Something was done for the first time: the counters of "no progress" begin anew. */
export function progressed(ledger: Ledger): Ledger {
  return {
    ...ledger,
    since: { nudged: 0, idle: 0, still: 0 },
    ...(ledger.turn && { turn: { ...ledger.turn, progressed: true } }),
  };
}
