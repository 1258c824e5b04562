/**
 * What could not be recorded: a turn that cannot be written down cannot be braked, counted or proven either. `giveUp` is called at every
 * failure from the third in a row on: one lock that was held too long ends nothing.
 */
export function createWrites(giveUp: (why: string) => void) {
  let failures: readonly string[] = [];
  /** `lost`: why the last write failed; undefined as soon as something was written again. */
  return { attempt, lost: () => failures.at(-1) };

  /** Carries out one write; `isWritten` says whether something reached the disk. */
  function attempt<T>(write: () => T, isWritten: (written: T) => boolean): T {
    try {
      const written = write();
      // A read succeeds on a full disk as well: it shows nothing.
      if (isWritten(written)) failures = [];
      return written;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      failures = [...failures.slice(1 - GIVE_UP_AFTER), why];
      if (failures.length === GIVE_UP_AFTER) giveUp(why);
      throw error;
    }
  }
}

export type Writes = ReturnType<typeof createWrites>;

const GIVE_UP_AFTER = 3;
