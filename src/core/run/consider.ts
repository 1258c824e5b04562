import { FINISHED, isSameDecision, requiredChecks } from "../continuation/index.ts";
import { nudgeText } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import type { Envelope, RunEvent } from "./event.ts";
import type { Trigger } from "./trigger.ts";

/**
 * Takes the decision at a boundary, again after everything that may have changed it. A boundary that was nudged is over;
 * one that stopped is taken up only on the human's word.
 */
export function consider(draft: Draft, trigger: Trigger): void {
  const { boundary, turn } = draft.run.ledger;
  if (!boundary || turn || draft.run.status !== "live" || boundary.status === "nudged") return;
  if (boundary.status === "stopped" && !wakes(draft, trigger)) return;
  if (trigger.type === "wait.parked") return; // who carries a wait does not change what is waited for

  let decision = draft.decide();
  if (decision.type === "wait" && decision.reason === "verifying" && !draft.run.ledger.verifying) {
    beginRound(draft);
    decision = { ...draft.decide(), rule: decision.rule };
  }
  const same =
    boundary.status !== "open" && boundary.status !== "parked" && isSameDecision(draft.run.ledger.decision, decision);
  if (!same) draft.add("engine", { type: "decision.made", boundary: boundary.id, decision });
  if (trigger.type === "turn.ended" || trigger.type === "timer.fired") draft.reply = { type: "decided", decision };

  switch (decision.type) {
    case "stop":
      if (!same) draft.perform({ type: "human.notify", reason: decision.reason });
      if (FINISHED.includes(decision.reason)) draft.add("engine", { type: "run.ended", reason: decision.reason });
      return;
    case "wait":
      if (decision.reason === "human" && !same)
        draft.perform({ type: "words.deliver", ids: draft.run.ledger.words.map(({ id }) => id) });
      return;
    case "continue":
      if (draft.context.now >= (draft.run.ledger.boundary?.until ?? 0)) nudge(draft, decision.kind);
  }
}

function nudge(draft: Draft, kind: Parameters<typeof nudgeText>[1]): void {
  const { boundary, failures } = draft.run.ledger;
  if (!boundary) return;
  // A send that failed is tried again under another id; what was delivered stays one per boundary.
  const id = failures.tries > 0 ? `${boundary.id}.${failures.tries}` : boundary.id;
  const text = nudgeText(draft.run, kind);
  draft.add("engine", { type: "nudge.intended", nudge: id, boundary: boundary.id, kind });
  draft.perform({ type: "nudge.send", nudge: { id, boundary: boundary.id, kind, text } });
}

function beginRound(draft: Draft): void {
  const round = `r${draft.run.ledger.boundaries}.finish`;
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

/** What lets a stopped run go on: the human's word, from here or from another process. */
function wakes(draft: Draft, trigger: Trigger): boolean {
  const foreign: readonly Pick<Envelope, "by" | "event">[] = trigger.type === "log.moved" ? trigger.events : [];
  return [...foreign, ...draft.events].some(({ by, event }) => by === "human" && WAKING.has(event.type));
}

const WAKING: ReadonlySet<RunEvent["type"]> = new Set<RunEvent["type"]>([
  "human.unheld",
  "human.held",
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
  "todo.removed",
  "approval.answered",
]);
