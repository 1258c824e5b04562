import type { Clock } from "../engine/index.ts";

/** Longer timers than this fire at once in Node; they are set again on the way. */
const LONGEST_MS = 2 ** 31 - 1;

/** Real time. Timers keep no process alive: whoever waits for what they bring stays awake for it. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    setTimer(at, fire) {
      let handle: NodeJS.Timeout;
      const arm = () => {
        const left = at - Date.now();
        // A timer may fire a little early, and the machine may have slept: look again before calling back.
        handle = setTimeout(() => (at > Date.now() ? arm() : fire()), Math.min(Math.max(0, left), LONGEST_MS));
        handle.unref();
      };
      arm();
      return { cancel: () => clearTimeout(handle) };
    },
  };
}
