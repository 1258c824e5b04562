import type { Clock, Timer } from "../../engine/index.ts";

/** How soon what could not be read is read again: 5 s, then twice as long each time. */
const READ_AGAIN_MS = 5_000;
const READ_TRIES = 5;

type State = { readonly status: "calm" } | { readonly status: "again"; readonly tries: number; readonly timer: Timer };

/**
 * Reading a session that may not be readable, across an await in which something may happen.
 *
 *     calm --unreadable--> again, later and later --readable, or something happened--> calm
 */
export function createReading(clock: Clock, read: () => void) {
  let state: State = { status: "calm" };
  let happened = 0;

  return { begins, readable, unreadable, overtaken };

  /** Says later whether something happened since. */
  function begins(): () => boolean {
    const before = happened;
    return () => happened !== before;
  }

  function readable(): void {
    state = { status: "calm" };
  }

  /** Whether it is read again. */
  function unreadable(): boolean {
    const tries = state.status === "again" ? state.tries + 1 : 1;
    if (tries > READ_TRIES) {
      readable();
      return false;
    }
    const timer = clock.setTimer(clock.now() + READ_AGAIN_MS * 2 ** (tries - 1), read);
    state = { status: "again", tries, timer };
    return true;
  }

  /** The session works or got a message: what was read before is old. */
  function overtaken(): void {
    happened++;
    if (state.status === "again") state.timer.cancel();
  }
}
