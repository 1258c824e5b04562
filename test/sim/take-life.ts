import type { Budget, RunEvent } from "../../src/core/run/index.ts";
import type { Facts } from "./facts.ts";
import { lineOf } from "./line-of.ts";
import { resetCounters } from "./take-progress.ts";

/** Birth, binding, claims and the end. */
export function takeLife(facts: Facts, event: RunEvent): void {
  switch (event.type) {
    case "run.began":
      facts.began = true;
      facts.run = event.run;
      facts.host = event.origin.host;
      facts.session = event.origin.session;
      facts.goal = event.goal !== undefined;
      facts.budget = event.budget;
      facts.checks = event.checks.map(({ run }) => lineOf(run));
      facts.requirements = event.requirements.map(({ id }) => id);
      facts.seesCalls = event.seesCalls;
      facts.workspace = event.workspace;
      return;
    case "run.bound":
      facts.host = event.host;
      facts.session = event.session;
      facts.hasStirred = false;
      facts.nudgesDelivered.clear();
      return;
    case "run.claimed":
      facts.driver = event.driver;
      facts.epoch = event.epoch;
      facts.nudgesDelivered.clear(); // what the process before took with it is found out anew
      return;
    case "run.ended":
      facts.ended = event.reason;
      return;
    case "run.reopened": {
      // No process looks at a run that is over: the one that reopens it takes it up.
      const waker = facts.ended === undefined ? {} : { waker: "you: reopened it" };
      facts.ended = undefined;
      facts.boundary = { ...freshBoundary(event.boundary), ...waker };
    }
  }
}

/** What a person's word sets back, each thing by the name it has in the log. */
function takeResumed(facts: Facts, event: RunEvent & { type: "human.resumed" }): void {
  const has = (name: string) => (event.resets as readonly string[]).includes(name);
  if (has("hold")) facts.held = false;
  if (has("interrupt")) facts.interrupted = facts.maybeInterrupted = undefined;
  if (has("switch")) facts.off = false;
  if (has("failures")) facts.failures = 0;
  if (has("questions")) facts.plainQuestions = 0;
  if (has("list")) facts.listAsked = facts.listDenied = false;
  if (has("mode")) facts.readOnly = false;
  if (has("progress")) {
    resetCounters(facts);
    facts.lateProgress = 0;
  }
  if (event.budget) {
    facts.budget = { ...facts.budget, ...event.budget };
    facts.woundDown = false;
  }
  if (event.boundary !== undefined) facts.boundary = freshBoundary(event.boundary);
}

const freshBoundary = (id: string): NonNullable<Facts["boundary"]> => ({
  id,
  status: "parked",
  failure: undefined,
  checked: false,
  busyUntil: 0,
  ended: undefined,
  decision: undefined,
  decidedAt: 0,
  waker: "the process that takes it up",
  parkedForHuman: false,
});

/** What the user said and did. */
export function takeHuman(facts: Facts, event: RunEvent, by: string): void {
  if (by === "human" && facts.boundary) facts.boundary.parkedForHuman = false;
  switch (event.type) {
    case "human.held":
      facts.held = true;
      return;
    case "human.unheld":
      facts.held = false;
      facts.interrupted = undefined;
      facts.maybeInterrupted = undefined;
      facts.failures = 0;
      if (facts.boundary) facts.boundary.failure = undefined;
      return;
    case "human.resumed":
      takeResumed(facts, event);
      return;
    case "human.interrupted":
      facts.interrupted = {};
      facts.maybeInterrupted = {};
      return;
    case "human.accepted":
      facts.accepted = true;
      return;
    case "human.spoke":
      facts.boundary = undefined;
      resetCounters(facts);
      facts.plainQuestions = 0;
      facts.failures = 0;
      facts.listAsked = facts.listDenied = false;
      if (facts.turn) facts.turn.forList = false;
      facts.lateProgress = 0;
      return;
    case "continuation.switched":
      facts.off = !event.on;
      return;
    case "budget.extended": {
      const names = (Object.keys(event.budget) as (keyof Budget)[]).filter((name) => name in facts.budget);
      const more = names.map((name) => [name, (facts.budget[name] ?? 0) + (event.budget[name] ?? 0)] as const);
      facts.budget = { ...facts.budget, ...Object.fromEntries(more) };
      facts.woundDown = false;
      resetCounters(facts);
      return;
    }
    case "words.queued":
      facts.words.set(event.words.id, event.words.kind);
      return;
    case "words.removed":
      facts.words.delete(event.id);
      return;
    case "words.delivered":
      for (const id of event.ids) {
        facts.words.delete(id);
        facts.wordsDelivered.add(id);
      }
  }
}

/** What the host told about itself. */
export function takeHost(facts: Facts, event: RunEvent): void {
  switch (event.type) {
    case "question.opened":
      facts.questions.add(event.id);
      return;
    case "question.closed":
      facts.questions.delete(event.id);
      return;
    case "approval.requested":
      facts.approvals.add(event.approval.call);
      return;
    case "approval.answered":
    case "call.settled":
      facts.approvals.delete(event.call);
      return;
    case "recovery.began":
      facts.recoveringUntil = event.until;
      return;
    case "recovery.ended":
      facts.recoveringUntil = 0;
      return;
    case "compaction.began":
      facts.compactingUntil = event.until;
      return;
    case "compaction.ended":
      facts.compactingUntil = 0;
      return;
    case "background.changed":
      facts.background = { agents: event.agents, awaited: event.awaited, until: event.until };
      return;
    case "mode.changed":
      facts.readOnly = event.readOnly;
  }
}
