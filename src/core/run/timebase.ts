import type { Boundary, Ledger, Millis, Turn } from "./run.ts";

/**
 * How the time of day stands to the clock of the machine, which is never set and stands still while the machine sleeps: `zero` is the
 * time of day at which it began to count. While the time is not set and the machine does not sleep it stays what it is, whichever process looks.
 */
export interface Timebase {
  /** The clock that is meant: another start of the machine has another one. */
  readonly boot: string;
  readonly zero: Millis;
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
