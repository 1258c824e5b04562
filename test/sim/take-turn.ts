import type { Decision, Failure, RunEvent } from "../../src/core/run/index.ts";
import type { BoundaryFacts, Facts } from "./facts.ts";
import { resetCounters, takenUp } from "./take-progress.ts";

/** A turn's time counts with every sign of its life, also if another turn overtakes it; what waits for the user does not. */
export function takeTime({ turn, spent, questions, approvals }: Facts, { type }: RunEvent, at: number): void {
  if (!turn || !SIGNS_OF_LIFE.has(type)) return;
  if (questions.size + approvals.size === 0) spent.activeMs += Math.max(0, at - turn.countedUntil);
  turn.countedUntil = at;
}

const SIGNS_OF_LIFE: ReadonlySet<string> = new Set([
  "answer.seen",
  "answer.growing",
  "result.seen",
  "activity.seen",
  "approval.requested",
  "approval.answered",
  "question.opened",
  "question.closed",
  "turn.braked",
  "turn.ended",
]);

/** Turns, boundaries, decisions and nudges. */
export function takeTurn(facts: Facts, event: RunEvent, at: number): void {
  switch (event.type) {
    case "turn.started":
      facts.boundary = undefined;
      facts.turn = {
        id: event.turn,
        cause: event.cause,
        acted: false,
        moved: false,
        progressed: false,
        forList: facts.nudge?.kind === "write_list",
        countedUntil: at,
      };
      if (event.cause === "human") {
        if (facts.interrupted) facts.interrupted = { turn: event.turn };
        if (facts.maybeInterrupted) facts.maybeInterrupted = { turn: event.turn };
      }
      facts.turnsSeen.add(event.turn);
      if (event.cause === "nudge") facts.spent.continuations++;
      // Taken up by this turn, or overtaken by it and still on its way.
      facts.woundDown ||= facts.nudge?.kind === "wind_down";
      facts.listAsked ||= facts.nudge?.kind === "write_list";
      facts.nudge = undefined;
      return;
    case "turn.resumed":
      resume(facts, event.turn, event.of, at);
      return;
    case "turn.ended": {
      const { idle, still, nudged, plainQuestions } = facts;
      const ended = facts.turn && { turn: facts.turn, idle, still, nudged, plainQuestions };
      countTurn(facts, event.outcome === "failed");
      facts.listDenied ||= event.outcome !== "failed" && facts.turn?.forList === true;
      facts.spent.tokens += event.usage.input + event.usage.output + event.usage.cacheWrite;
      facts.spent.cost += event.usage.cost;
      facts.workspace = event.workspace ?? facts.workspace;
      facts.plainQuestions = event.question ? facts.plainQuestions + 1 : 0;
      facts.turnsEnded.add(event.turn);
      facts.failures = event.outcome === "failed" ? facts.failures + 1 : 0;
      facts.turn = undefined;
      facts.boundary = { ...newBoundary(event.boundary, event.failure?.kind), ended };
      return;
    }
    case "usage.spent":
      facts.spent.tokens += event.usage.input + event.usage.output + event.usage.cacheWrite;
      facts.spent.cost += event.usage.cost;
      return;
    case "turn.cut":
      facts.woundDown ||= facts.nudge?.kind === "wind_down";
      facts.nudge = undefined;
      facts.turn = undefined;
      facts.boundary = newBoundary(event.boundary, undefined);
      return;
    case "turn.braked":
      facts.brakedFor.add(event.reason);
      return;
    case "workspace.observed":
      facts.workspace = event.workspace;
      return;
    case "activity.seen":
      // A run that was born in the middle of a turn does not know that turn; until a boundary it is taken for work.
      if (!facts.turn && !facts.boundary) {
        facts.activity++;
        facts.workedInPhase = true;
      }
      if (!facts.turn || (event.turn !== undefined && event.turn !== facts.turn.id)) return;
      facts.activity++;
      facts.workedInPhase = true;
      facts.turn.acted = true;
      if (event.state !== undefined) {
        facts.turn.moved = true;
        for (const [id, turn] of facts.completedUnseen) if (turn === facts.turn.id) facts.completedUnseen.delete(id);
      }
      takenUp(facts, "clearly");
      return;
    case "decision.made":
      if (!facts.boundary || facts.boundary.id !== event.boundary) return;
      facts.boundary.decision = event.decision as Decision; // of this very version
      facts.boundary.decidedAt = at;
      facts.boundary.status = "decided";
      return;
    case "wait.parked":
      if (!facts.boundary || facts.boundary.id !== event.boundary) return;
      facts.boundary.status = "parked";
      facts.boundary.waker = event.waker;
      facts.boundary.parkedForHuman = event.waker.startsWith("you: ");
      return;
    case "nudge.intended":
      facts.lastNudgeAt = at;
      facts.nudge = { id: event.nudge, kind: event.kind };
      if (!facts.boundary || facts.boundary.id !== event.boundary) return;
      facts.boundary.status = "nudged";
      return;
    case "nudge.delivered":
      facts.nudgesDelivered.add(event.nudge);
      return;
    case "nudge.failed":
    case "nudge.withdrawn":
      if (!facts.nudge) takeNotSent(facts, event);
      if (facts.nudge?.id !== event.nudge) return;
      facts.nudge = undefined;
      facts.nudgesDelivered.delete(event.nudge); // taken back out of the transcript
      if (facts.boundary?.status !== "nudged") return;
      facts.boundary.status = "open";
      if (event.type === "nudge.withdrawn") return;
      facts.boundary.failure = "host";
      facts.failures++;
  }
}

/** It was due and never on its way. */
function takeNotSent(facts: Facts, event: RunEvent & { type: "nudge.failed" | "nudge.withdrawn" }): void {
  const at = event.type === "nudge.failed" ? event.boundary : event.busy?.boundary;
  if (!facts.boundary || facts.boundary.id !== at) return;
  facts.boundary.status = "open";
  if (event.type === "nudge.withdrawn") facts.boundary.busyUntil = event.busy?.until ?? 0;
  else {
    facts.boundary.failure = "host";
    facts.failures++;
  }
}

/** It had not ended: nothing of its end counts, and it continues under another name. */
function resume(facts: Facts, turn: string, of: string, at: number): void {
  const ended = facts.boundary?.ended;
  if (ended?.turn.id !== of) return;
  facts.boundary = undefined;
  facts.turn = { ...ended.turn, id: turn, countedUntil: at };
  facts.turnsSeen.add(turn);
  facts.idle = Math.min(facts.idle, ended.idle);
  facts.still = Math.min(facts.still, ended.still);
  facts.nudged = Math.min(facts.nudged, ended.nudged);
  facts.plainQuestions = Math.min(facts.plainQuestions, ended.plainQuestions);
  if (facts.interrupted?.turn === of) facts.interrupted = { turn };
  if (facts.maybeInterrupted?.turn === of) facts.maybeInterrupted = { turn };
}

function countTurn(facts: Facts, failed: boolean): void {
  if (failed || facts.turn?.cause !== "nudge") return;
  if (facts.turn.progressed) {
    resetCounters(facts);
    return;
  }
  facts.nudged++;
  facts.idle = facts.turn.acted ? 0 : facts.idle + 1;
  facts.still = facts.turn.moved ? 0 : facts.still + 1;
}

const newBoundary = (id: string, failure: Failure["kind"] | undefined): BoundaryFacts => ({
  id,
  status: "open",
  failure,
  checked: false,
  busyUntil: 0,
  ended: undefined,
  decision: undefined,
  decidedAt: 0,
  waker: "",
  parkedForHuman: false,
});
