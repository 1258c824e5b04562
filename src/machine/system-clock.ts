import { bootOf } from "./this-machine.ts";

/** Longer timers than this fire at once in Node; they are set again on the way. */
const LONGEST_MS = 2 ** 31 - 1;

/** Time as it passes on this machine. */
export interface SystemClock {
  now(): number;
  /** How the time of day stands to the clock that cannot be set. */
  timebase(): { readonly boot: string; readonly zero: number };
  /** Waits as long as it is until `at` now, whatever happens to the time of day meanwhile. */
  setTimer(at: number, fire: () => void): { cancel(): void };
}

/** Real time. Timers keep no process alive: code that waits for what they bring stays awake for it. */
export function systemClock(): SystemClock {
  const boot = machineClock();
  return {
    now: () => Date.now(),
    timebase: () => ({ boot: boot.name, zero: Math.round(Date.now() - boot.read()) }),
    setTimer: (at, fire) => setTimer(at - Date.now(), fire),
  };
}

/** For what only measures: it shows the time of day at which its process began, and what has passed since. */
export function steadyClock(): Pick<SystemClock, "now" | "setTimer"> {
  const began = Date.now() - passed();
  const now = (): number => began + passed();
  return { now, setTimer: (at, fire) => setTimer(at - now(), fire) };
}

/** Milliseconds on a clock that cannot be set. Not `performance`, which loads a dozen modules into every hook that asks it. */
const passed = (): number => Number(process.hrtime.bigint()) / 1e6;

function setTimer(wait: number, fire: () => void): { cancel(): void } {
  let handle: NodeJS.Timeout;
  const due = passed() + Math.max(0, wait);
  const arm = (): void => {
    const left = Math.max(0, due - passed());
    // A timer may fire a little early: look again before calling back.
    handle = setTimeout(() => (due <= passed() ? fire() : arm()), Math.min(left, LONGEST_MS));
    handle.unref();
  };
  arm();
  return { cancel: () => clearTimeout(handle) };
}

/** On Linux Node counts from the start of the machine, in every process alike; elsewhere each process has a clock of its own. */
function machineClock(): { readonly name: string; readonly read: () => number } {
  const boot = process.versions.bun ? "" : bootOf();
  if (boot !== "") return { name: boot, read: () => Number(process.hrtime.bigint() / 1_000_000n) };
  return { name: `process ${process.pid}.${Math.round(performance.timeOrigin)}`, read: () => performance.now() };
}
