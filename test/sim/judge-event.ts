import type { StopReason, WaitReason } from "../../src/core/reason/index.ts";
import type { Decision, Envelope } from "../../src/core/run/index.ts";
import type { Facts } from "./facts.ts";
import { allWaits, doubts, freeTodo, hasFreeWork, hasOpenWork, isProven, lacksList, spentBudget } from "./work.ts";

/** A broken promise: which one (the number is the invariant's in the design), and what broke it. */
export interface Violation {
  readonly invariant: string;
  readonly text: string;
}

/** Judges one event against the facts before it. `writer` is the driver's name of the process that appended it. */
export function judgeEvent(
  facts: Facts,
  { event, at, by }: Envelope,
  writer: string | undefined,
): Violation | undefined {
  if (OF_THE_DRIVER.has(event.type) && by !== "human" && facts.epoch > 0 && writer !== facts.driver)
    return broken("2 one driver", `${writer} wrote ${event.type}, but ${facts.driver} drives the run`);
  switch (event.type) {
    case "run.claimed":
      if (event.epoch !== facts.epoch + 1) return broken("2 one driver", `epoch ${event.epoch} after ${facts.epoch}`);
      return undefined;
    case "run.ended":
      if (event.reason !== "cleared" && facts.words.size > 0)
        return broken("11 words", `the run ended with ${facts.words.size} words of the human queued`);
      if (facts.ended !== undefined && by !== "human") return broken("7 one end", "the run ended twice");
      return undefined;
    case "nudge.intended":
      return judgeNudge(facts, event.boundary, event.kind, at);
    case "conversation.began":
      return judgeRenewal(facts);
    case "nudge.delivered":
      if (facts.nudge?.id !== event.nudge)
        return broken("2 one nudge", `${event.nudge} was delivered without an intent`);
      return undefined;
    case "decision.made":
      return judgeDecision(facts, event.boundary, event.decision as Decision, at);
    case "wait.parked":
      return event.waker === ""
        ? broken("4 waits end", `boundary ${event.boundary} is parked and no waker is named`)
        : undefined;
    case "round.began":
      if (facts.round) return broken("2 one round", `${event.round} began while ${facts.round.id} runs`);
      return undefined;
    case "round.ended":
      if (facts.round?.id !== event.round) return broken("6 proof", `a result of ${event.round}, which does not run`);
      return undefined;
    case "turn.resumed":
      if (facts.turn || facts.boundary?.ended?.turn.id !== event.of)
        return broken("2 one boundary", `turn ${event.of} goes on, which did not end last`);
      return undefined;
    case "turn.started":
      if (facts.turn?.id === event.turn) return broken("7 one turn", `turn ${event.turn} began twice`);
      if (facts.turnsEnded.has(event.turn))
        return broken("2 one boundary", `turn ${event.turn} ended, and began again`);
      return undefined;
  }
  return undefined;
}

export const broken = (invariant: string, text: string): Violation => ({ invariant, text });

/** What only the process that drives the run may write. */
const OF_THE_DRIVER: ReadonlySet<string> = new Set([
  "decision.made",
  "nudge.intended",
  "nudge.delivered",
  "nudge.failed",
  "round.began",
  "turn.started",
  "turn.ended",
  "turn.resumed",
  "run.ended",
  "conversation.began",
  "conversation.kept",
]);

/** Only the conversation is lost, and never while something of yours is about to be heard in it. */
function judgeRenewal(facts: Facts): Violation | undefined {
  if (!facts.turn) return broken("12 conversation", "a new conversation, and no turn runs");
  if (facts.held || facts.interrupted) return broken("12 conversation", "a new conversation in a run that stops");
  if (facts.words.size > 0) return broken("12 conversation", "a message of yours was meant for the one before");
  if (facts.questions.size + facts.approvals.size > 0) return broken("12 conversation", "something waits for you");
  if (facts.round) return broken("12 conversation", `${facts.round.id} runs`);
  if (facts.off || !facts.limits.enabled) return broken("12 conversation", "continuation is off");
  if (facts.limits.context.mode === "same") return broken("12 conversation", "new ones were not asked for");
  return hasOpenWork(facts) ? undefined : broken("12 conversation", "there is nothing to do");
}

