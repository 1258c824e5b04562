import type { Clock, Timer } from "./ports.ts";

/** For what nobody waits for: an error of ours is shown and ends here, so that it never traps the host. */
export interface Unattended {
  /** Whether it was done. */
  readonly run: (act: () => unknown) => boolean;
  /** Tried again until it is done: without what became of an intent its boundary would never go on. */
  readonly insist: (act: () => unknown) => void;
  /** Something the host does for us; whether it did is told when it is known. */
  readonly attempt: (act: () => Promise<void>, then: () => unknown, otherwise: (message: string) => unknown) => void;
  /** Gives up what is still to be tried again. */
  readonly drop: () => void;
}

export function createUnattended(clock: Clock, show: (text: string) => void): Unattended {
  const owed = new Set<Timer>();
  return { run, insist, attempt, drop };

  function run(act: () => unknown): boolean {
    try {
      act();
      return true;
    } catch (error) {
      show(`tildone could not record what happened: ${messageOf(error)}`);
      return false;
    }
  }

  function insist(act: () => unknown): void {
    if (run(act)) return;
    const again = clock.setTimer(clock.now() + TRY_AGAIN_MS, () => {
      owed.delete(again);
      insist(act);
    });
    owed.add(again);
  }

  function attempt(act: () => Promise<void>, then: () => unknown, otherwise: (message: string) => unknown): void {
    new Promise<void>((resolve) => resolve(act())).then(
      () => insist(then),
      (error: unknown) => insist(() => otherwise(messageOf(error))),
    );
  }

  function drop(): void {
    for (const again of owed) again.cancel();
    owed.clear();
  }
}

const TRY_AGAIN_MS = 5_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
