import { requiredChecks } from "../continuation/index.ts";
import { FINISHED } from "../reason/index.ts";
import {
  type Boundary,
  type Decision,
  decisionText,
  dueWords,
  type Envelope,
  isSameDecision,
  type RunEvent,
  type StoredDecision,
} from "../run/index.ts";
import { briefingText, nudgeText } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import { isDue, nudgeId } from "./handle-recheck.ts";
import { expireRound } from "./handle-round.ts";
import { whyFresh } from "./renew-conversation.ts";
import type { Context, Leaving, Trigger } from "./trigger.ts";
import { triggerRow } from "./trigger-table.ts";

/**
 * Takes the decision at a boundary, again after everything that may have changed it. A boundary that was nudged is over;
 * one that stopped continues only when you say so.
 */
export function consider(draft: Draft, trigger: Trigger): void {
  const { boundary, turn } = draft.run.ledger;
  if (!boundary || turn || draft.run.status !== "live" || boundary.status === "nudged") return;
  if (changesNothing(draft, trigger)) return;
  if (boundary.status === "stopped" && !wakes(draft) && !mayGoOn(draft, trigger)) return;
  if (boundary.forHuman && !wakes(draft)) return;
  expireRound(draft);

  const isSending = trigger.type === "host.rechecked" && trigger.status === "ready" && isDueHere(draft, trigger.before);
  let decision = draft.decide();
  const needsRound = decision.type === "wait" && decision.reason === "verifying" && !draft.run.ledger.verifying;
  if (needsRound && draft.context.mayCheck !== false) {
    beginRound(draft);
    decision = { ...draft.decide(), rule: decision.rule };
  }
  if (isSending) decision = sentOrWithdrawn(draft, decision);
  const same = isCarried(draft, boundary, decision);
  if (!same) draft.add("engine", { type: "decision.made", boundary: boundary.id, decision });
  const isAsked = trigger.type === "timer.fired" || (trigger.type === "turn.ended" && draft.reply.type === "done");
  if (isAsked) draft.reply = { type: "decided", decision };

  switch (decision.type) {
    case "stop":
      if (!same) draft.perform({ type: "human.notify", reason: decision.reason });
      if (decision.reason === "interrupted") deliverNews(draft, same);
      if (FINISHED.includes(decision.reason)) draft.add("engine", { type: "run.ended", reason: decision.reason });
      return;
    case "wait":
      if (!same) park(draft);
      if (decision.reason === "human" && decision.until === undefined && !same)
        deliver(
          draft,
          dueWords(draft.run).map(({ id }) => id),
        );
      return;
    case "continue":
      if (mayNudge(draft.context, isSending) && draft.context.now >= (draft.run.ledger.boundary?.until ?? 0))
        nudge(draft, decision.kind);
      else if (!same) park(draft);
  }
}

/** Wakes a run whose next todo is to begin in a new session of its host. */
const SUPERVISOR = "the process that started this one, in a new session";

const isDueHere = ({ run, context }: Draft, before: Leaving): boolean =>
  "boundary" in before && isDue(run.ledger, before.boundary, context.now);

/** However the clock was set meanwhile, and whatever else the host was asked about. */
const mayNudge = ({ mayNudge: could = true, asksFirst = false }: Context, isSending: boolean): boolean =>
  could && (isSending || !asksFirst);

/** Its countdown is over: what the host said meanwhile may keep the nudge back, and starts no second countdown. */
function sentOrWithdrawn(draft: Draft, decision: Decision): Decision {
  if (decision.type === "continue") return { ...decision, after: 0 };
  draft.add("engine", {
    type: "nudge.withdrawn",
    nudge: nudgeId(draft.run.ledger),
    why: decisionText(decision).slice(0, 1000),
  });
  return decision;
}

/**
 * A wait that its process may not live to end is parked as it begins, in the same transaction: whenever that process dies,
 * the log says who wakes the run.
 */
function park(draft: Draft, waker = draft.context.waker): void {
  const { boundary } = draft.run.ledger;
  if (waker === undefined || (boundary?.status !== "countdown" && boundary?.status !== "waiting")) return;
  draft.add("engine", { type: "wait.parked", boundary: boundary.id, waker });
}

/**
 * The same answer, carried out already. One that is parked stays parked, unless a new process took over or words that
 * could not be delivered are tried again.
 */
function isCarried(draft: Draft, boundary: Boundary, decision: Decision): boolean {
  const { run, events, context } = draft;
  const { status, forHuman, undecided } = boundary;
  if (status === "open" || undecided || forHuman || !isSameDecision(run.ledger.decision, decision)) return false;
  if (isTooLong(boundary, run.ledger.decision, context.now)) return false;
  const isNew = events.some(({ event }) => event.type === "run.claimed"); // the process that carried it out before is gone
  const isForWords =
    decision.type === "wait" &&
    decision.reason === "human" &&
    run.ledger.words.some(({ id }) => !run.ledger.sending.includes(id));
  if (isForWords && !mayDeliver(draft)) return true;
  // The process that was to send them in its answer is gone, and no other has this event to answer.
  if (isForWords && context.delivery === "in the answer") return false;
  return status === "parked" ? !isNew && !isForWords : !isNew || !isForWords;
}