function judgeNudge(facts: Facts, boundary: string, kind: string, at: number): Violation | undefined {
  const why = whyNotOn(facts, at);
  if (why) return why;
  if (facts.boundary?.id !== boundary || facts.turn)
    return broken("2 one nudge", `a nudge for ${boundary}, which is not where the run stands`);
  if (facts.boundary.status === "nudged") return broken("2 one nudge", `a second nudge for ${boundary}`);
  if (facts.boundary.parkedForHuman) return broken("1 the human's move", `${boundary} is left to the human`);
  const { decision, decidedAt } = facts.boundary;
  if (decision?.type !== "continue") return broken("4 decided first", "a nudge without a decision to continue");
  if (at < decidedAt + decision.after) return broken("2 one countdown", "a nudge before its countdown ended");
  const { minimumGapMs } = facts.limits;
  if (facts.lastNudgeAt !== undefined && at < facts.lastNudgeAt + minimumGapMs)
    return broken("2 minimum gap", `${at - facts.lastNudgeAt} ms after the last nudge, the gap is ${minimumGapMs}`);
  if (kind === "wind_down") return facts.woundDown ? broken("3 no progress", "a second turn to wind down") : undefined;
  if (spentBudget(facts)) return broken("3 budget", `the budget of ${spentBudget(facts)} is spent`);
  const stuck = noProgress(facts);
  return stuck ? broken("3 no progress", stuck) : undefined;
}

/** What forbids to continue, whichever rule would have to say so. */
function whyNotOn(facts: Facts, now: number): Violation | undefined {
  const { boundary, limits } = facts;
  if (facts.ended !== undefined) return broken("1 the run is over", facts.ended);
  if (facts.off || !limits.enabled) return broken("1 switched off", "continuation is off");
  if (facts.held) return broken("1 held", "the human holds the run");
  if (facts.interrupted) return broken("1 interrupted", "the human interrupted and nothing was taken up since");
  if ([...facts.words.values()].includes("steer")) return broken("11 words", "the human's words are queued");
  if (facts.questions.size > 0) return broken("1 question", "a question is open");
  if (facts.approvals.size > 0) return broken("1 approval", "an approval is pending");
  if (now < facts.recoveringUntil) return broken("4 recovering", "the host recovers");
  if (now < facts.compactingUntil) return broken("4 compacting", "the host compacts");
  if (now < (boundary?.busyUntil ?? 0)) return broken("4 busy", "the session is busy");
  if (facts.round && now < facts.round.until) return broken("4 verifying", `${facts.round.id} runs`);
  if (isAwaited(facts, now)) return broken("4 background", "work in the background");
  if (facts.readOnly) return broken("1 read-only", "the host is in read-only mode");
  if (!hasOpenWork(facts)) return broken("6 nothing open", "there is nothing to do");
  if (!hasFreeWork(facts)) return broken("4 nothing free", "no open item is free");
  if (freeTodo(facts)?.askFirst) return broken("1 release", "the next item waits for the human's release");
  const failure = boundary?.failure;
  if (failure && failure !== "overload" && failure !== "host" && failure !== "rate_limit")
    return broken("3 failures", `the turn failed: ${failure}`);
  if ((failure === "overload" || failure === "host") && facts.failures > limits.backoffTries)
    return broken("3 failures", `${facts.failures} failures in a row, ${limits.backoffTries} are allowed`);
  return undefined;
}

function noProgress({ idle, still, nudged, limits }: Facts): string | undefined {
  if (idle >= limits.idleTurns) return `${idle} turns without activity`;
  if (still >= limits.stillTurns) return `${still} turns without a new workspace state`;
  return nudged >= limits.nudgedTurns ? `${nudged} turns since progress` : undefined;
}

