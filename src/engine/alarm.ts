import type { Clock, Timer } from "./ports.ts";

/** What it rings for: the end of a wait at a boundary, or the moment at which a turn has to end. */
export interface Rung {
  readonly of: "boundary" | "turn";
  readonly id: string;
}

/**
 * One timer at a time: setting it for another time or another thing replaces it. `ring` says whether it could be told; what could not is
 * tried again soon.
 */
export function createAlarm(clock: Clock, ring: (rung: Rung) => boolean) {
  let armed: { readonly at: number; readonly rung: Rung; readonly timer: Timer } | undefined;
  return { set, drop, look };

  function set(rung: Rung, at: number): void {
    if (armed?.at === at && armed.rung.of === rung.of && armed.rung.id === rung.id) return;
    drop();
    const timer = clock.setTimer(at, () => fire(rung));
    armed = { at, rung, timer };
  }

  function fire(rung: Rung): void {
    armed = undefined;
    if (!ring(rung)) set(rung, clock.now() + TRY_AGAIN_MS);
  }

  /** Rings if the time of day has come although the timer has not: the machine slept, or the time was set. */
  function look(): void {
    if (!armed || clock.now() < armed.at) return;
    const { rung, timer } = armed;
    timer.cancel();
    fire(rung);
  }

  function drop(): void {
    armed?.timer.cancel();
    armed = undefined;
  }
}

const TRY_AGAIN_MS = 5_000;
