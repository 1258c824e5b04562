import type { FleetRun } from "../ports.ts";

export interface Fleet {
  /** Workers whose heart beats. */
  readonly alive: ReadonlySet<string>;
  readonly self: string;
  /** Runs that this worker drives. */
  readonly driving: { has(run: string): boolean };
}

/** Runs that wait for a worker, or whose worker is gone; also where it came back under its name and does not drive them. */
export const adriftRuns = (runs: readonly FleetRun[], { alive, self, driving }: Fleet): readonly FleetRun[] =>
  runs.filter(({ run, state, driver = "" }) => {
    if (state === "queued" || !alive.has(driver)) return true;
    return driver === self && !driving.has(run);
  });
