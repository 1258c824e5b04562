/** What could not be recorded: a turn that nobody can write down cannot be braked, counted or proven either. */
export interface Writes {
  /** Carries out one write; `isWritten` says whether something reached the disk. */
  readonly attempt: <T>(write: () => T, isWritten: (written: T) => boolean) => T;
  /** Why the last write failed; undefined as soon as something was written again. */
  readonly lost: () => string | undefined;
}

/** `giveUp` is called at every failure from the third in a row on: one lock that was held too long ends nothing. */
export function createWrites(giveUp: (why: string) => void): Writes {
  let failures = 0;
  let why: string | undefined;
  return { attempt, lost: () => why };

  function attempt<T>(write: () => T, isWritten: (written: T) => boolean): T {
    try {
      const written = write();
      // A read succeeds on a full disk as well: it shows nothing.
      if (isWritten(written)) {
        failures = 0;
        why = undefined;
      }
      return written;
    } catch (error) {
      failures++;
      why = error instanceof Error ? error.message : String(error);
      if (failures >= GIVE_UP_AFTER) giveUp(why);
      throw error;
    }
  }
}

const GIVE_UP_AFTER = 3;
