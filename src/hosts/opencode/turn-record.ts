import { createTurnFailures } from "./turn-failures.ts";
import type { TurnOver } from "./turn-over.ts";
import { createTurnState } from "./turn-state.ts";
import { createUsageMeter } from "./usage-meter.ts";

/** The turn of a session, and what its end will say of it: its last words, what was refused, why it failed, what it used. */
export function createTurnRecord(newId: () => string, now: () => number) {
  const state = createTurnState(newId);
  const failures = createTurnFailures();
  const usage = createUsageMeter();

  return {
    id: state.id,
    begins: state.begins,
    goesOn: state.goesOn,
    asks: state.asks,
    refuses: state.refuses,
    /** The model said or did something; what it did has no words. */
    says(text: string): void {
      state.says(text);
      failures.hasRoom();
    },
    /** You speak: what went wrong or was refused before is behind. */
    spokenTo(): void {
      failures.forget();
      failures.hasRoom();
      state.asks();
    },
    failed: (error: unknown): void => failures.failed(error, now()),
    failureStored: (error: unknown): void => failures.stored(error, now()),
    compacted: failures.compacted,
    used: usage.saw,
    leave: (): TurnOver => ({ refusal: undefined, ...state.leave(), trouble: failures.take(), usage: usage.take() }),
    /** No answer so far is updated any more. */
    settled: usage.settled,
  };
}

export type TurnRecord = ReturnType<typeof createTurnRecord>;
