import type { Clock, Timer } from "./ports.ts";

/** One timer at a time: setting it for another time or another boundary replaces it. */
export interface Alarm {
  set(boundary: string, at: number): void;
  drop(): void;
}

/** `ring` says whether it could be told; what could not is tried again soon. */
export function createAlarm(clock: Clock, ring: (boundary: string) => boolean): Alarm {
  let armed: { readonly at: number; readonly boundary: string; readonly timer: Timer } | undefined;
  return { set, drop };

  function set(boundary: string, at: number): void {
    if (armed?.at === at && armed.boundary === boundary) return;
    drop();
    const timer = clock.setTimer(at, () => {
      armed = undefined;
      if (!ring(boundary)) set(boundary, clock.now() + TRY_AGAIN_MS);
    });
    armed = { at, boundary, timer };
  }

  function drop(): void {
    armed?.timer.cancel();
    armed = undefined;
  }
}

const TRY_AGAIN_MS = 5_000;
