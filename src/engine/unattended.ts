import type { Clock, Timer } from "./ports.ts";

/** For work that no caller waits for: an error of ours is shown and ends here, so that it never traps the host. */
export function createUnattended(clock: Clock, say: (text: string) => void) {
  const owed = new Set<Timer>();
  return { run, insist, show, drop };

  /** Its result; undefined: it failed. */
  function run<T>(act: () => T): { readonly value: T } | undefined {
    try {
      return { value: act() };
    } catch (error) {
      show(error);
      return undefined;
    }
  }

  /** Tried again until it is done: without what became of an intent its boundary would never continue. */
  function insist<T>(act: () => T): T | undefined {
    const done = run(act);
    if (done) return done.value;
    const again = clock.setTimer(clock.now() + TRY_AGAIN_MS, () => {
      owed.delete(again);
      insist(act);
    });
    owed.add(again);
    return undefined;
  }

  function show(error: unknown): void {
    say(`tildone could not record what happened: ${error instanceof Error ? error.message : String(error)}`);
  }

  /** Gives up what is still to be tried again. */
  function drop(): void {
    for (const again of owed) again.cancel();
    owed.clear();
  }
}

export type Unattended = ReturnType<typeof createUnattended>;

const TRY_AGAIN_MS = 5_000;