function judgeDecision(facts: Facts, boundary: string, decision: Decision, at: number): Violation | undefined {
  if (facts.boundary?.id !== boundary || facts.turn)
    return broken("2 one boundary", `a decision for ${boundary}, which is not where the run stands`);
  if (facts.boundary.status === "nudged") return broken("2 one nudge", `${boundary} was nudged and decided again`);
  switch (decision.type) {
    case "continue":
      return whyNotOn(facts, at);
    case "wait":
      if (decision.until !== undefined && decision.until <= at)
        return broken("4 waits end", `a wait for ${decision.reason} that ended before it began`);
      return WAITS[decision.reason](facts, at)
        ? undefined
        : broken("4 true reasons", `wait ${decision.reason}: not so`);
    case "stop":
      return judgeStop(facts, decision.reason);
  }
}

function judgeStop(facts: Facts, reason: StopReason): Violation | undefined {
  if (STOPS[reason](facts) || facts.brakedFor.has(reason)) return undefined;
  if (reason === "all_done") return broken("6 proof", `all_done: ${doubts(facts).join("; ") || "not proven"}`);
  if (reason.startsWith("budget_")) return broken("6 budget", `${reason}: finished, or not spent`);
  return broken("4 true reasons", `stop ${reason}: not so`);
}

/** An agent, or a command while nothing else can be done. */
function isAwaited(facts: Facts, now: number): boolean {
  const { agents, awaited, until } = facts.background;
  return now < until && (agents > 0 || (awaited > 0 && allWaits(facts)));
}

/** What must be true for a wait to be told: not the rules, only what each reason claims. */
const WAITS: Readonly<Record<WaitReason, (facts: Facts, now: number) => boolean>> = {
  human: ({ words }) => words.size > 0,
  question: ({ questions }) => questions.size > 0,
  approval: ({ approvals }) => approvals.size > 0,
  recovering: ({ recoveringUntil }, now) => now < recoveringUntil,
  compacting: ({ compactingUntil }, now) => now < compactingUntil,
  busy: ({ boundary }, now) => now < (boundary?.busyUntil ?? 0),
  verifying: (facts, now) => (facts.round ? now < facts.round.until : !hasOpenWork(facts)),
  background: isAwaited,
  rate_limited: ({ boundary }) => boundary?.failure === "rate_limit",
  backoff: ({ boundary }) => boundary?.failure === "overload",
  host_failed: ({ boundary }) => boundary?.failure === "host",
};

const isOver = (name: string) => (facts: Facts) => hasOpenWork(facts) && spentBudget(facts) === name;
const failed =
  (...kinds: readonly string[]) =>
  ({ boundary }: Facts) =>
    boundary?.failure !== undefined && kinds.includes(boundary.failure);
const isAccepted = (facts: Facts) => facts.accepted || doubts(facts).length === 0;

/** What must be true for a stop to be told. */
const STOPS: Readonly<Record<StopReason, (facts: Facts) => boolean>> = {
  disabled: ({ off, limits }) => off || !limits.enabled,
  held: ({ held }) => held,
  interrupted: ({ maybeInterrupted }) => maybeInterrupted !== undefined,
  no_todos: (facts) => (lacksList(facts) ? facts.listAsked : !hasOpenWork(facts)),
  read_only: ({ readOnly }) => readOnly,
  all_done: (facts) => !hasOpenWork(facts) && isAccepted(facts) && isProven(facts),
  // To doubt is always allowed; only certainty has to be earned.
  done_unproven: (facts) => !hasOpenWork(facts),
  done_with_doubt: (facts) => !hasOpenWork(facts),
  done_accepted: (facts) => !hasOpenWork(facts) && (facts.accepted || facts.completedByHuman.size > 0),
  budget_tokens: isOver("tokens"),
  budget_cost: isOver("cost"),
  budget_minutes: isOver("minutes"),
  budget_continuations: isOver("continuations"),
  rate_limited: failed("rate_limit"),
  provider_error: failed("overload", "other"),
  host_failed: failed("host"),
  context_full: failed("context_full"),
  host_limit: failed("host_limit"),
  refused: failed("refused"),
  blocked: (facts) => hasOpenWork(facts) && !hasFreeWork(facts),
  awaiting_release: (facts) => freeTodo(facts)?.askFirst === true,
  question: ({ plainQuestions }) => plainQuestions >= 2,
  no_progress: (facts) => noProgress(facts) !== undefined,
};
