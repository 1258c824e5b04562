import { readFileSync } from "node:fs";
import type { Clock } from "../../engine/index.ts";

const EVERY_MS = 500;
/** So often in a row it slept and used no time of the processor. */
const LOOKS = 6;

/**
 * Tells when a process does nothing at all: a repository may hold a pipe where git expects a file, and git would wait for
 * a writer. One that reads a slow disk is not asleep. One that ended, and whose end was not reported to us, does nothing either.
 * Where there is no /proc, `onStuck` is never called.
 */
export function watchProcess(clock: Clock, pid: number | undefined, onStuck: () => void): () => void {
  if (pid === undefined || process.platform !== "linux") return () => {};
  let before: string | undefined;
  let quiet = 0;
  let timer = clock.setTimer(clock.now() + EVERY_MS, look);
  return () => timer.cancel();

  function look(): void {
    const now = restOf(pid!);
    quiet = now !== undefined && now === before ? quiet + 1 : 0;
    before = now;
    if (quiet >= LOOKS) onStuck();
    else timer = clock.setTimer(clock.now() + EVERY_MS, look);
  }
}

/** The processor time used so far, of a process that sleeps or is gone; undefined for one that runs or waits for a disk. */
function restOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "S" || state === "Z" ? `${fields[10]} ${fields[11]}` : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return "gone";
  }
}
