import { cutCallText } from "../call/index.ts";
import { isOpenAgain, isUnderWay, type StoredDecision, type TurnCall } from "../run/index.ts";
import { isWorthRecording, MOST_ATTEMPTS } from "../speaker/index.ts";
import type { Draft } from "./draft.ts";
import { resolveWords, wordsFailed } from "./handle-human.ts";
import { cutRound } from "./handle-round.ts";
import { done, duplicate, nothing, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

export function handleHost(draft: Draft, trigger: TriggerIn<"host">): Reply {
  const { ledger, plan } = draft.run;
  const { now, limits } = draft.context;
  switch (trigger.type) {
    case "plan.rebase":
      if (JSON.stringify(trigger.plan) === JSON.stringify(plan)) return nothing;
      draft.add("host", { type: "plan.rebased", plan: trigger.plan });
      return done("rebased");
    case "run.open":
      return open(draft, trigger);
    case "run.bind":
      return bind(draft, trigger);
    case "question.opened":
      if (ledger.questions.includes(trigger.id)) return duplicate;
      draft.add("host", {
        type: "question.opened",
        id: trigger.id,
        ...(trigger.text !== undefined && { text: trigger.text.slice(0, LONGEST_QUESTION) }),
      });
      return done("");
    case "question.closed":
      if (!ledger.questions.includes(trigger.id)) return duplicate;
      draft.add("host", { type: "question.closed", id: trigger.id });
      return done("");
    case "recovery.began":
      draft.add("host", { type: "recovery.began", until: now + limits.deadlineMs.recovery });
      return done("");
    case "compaction.began":
      draft.add("host", { type: "compaction.began", until: now + limits.deadlineMs.compaction });
      return done("");
    case "recovery.ended":
      if (!ledger.recovering) return duplicate;
      draft.add("host", { type: "recovery.ended" });
      return done("");
    case "compaction.ended":
      if (!ledger.compacting) return duplicate;
      draft.add("host", { type: "compaction.ended" });
      return done("");
    case "background.changed": {
      const [agents, awaited] = [Math.max(0, trigger.agents), Math.max(0, trigger.awaited)];
      const { background } = ledger;
      const commands = trigger.commands ?? 0;
      const isSame = agents === background.agents && awaited === background.awaited;
      if (isSame && commands === (background.commands ?? 0)) return duplicate;
      draft.add("host", {
        type: "background.changed",
        agents,
        awaited,
        ...(commands > 0 && { commands }),
        // What is waited for already keeps its deadline, whatever else runs beside it.
        until: isSame ? background.until : now + limits.deadlineMs.background,
      });
      return done("");
    }
    case "mode.changed":
      if (ledger.readOnly === trigger.readOnly) return duplicate;
      draft.add("host", { type: "mode.changed", readOnly: trigger.readOnly });
      return done("");
    case "model.chosen": {
      const { type: _, ...model } = trigger;
      if (ledger.model?.model === model.model && ledger.model?.baseUrl === model.baseUrl) return nothing;
      draft.add("host", { type: "model.chosen", ...model });
      return done("");
    }
    case "host.failed":
      draft.add("host", { type: "host.failed", where: trigger.where, message: trigger.message.slice(0, 1000) });
      return done("");
    case "attempt.refused":
      return attemptRefused(draft, trigger);
    case "host.left":
      if (!isUnderWay(ledger) || ledger.left) return nothing;
      draft.add("host", { type: "host.left" });
      return done("");
  }
}

const LONGEST_QUESTION = 2000;
const LONGEST_ATTEMPT = 500;

function attemptRefused(draft: Draft, { attempt, text, because }: Trigger & { type: "attempt.refused" }): Reply {
  const before = draft.run.ledger.refused?.[attempt];
  if (!isWorthRecording(before, draft.context.now)) return nothing;
  const isLast = (before?.count ?? 0) + 1 === MOST_ATTEMPTS;
  draft.add("engine", {
    type: "attempt.refused",
    attempt,
    text: text.slice(0, LONGEST_ATTEMPT),
    because,
    ...(isLast && { isLast }),
  });
  return done("recorded");
}

/** The run moves to another session: its old session drops the wait, and the new one continues it. */
function bind(draft: Draft, { host, session, continues }: Trigger & { type: "run.bind" }): Reply {
  const { origin, ledger } = draft.run;
  draft.add("human", { type: "run.bound", host, session });
  if ((origin.host === host && origin.session === session) || continues) return done("bound");
  if (ledger.nudge?.status === "intended")
    draft.add("engine", { type: "nudge.withdrawn", nudge: ledger.nudge.id, why: "the run was attached elsewhere" });
  wordsFailed(draft, ledger.sending, "the run was attached elsewhere");
  const turn = ledger.turn?.id ?? (ledger.nudge?.status === "delivered" ? `after-${ledger.nudge.boundary}` : undefined);
  if (turn !== undefined) draft.add("engine", { type: "turn.cut", turn, boundary: `b${ledger.boundaries + 1}` });
  const { boundary, decision } = draft.run.ledger;
  if (!boundary || draft.run.status === "ended") return done("bound");
  // What you took back stops nothing any more; the process that would have seen it may be the one that lets go.
  const isStopped = boundary.status === "stopped" && stopOf(decision) === stopOf(draft.decide());
  const isCarriedElsewhere = boundary.status === "nudged" || (boundary.status === "parked" && !boundary.undecided);
  if (!isStopped && !isCarriedElsewhere)
    draft.add("engine", {
      type: "wait.parked",
      boundary: boundary.id,
      waker: `the next event of the session it was attached to (${session}, ${host})`,
    });
  return done("bound");
}

const stopOf = (decision: StoredDecision | undefined): string | undefined =>
  decision?.type === "stop" ? decision.reason : undefined;

/** Their tools may have done their work; what the agent never heard of it is told to you and, with the next nudge, to the agent. */
function cutCalls(draft: Draft, calls: readonly TurnCall[]): void {
  if (calls.length === 0) return;
  for (const { status: _, ...call } of calls) draft.add("engine", { type: "call.cut", ...call });
  draft.perform({ type: "human.tell", notice: `Not everything ended: ${calls.map(cutCallText).join("; ")}.` });
}

const CUT_OFF = "cut off: the process ended before the message went out";
const FOR_THE_HUMAN = "you: send a message, or unhold to continue";

/**
 * Another process takes the run over: what lived in the old one is cut off and shown as such, never silently repeated.
 * A nudge that no session holds reopens its boundary, words that it holds have reached the agent; a process that may not start turns
 * leaves it to you.
 */
function open(draft: Draft, { driver, goOn, delivered, unanswered = [] }: Trigger & { type: "run.open" }): Reply {
  const { claim, boundary: parked } = draft.run.ledger;
  // Nothing was cut off; but a process that may start turns takes up what the ones before it had to park.
  const wakes = goOn && parked?.status === "parked" && draft.run.status === "live";
  const wasDone = isOpenAgain(draft.run.ledger);
  if (claim.driver === driver && !wakes) return delivered ? resolveWords(draft, delivered, CUT_OFF) : duplicate;
  draft.add("engine", { type: "run.claimed", driver, epoch: claim.epoch + 1 });
  if (draft.run.status === "ended" || claim.driver === driver) return done("claimed");
  const { nudge, turn, questions, approvals, calls, recovering, compacting, background, boundaries } = draft.run.ledger;
  cutCalls(
    draft,
    calls.filter(({ call, status }) => status === "intended" || unanswered.includes(call)),
  );
  for (const { call } of approvals)
    draft.add("engine", { type: "approval.answered", call, outcome: "withdrawn", words: "" });
  for (const id of questions) draft.add("engine", { type: "question.closed", id });
  if (recovering) draft.add("engine", { type: "recovery.ended" });
  if (compacting) draft.add("engine", { type: "compaction.ended" });
  if (background.agents + background.awaited > 0)
    draft.add("engine", { type: "background.changed", agents: 0, awaited: 0, until: 0 });
  cutRound(draft, "its process ended");
  const hasHeard = resolveWords(draft, delivered ?? [], CUT_OFF).type === "done";
  const wentOut = nudge && (delivered?.includes(nudge.id) ?? nudge.status === "delivered");
  if (wentOut && nudge.status === "intended") draft.add("engine", { type: "nudge.delivered", nudge: nudge.id });
  if (nudge && !wentOut)
    draft.add("engine", {
      type: "nudge.withdrawn",
      nudge: nudge.id,
      why: "its process ended before it went out",
    });
  const isDue = hasHeard || !draft.run.ledger.boundary; // words were taken, and their turn never began; or the run was born in one
  // The host took the nudge and lost it with its process: the next one stands at a boundary of its own.
  const wasTaken = wentOut || nudge?.status === "delivered";
  const cut = turn?.id ?? (wasTaken ? `after-${nudge?.boundary}` : isDue ? `lost-b${boundaries}` : undefined);
  if (cut !== undefined) draft.add("engine", { type: "turn.cut", turn: cut, boundary: `b${boundaries + 1}` });
  const { boundary } = draft.run.ledger;
  if (!boundary || boundary.status === "stopped" || goOn) return done("claimed");
  draft.add("engine", { type: "wait.parked", boundary: boundary.id, waker: FOR_THE_HUMAN, forHuman: true });
  draft.perform({
    type: "human.tell",
    notice: `${wasDone ? "The run is open again after it was done" : "The run was cut off when its process ended"}. It waits for ${FOR_THE_HUMAN}.`,
  });
  return done("claimed");
}