/** More is left of the countdown than there ever was: the clock was set back. */
const isTooLong = ({ until = 0 }: Boundary, decision: StoredDecision | undefined, now: number): boolean =>
  decision?.type === "continue" && until - now > decision.after;

/** An event that is told twice is answered twice; the words go out with the first answer. */
function mayDeliver({ context: { delivery = "at once" }, reply }: Draft): boolean {
  if (delivery === "in the answer") return !(reply.type === "ignored" && reply.why === "duplicate");
  return delivery === "at once";
}

/**
 * Nothing to decide anew: our own note that a wait is parked or something failed, or another process of this run wrote
 * down what it decided. Answering these would go back and forth forever; words of yours that came along are heard.
 */
function changesNothing({ context, run }: Draft, trigger: Trigger): boolean {
  const { type } = trigger;
  const isOfWords = type === "words.failed" || (type === "host.rechecked" && "words" in trigger.before);
  const isGivenUp = isOfWords && run.ledger.unsent.tries > context.limits.backoffTries;
  const isNote = isGivenUp || triggerRow(trigger).isNote === true;
  return isNote && !context.foreign?.some(({ by, event }) => by !== "engine" && event.type !== "host.failed");
}

/**
 * What you say after an interrupt is what the agent hears next; what was queued before it stays where it is, until you and the agent
 * talk again: at the end of a turn that began with your words everything that waits is part of the talk.
 */
function deliverNews(draft: Draft, same: boolean): void {
  const { interrupt, words } = draft.run.ledger;
  const talks = !same && interrupt?.turn !== undefined;
  const queued = [...(draft.context.foreign ?? []), ...draft.events].flatMap(({ event }) =>
    event.type === "words.queued" ? [event.words.id] : [],
  );
  const ids = words.filter(({ id, kind }) => kind === "steer" && (talks || queued.includes(id))).map(({ id }) => id);
  deliver(draft, ids);
}

/** That they go out is written down before they do: what is on its way goes out once, even if other processes look at the run meanwhile. */
function deliver(draft: Draft, due: readonly string[]): void {
  const ids = due.filter((id) => !draft.run.ledger.sending.includes(id));
  if (ids.length === 0 || !mayDeliver(draft)) return;
  draft.add("engine", { type: "words.sent", ids });
  draft.perform({ type: "words.deliver", ids });
}

function nudge(draft: Draft, kind: Parameters<typeof nudgeText>[1]): void {
  const { boundary } = draft.run.ledger;
  if (!boundary) return;
  const id = nudgeId(draft.run.ledger);
  const fresh = whyFresh(draft, kind);
  if (fresh !== undefined && draft.context.renews === "process") {
    park(draft, SUPERVISOR);
    return;
  }
  const told = fresh === undefined ? nudgeText : briefingText;
  const text = told(draft.run, kind, draft.context.limits.listInNudge);
  draft.add("engine", {
    type: "nudge.intended",
    nudge: id,
    boundary: boundary.id,
    kind,
    ...(fresh !== undefined && { fresh }),
  });
  draft.perform({
    type: "nudge.send",
    nudge: { id, boundary: boundary.id, kind, text, ...(fresh !== undefined && { fresh: true }) },
  });
}

function beginRound(draft: Draft): void {
  const round = `r${draft.run.ledger.rounds + 1}`;
  const checks = requiredChecks(draft.run);
  draft.add("engine", {
    type: "round.began",
    round,
    purpose: "finish",
    ids: [],
    until: draft.context.now + draft.context.limits.deadlineMs.checks,
  });
  draft.perform({ type: "round.run", round, checks });
}

/** A process that may start turns by itself took over: what you said while no process lived is heard now. */
const mayGoOn = ({ reply }: Draft, trigger: Trigger): boolean =>
  trigger.type === "run.open" && trigger.goOn && reply.type === "done";

/** What lets a stopped run continue: your word, from here or from another process, said after the run was left to you. */
function wakes({ context, events }: Draft): boolean {
  const all: readonly Pick<Envelope, "by" | "event">[] = [...(context.foreign ?? []), ...events];
  const fresh = all.slice(all.findLastIndex(({ event }) => event.type === "wait.parked") + 1);
  return fresh.some(({ by, event }) => by === "human" && WAKING.has(event.type));
}

const WAKING: ReadonlySet<RunEvent["type"]> = new Set<RunEvent["type"]>([
  "human.unheld",
  "human.held",
  "human.resumed",
  "run.reopened",
  "human.interrupted",
  "human.accepted",
  "budget.extended",
  "words.queued",
  "continuation.switched",
  "todos.written",
  "todo.reopened",
  "todo.released",
  "todo.completed",
  "todo.changed",
  "todo.moved",
  "todo.removed",
  "approval.answered",
]);
