import { isUnderWay, mayBeEndedByYou, type Run, readFailure } from "../core/run/index.ts";
import type { Past } from "./happening.ts";
import type { Respondent, Spoken } from "./respond.ts";

// Turns that end without a stop: a failure, an abort, a host that is gone.

/** A compaction that fails has no hook: whatever the agent does next, the host is not at it any more. */
export async function compacted(run: Run | undefined, { engine, session }: Respondent): Promise<void> {
  if (run?.ledger.compacting) await engine.tell(session, { type: "compaction.ended" });
}

/** The host runs its stop hook whenever the agent settles; a turn without one was cut off by you, or by a failure. */
export const wasCut = ({ ledger, plan }: Run): boolean =>
  isUnderWay(ledger) && (ledger.turn !== undefined || ledger.nudge !== undefined || plan.todos.length > 0);

/** Unlike that: a supervisor's run is written before its host begins, and a host that it starts again has its nudge before it. */
export const isInTurn = (run: Run): boolean =>
  run.ledger.turn !== undefined || (wasCut(run) && run.ledger.nudge === undefined && run.ledger.launch === undefined);

export async function failed(
  { said, turn }: Spoken & { type: "failed" },
  live: Run | undefined,
  { engine, session, now }: Respondent,
): Promise<void> {
  // The id of a prompt names its first turn only; a turn that we sent has none.
  const isNamed = turn !== undefined && live?.ledger.turn !== undefined;
  const failure = readFailure(said, now());
  await engine.tell(session, { type: "turn.ended", outcome: "failed", failure, ...(isNamed && { turn }) });
}

/** What was written down may be about the turn before the one that runs now. */
export async function aborted(
  { at = Number.POSITIVE_INFINITY, failure }: Spoken & { type: "aborted" },
  live: Run,
  respondent: Respondent,
): Promise<void> {
  if (wasCut(live) && (live.ledger.turn?.startedAt ?? 0) <= at) await abort(respondent, failure);
}

export async function abort(respondent: Respondent, failure?: string): Promise<void> {
  const { engine, session, now } = respondent;
  await compacted(engine.run(session), respondent);
  await engine.tell(session, { type: "turn.ended", ...endOf({ failure }, now()) });
}

/** How the turn before this prompt ended was not told. A host that is still the same one was interrupted, unless it says otherwise. */
export async function overBefore(past: Past, { ledger }: Run, respondent: Respondent): Promise<void> {
  const { engine, session, now } = respondent;
  if (past.how === "failed")
    await engine.tell(session, { type: "turn.ended", ...endOf({ failure: past.failure }, now()) });
  else if (past.how === "interrupted" || (past.how === "unknown" && !ledger.left)) await abort(respondent);
  else if (!ledger.left) await engine.tell(session, { type: "host.left" }); // the turn that begins now ends it
}

export async function sessionEnded(
  { limit, failure }: Spoken & { type: "session.ended" },
  live: Run,
  { engine, session, now, isSupervised }: Respondent,
): Promise<void> {
  const isTold = limit !== undefined || failure !== undefined;
  if (wasCut(live) && (isTold || mayBeEndedByYou(live.ledger, isSupervised)))
    await engine.tell(session, { type: "turn.ended", ...endOf({ limit, failure }, now()) });
}

/** What the host's last hooks said meanwhile is better than what we found out. */
export async function hostLeft(
  { isGone, wasInterrupted }: Spoken & { type: "host.left" },
  live: Run,
  respondent: Respondent,
): Promise<void> {
  const { engine, session, isSupervised } = respondent;
  if (!wasCut(live) || !isGone()) return;
  engine.look(session);
  const now = engine.run(session);
  if (now?.status !== "live" || !wasCut(now)) return;
  await compacted(now, respondent);
  // One that ended while it compacted its context could not make it smaller, and gave up.
  const isYours = !now.ledger.compacting && mayBeEndedByYou(now.ledger, isSupervised) && wasInterrupted();
  await engine.tell(session, isYours ? { type: "turn.ended", outcome: "aborted" } : { type: "host.left" });
}

function endOf({ limit, failure }: { limit?: string | undefined; failure?: string | undefined }, now: number) {
  if (failure !== undefined) return { outcome: "failed", failure: readFailure({ message: failure }, now) } as const;
  if (limit === undefined) return { outcome: "aborted" } as const;
  return { outcome: "failed", failure: { kind: "host_limit", message: limit } } as const;
}
