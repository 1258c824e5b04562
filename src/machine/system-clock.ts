/** Longer timers than this fire at once in Node; they are set again on the way. */
const LONGEST_MS = 2 ** 31 - 1;

/** Time as it passes on this machine. */
export interface SystemClock {
  now(): number;
  setTimer(at: number, fire: () => void): { cancel(): void };
}

/** Real time. Timers keep no process alive: whoever waits for what they bring stays awake for it. */
export function systemClock(): SystemClock {
  return {
    now: () => Date.now(),
    setTimer(at, fire) {
      let handle: NodeJS.Timeout;
      // The time of day may be set back meanwhile; nobody waits an hour longer for that.
      const latest = performance.now() + Math.max(0, at - Date.now());
      const arm = () => {
        const left = Math.min(at - Date.now(), latest - performance.now());
        // A timer may fire a little early, and the machine may have slept: look again before calling back.
        handle = setTimeout(() => (isDue() ? fire() : arm()), Math.min(Math.max(0, left), LONGEST_MS));
        handle.unref();
      };
      const isDue = () => at <= Date.now() || latest <= performance.now();
      arm();
      return { cancel: () => clearTimeout(handle) };
    },
  };
}
