import type { Log, RunCard } from "../engine/index.ts";

/**
 * Runs that are worked on elsewhere, as they are known here. Their files are not here. A method that cannot reach them rejects with an
 * error for which `isAway` holds: its message says what to do.
 */
export interface Elsewhere {
  /** Where each stands, by a name that changes when it moves. */
  positions(): Promise<ReadonlyMap<string, string>>;
  /** As of the last look. */
  card(run: string): RunCard | undefined;
  /** The log of one, up to now. What is written there reaches no one. */
  log(run: string): Promise<Log>;
  /** Ends one for good; false: it was over already. */
  cancel(run: string): Promise<boolean>;
  isAway(error: unknown): error is Error;
}
