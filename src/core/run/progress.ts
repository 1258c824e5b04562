import type { TodoId } from "../todo/index.ts";
import { advanced } from "./pace.ts";
import type { Ledger } from "./run.ts";

/** What the model adds after its first list counts only so often: a list that feeds itself must end. */
const ADDED_PROGRESS = 20;

/** Something was done for the first time: the counters of "no progress" begin anew. */
export function progressed(ledger: Ledger): Ledger {
  return {
    ...ledger,
    since: { nudged: 0, idle: 0, still: 0 },
    ...(ledger.turn && { turn: { ...ledger.turn, progressed: true, pace: advanced(ledger.turn.pace) } }),
  };
}

/** The same with a todo, which may be one that the model added after its first list. */
export function progressedWith(ledger: Ledger, id: TodoId): Ledger {
  if (!ledger.todoLedgers[id]?.added) return progressed(ledger);
  const next = ledger.addedProgress < ADDED_PROGRESS ? progressed(ledger) : ledger;
  return { ...next, addedProgress: ledger.addedProgress + 1 };
}

/** The agent works again in the turn that began with the user's words: the interrupt is over. */
export function takenUp(ledger: Ledger): Ledger {
  if (!ledger.interrupt?.turn || ledger.interrupt.turn !== ledger.turn?.id) return ledger;
  const { interrupt: _over, ...rest } = ledger;
  return rest;
}
