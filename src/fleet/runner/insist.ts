import { setTimeout as sleep } from "node:timers/promises";
import { isOutage } from "../ledger/index.ts";

export interface Patience {
  /** Something passes by itself: said once when it begins. */
  readonly onAway?: (error: unknown) => void;
  /** It passed: said once, if `onAway` was. */
  readonly onBack?: () => void;
  readonly isOver?: () => boolean;
  readonly isPassing?: (error: unknown) => boolean;
  readonly wait?: (ms: number) => Promise<void>;
}

/** Asks again until it is answered: an outage pauses a run, and loses nothing. */
export async function insist<T>(
  act: () => Promise<T>,
  { onAway, onBack, isOver, isPassing = isOutage, wait = sleep }: Patience = {},
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      const answer = await act();
      if (tries > 0) onBack?.();
      return answer;
    } catch (error) {
      if (!isPassing(error) || isOver?.()) throw error;
      if (tries === 0) onAway?.(error);
      await wait(Math.min(2_000, 100 * 2 ** Math.min(tries, 5)));
    }
  }
}
