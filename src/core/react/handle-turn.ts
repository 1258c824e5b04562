import { digestOf } from "../call/index.ts";
import { overOf } from "../continuation/index.ts";
import { readQuestion } from "../question/index.ts";
import {
  type Boundary,
  type Braked,
  beyond,
  type Failure,
  hasSeenState,
  type Ledger,
  NO_USAGE,
  passTime,
  type Turn,
  type TurnOutcome,
  type Usage,
} from "../run/index.ts";
import { redact } from "../secret/index.ts";
import { isFinished, nextTodo, type TodoId } from "../todo/index.ts";
import type { Draft } from "./draft.ts";
import { resolveWords, wordsDelivered } from "./handle-human.ts";
import { cutRound } from "./handle-round.ts";
import { done, duplicate, nothing, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

export function handleTurn(draft: Draft, trigger: TriggerIn<"turn">): Reply {
  const { ledger } = draft.run;
  switch (trigger.type) {
    case "turn.started":
      if (ledger.turn?.id === trigger.turn || ledger.endedTurns.includes(trigger.turn)) return duplicate;
      if (isPassing(draft)) resolveWords(draft, trigger.words ?? [], "the turn began without it");
      else if (trigger.words) wordsDelivered(draft, trigger.words);
      if (ledger.left) cutByCrash(draft);
      start(draft, trigger.turn, trigger.cause ?? causeOf(draft), trigger.nudge);
      return done("");
    case "turn.ended":
      return end(draft, trigger);
    case "workspace.observed":
      if (ledger.boundary || ledger.workspace === trigger.workspace) return nothing;
      draft.add("host", { type: "workspace.observed", workspace: trigger.workspace });
      return done("");
    case "usage.seen": {
      const todo = ledger.turn?.todo ?? nextTodo(draft.run.plan.todos)?.id;
      draft.add("host", {
        type: "usage.spent",
        usage: countedUsage(trigger.usage),
        todo,
      });
      if (todo !== undefined) setAsideIfSpent(draft, todo);
      return done("");
    }
    case "wait.parked":
      if (ledger.boundary?.id !== trigger.boundary || !PARKABLE.includes(ledger.boundary.status)) return nothing;
      draft.add("engine", { type: "wait.parked", boundary: trigger.boundary, waker: trigger.waker });
      return done("");
    case "nudge.delivered":
      if (ledger.nudge?.id !== trigger.nudge || ledger.nudge.status === "delivered") return duplicate;
      draft.add("engine", { type: "nudge.delivered", nudge: trigger.nudge });
      return done("");
    case "nudge.failed":
      if (ledger.nudge?.id !== trigger.nudge || ledger.nudge.status === "delivered") return duplicate;
      draft.add("engine", { type: "nudge.failed", nudge: trigger.nudge, message: trigger.message.slice(0, 1000) });
      return done("");
    case "nudge.withdraw":
      if (ledger.nudge?.id !== trigger.nudge || ledger.nudge.status === "delivered") return duplicate;
      draft.add("engine", { type: "nudge.withdrawn", nudge: trigger.nudge, why: trigger.why });
      return done("");
    case "turn.resume":
      if (ledger.turn || ledger.boundary?.ended?.turn.id !== trigger.ended) return duplicate;
      if (ledger.endedTurns.includes(trigger.turn)) return duplicate;
      if (ledger.nudge?.boundary === ledger.boundary.id)
        draft.add("engine", { type: "nudge.withdrawn", nudge: ledger.nudge.id, why: trigger.why });
      draft.add("host", { type: "turn.resumed", turn: trigger.turn, of: trigger.ended });
      return done("");
  }
}

/** The host died in a turn, and begins another: what was under way is over, and it was not interrupted. */
function cutByCrash(draft: Draft): void {
  const { turn, nudge, boundaries } = draft.run.ledger;
  const id = turn?.id ?? (nudge ? `after-${nudge.boundary}` : `lost-b${boundaries}`);
  draft.add("engine", { type: "turn.cut", turn: id, boundary: `b${boundaries + 1}` });
}

/** A wait without a process that ends it is parked; what was nudged or stopped is over. */
const PARKABLE: readonly Boundary["status"][] = ["open", "countdown", "waiting"];

/** A turn began unannounced: after a nudge it is the nudge's, with no boundary before it yours. */
function causeOf({ run: { ledger } }: Draft): Turn["cause"] {
  if (ledger.nudge) return "nudge";
  return ledger.boundary ? "host" : "human";
}

/**
 * An unannounced turn. What a process that is gone was to say began it, if there was something; but one with a name of its own
 * may be any, also one from before the run whose end comes late.
 */
export function assume(draft: Draft, turn: string, cause = causeOf(draft), isNamed = false): void {
  if (isPassing(draft)) heardAtStart(draft, isNamed);
  start(draft, turn, cause);
}

/** Words that were to start a turn did; of those that were to go with a prompt it is not known, and they are sent again. */
function heardAtStart(draft: Draft, isNamed: boolean): void {
  const { decision, sending } = draft.run.ledger;
  const wereToStart = decision?.type === "wait" && decision.reason === "human" && !isNamed;
  if (wereToStart) wordsDelivered(draft, sending);
  else resolveWords(draft, [], "the process that should deliver it is gone");
}

function start(draft: Draft, turn: string, cause: Turn["cause"], named?: string): void {
  const { nudge } = draft.run.ledger;
  if (cause === "nudge" && nudge?.status === "intended" && (named ?? nudge.id) === nudge.id)
    draft.add("engine", { type: "nudge.delivered", nudge: nudge.id });
  const todo = nextTodo(draft.run.plan.todos)?.id;
  draft.add("host", { type: "turn.started", turn, cause, todo });
}

function end(draft: Draft, trigger: Trigger & { type: "turn.ended" }): Reply {
  const turn = endedTurn(draft, trigger.turn);
  if (turn === undefined || wasTold(draft, trigger.end)) return duplicate;
  resolveSent(draft, trigger);
  const isNamed = trigger.turn !== undefined;
  if (draft.run.ledger.turn === undefined)
    assume(draft, turn, isNamed && mayBeOnItsWay(draft) ? "host" : causeOf(draft), isNamed);
  const { text, usage = NO_USAGE, workspace } = trigger;
  const { ledger, plan } = draft.run;
  const { outcome, failure } = outcomeOf(trigger, ledger.turn?.braked);
  if (workspace !== undefined && !hasSeenState(ledger.seen, workspace))
    draft.add("host", { type: "activity.seen", turn, state: workspace });
  const todo = ledger.turn?.todo ?? nextTodo(plan.todos)?.id;
  const asks =
    outcome === "completed" && text !== undefined
      ? readQuestion(
          text,
          plan.todos.map((each) => each.text),
        )
      : undefined;
  draft.add("host", {
    type: "turn.ended",
    turn,
    boundary: `b${ledger.boundaries + 1}`,
    outcome,
    question: asks !== undefined && asks.kind !== "continue",
    ...(asks && { asks: { ...asks, text: redact(asks.text) } }),
    usage: beyond(countedUsage(usage), ledger.turn?.pace.told ?? NO_USAGE),
    activeMs: passTime(ledger, draft.context.now).turn?.pace.countedMs ?? 0,
    ...(outcome === "failed" && {
      failure: boundedFailure(failure, `${draft.run.id} ${turn}`, draft.context.now),
    }),
    workspace,
    end: trigger.end,
    todo,
  });
  if (outcome === "aborted" && !ledger.turn?.braked) {
    draft.add("human", { type: "human.interrupted", how: "abort" });
    cutRound(draft, "interrupted");
  }
  if (todo !== undefined) setAsideIfSpent(draft, todo);
  return done("");
}

/**
 * The prompt's process may have died with its answer: the turn is over, and whether the agent heard the words in it is known or it is not.
 * What is not known is said again: heard twice is better than never. For an unannounced turn its beginning decides, and one that
 * did not come to its end is followed by a prompt, which knows more.
 */
function resolveSent(draft: Draft, { words, outcome }: Trigger & { type: "turn.ended" }): void {
  const isUnknown = words === undefined && (draft.run.ledger.turn === undefined || outcome !== "completed");
  if (isPassing(draft) && !isUnknown) resolveWords(draft, words ?? [], "the turn ended without it");
}

/**
 * How a turn ended that we ended: whatever the host makes of it, it was not interrupted and nothing failed. Only a provider that fell silent
 * did fail, and is tried again like others.
 */
function outcomeOf(
  { outcome, failure }: Trigger & { type: "turn.ended" },
  braked: Braked | undefined,
): { readonly outcome: TurnOutcome; readonly failure?: Failure } {
  if (!braked || outcome === "completed") return { outcome, failure };
  if (braked.reason === "provider_error")
    return { outcome: "failed", failure: { kind: "overload", message: braked.detail ?? "the model sent nothing" } };
  return { outcome: "aborted" };
}

export const countedUsage = ({ input, output, cacheRead, cacheWrite, cost }: Usage): Usage => ({
  input: counted(input),
  output: counted(output),
  cacheRead: counted(cacheRead),
  cacheWrite: counted(cacheWrite),
  cost: counted(cost),
});

/** Hosts sum up what providers report; neither is above a negative number. */
const counted = (amount: number): number => (amount > 0 && Number.isFinite(amount) ? amount : 0);

function boundedFailure(
  failure: Failure = { kind: "other", message: "the turn failed" },
  seed: string,
  now: number,
): Failure {
  const { kind, message, resetAt } = failure;
  const isTold = resetAt !== undefined && Number.isFinite(resetAt);
  return {
    kind,
    message: message.slice(0, 1000),
    ...(isTold && { resetAt }),
    ...(isTold && resetAt > now && { resumeAt: resetAt + jitter(seed, resetAt - now) }),
  };
}

const JITTER_MOST_MS = 30_000;
const STEPS = 9973;

/** Runs that wait for one reset come back one after the other. The same run at the same turn always comes back alike. */
function jitter(seed: string, waitMs: number): number {
  // However a digest is spelled, its letters differ from seed to seed.
  const share =
    [...digestOf("jitter", seed, undefined)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % STEPS, 0) /
    STEPS;
  return Math.round(share * Math.min(JITTER_MOST_MS, waitMs / 10));
}

/** Which turn ended; undefined if this end was told before or belongs to a turn that is long over. */
function endedTurn(draft: Draft, id: string | undefined): string | undefined {
  const { ledger } = draft.run;
  if (id !== undefined)
    return ledger.endedTurns.includes(id) || (ledger.turn && ledger.turn.id !== id && !isAssumed(ledger.turn))
      ? undefined
      : (ledger.turn?.id ?? id);
  if (ledger.turn) return ledger.turn.id;
  const wentOut = ledger.nudge?.status === "delivered";
  const mayHaveGoneOut = isPassing(draft) && (ledger.nudge !== undefined || ledger.sending.length > 0);
  return !ledger.boundary || wentOut || mayHaveGoneOut ? assumedTurn(ledger) : undefined;
}

/** The name of an unannounced turn: it lasts until a boundary, whatever the host calls it. */
export const assumedTurn = ({ boundaries }: Pick<Ledger, "boundaries">): string => `after-b${boundaries}`;
const isAssumed = ({ id }: Turn): boolean => id.startsWith("after-b");

/** The nudge: its sender says when it went out. */
const mayBeOnItsWay = (draft: Draft): boolean => draft.run.ledger.nudge?.status === "intended";

/** Processes live for one event here: the one that sent something before is gone, and cannot say whether it went out. */
const isPassing = ({ context }: Draft): boolean => context.waker !== undefined;

const wasTold = ({ run }: Draft, end: string | undefined): boolean =>
  end !== undefined && run.ledger.endedTurns.includes(end);

export function setAsideIfSpent(draft: Draft, id: TodoId): void {
  const { perTodo } = draft.context.limits;
  const entry = draft.run.ledger.todoLedgers[id];
  const isOpen = draft.run.plan.todos.some((todo) => todo.id === id && !isFinished(todo) && todo.status !== "blocked");
  if (!entry || !isOpen) return;
  const over = overOf(entry, perTodo);
  if (over) draft.add("engine", { type: "todo.blocked", ids: [id], reason: `its own budget of ${over} is spent` });
}
