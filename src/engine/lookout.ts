import type { Clock, Timer } from "./ports.ts";

/** Five times a second: words of the user from other processes are seen within 250 ms. */
const LOOK_EVERY_MS = 200;

/** Looks again and again while it is wanted; asked after every look. */
export function createLookout(clock: Clock, look: () => void, isWanted: () => boolean) {
  let next: Timer | undefined;
  return { keepOn, drop };

  function keepOn(): void {
    if (!isWanted()) drop();
    else
      next ??= clock.setTimer(clock.now() + LOOK_EVERY_MS, () => {
        next = undefined;
        look();
        keepOn();
      });
  }

  function drop(): void {
    next?.cancel();
    next = undefined;
  }
}
