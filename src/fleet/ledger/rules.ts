import type { FleetState } from "../ports.ts";

/** So many drivers may die without a new checkpoint; the run is then believed to kill them. */
export const MOST_DEATHS = 3;
export const poisonedText = (): string => `${MOST_DEATHS} workers died on it without reaching a checkpoint`;

/** No worker will drive it again. */
export const OVER: readonly FleetState[] = ["finished", "poisoned", "cancelled"];

/** A run that has its turn is claimed by then: its process starts and asks. */
export const TURN_MS = 10_000;
