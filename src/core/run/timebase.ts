import type { Draft } from "./draft.ts";
import type { Boundary, Ledger, Millis, Turn } from "./run.ts";

/**
 * How the time of day stands to the clock of the machine, which is never set and stands still while the machine sleeps: `zero` is the
 * time of day at which it began to count. While nobody sets the time and nothing sleeps it stays what it is, whichever process looks.
 */
export interface Timebase {
  /** The clock that is meant: another start of the machine has another one. */
  readonly boot: string;
  readonly zero: Millis;
}

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

/** The same ledger as if everything in it had happened, or were to happen, so much later. What a provider named stays where it is. */
export function moveTime(ledger: Ledger, by: Millis, timebase: Timebase): Ledger {
  if (by === 0) return { ...ledger, timebase };
  const { turn, boundary, decision, recovering, compacting, verifying, unsent, background } = ledger;
  const isNamed =
    decision?.type === "wait" && decision.reason === "rate_limited" && boundary?.failure?.resetAt !== undefined;
  return {
    ...ledger,
    timebase,
    lastNudgeAt: later(ledger.lastNudgeAt, by),
    unsent: { ...unsent, at: later(unsent.at, by) },
    background: { ...background, until: later(background.until, by) },
    ...(recovering && { recovering: { until: recovering.until + by } }),
    ...(compacting && { compacting: { until: compacting.until + by } }),
    ...(verifying && { verifying: { ...verifying, until: verifying.until + by } }),
    ...(turn && { turn: moveTurn(turn, by) }),
    ...(boundary && { boundary: isNamed ? boundary : moveBoundary(boundary, by) }),
    ...(decision?.type === "wait" &&
      decision.until !== undefined &&
      !isNamed && { decision: { ...decision, until: decision.until + by } }),
  };
}

/** Zero is "never". */
const later = (at: Millis, by: Millis): Millis => (at === 0 ? 0 : at + by);

function moveTurn(turn: Turn, by: Millis): Turn {
  const { pace, braked } = turn;
  return {
    ...turn,
    startedAt: turn.startedAt + by,
    pace: {
      ...pace,
      heardAt: pace.heardAt + by,
      phaseSince: pace.phaseSince + by,
      countedUntil: pace.countedUntil + by,
    },
    ...(braked && { braked: { ...braked, at: braked.at + by } }),
  };
}

const moveBoundary = (boundary: Boundary, by: Millis): Boundary => ({
  ...boundary,
  at: boundary.at + by,
  ...(boundary.until !== undefined && { until: boundary.until + by }),
});
