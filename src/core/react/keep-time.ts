import type { Draft } from "./draft.ts";

/** Less than this is a clock that is corrected now and then, and no reason for an event. */
const TOLERANCE_MS = 2_000;

/**
 * Everything that the run measures is measured from a time of day to a time of day. When the time was set, or the machine slept, what
 * it measures from is moved along, so that only time that passed counts. After a new start of the machine the time of day is all there is.
 */
export function keepTime(draft: Draft): void {
  const { timebase } = draft.context;
  const known = draft.run.ledger.timebase;
  if (timebase === undefined) return;
  const by = known?.boot === timebase.boot ? timebase.zero - known.zero : undefined;
  if (by !== undefined && Math.abs(by) < TOLERANCE_MS) return;
  draft.add("engine", { type: "clock.moved", by: by ?? 0, timebase });
}
