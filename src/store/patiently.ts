import { isBusy } from "./store-error.ts";

/** How long SQLite itself waits for a lock before it says "busy", in milliseconds. */
export const BUSY_MS = 20;
/** For locks that it does not wait for at all, such as that of a process which recovers the file. */
const PAUSE_MS = 5;
const ATTEMPTS = 400;
const SHORT_ATTEMPTS = 150;

export type Patiently = <T>(attempt: () => T) => T;

/**
 * Asks again for a lock that SQLite gave up on. It looks whether the lock is free at ever longer intervals, so that one long
 * wait starves beside busy writers where many short ones get their turn. After ten seconds waiting longer does not help.
 */
export const patiently: Patiently = (attempt) => withPatience({ left: ATTEMPTS }, attempt);

/** The same, four seconds long for all that is asked together: you wait for the answer. */
export function patientlyOverall(): Patiently {
  const patience = { left: SHORT_ATTEMPTS };
  return (attempt) => withPatience(patience, attempt);
}

function withPatience<T>(patience: { left: number }, attempt: () => T): T {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      patience.left--;
      if (patience.left <= 0) throw error;
      pause(PAUSE_MS);
    }
  }
}

/** The whole thread waits, as it does inside SQLite. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
