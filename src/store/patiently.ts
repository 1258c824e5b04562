import { isBusy } from "./store-error.ts";

/** How long SQLite itself waits for a lock before it says "busy", in milliseconds. */
export const BUSY_MS = 20;
const ATTEMPTS = 500;

/**
 * Asks again for a lock that SQLite gave up on. It looks whether the lock is free at ever longer intervals, so that one long
 * wait starves beside busy writers where many short ones get their turn. Whoever waited for ten seconds waits in vain.
 */
export function patiently<T>(attempt: () => T): T {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return attempt();
    } catch (error) {
      if (left === 1 || !isBusy(error)) throw error;
    }
  }
}
