/** For what nobody waits for: an error of ours is shown and ends here, so that it never traps the host. */
export interface Unattended {
  /** Whether it was done. */
  readonly run: (act: () => unknown) => boolean;
  /** Something the host does for us; whether it did is told when it is known. */
  readonly attempt: (act: () => Promise<void>, then: () => unknown, otherwise: (message: string) => unknown) => void;
}

export function createUnattended(show: (text: string) => void): Unattended {
  const run = (act: () => unknown): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      show(`tildone could not record what happened: ${messageOf(error)}`);
      return false;
    }
  };
  return {
    run,
    attempt: (act, then, otherwise) =>
      void new Promise<void>((resolve) => resolve(act())).then(
        () => run(then),
        (error: unknown) => run(() => otherwise(messageOf(error))),
      ),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
