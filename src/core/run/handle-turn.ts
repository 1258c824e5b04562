import { nextTodo, type TodoId } from "../todo/index.ts";
import { asksQuestion } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import { NO_USAGE } from "./event.ts";
import { cutRound } from "./handle-round.ts";
import { done, duplicate, nothing, type Reply } from "./reaction.ts";
import type { Turn } from "./run.ts";
import { hasSeenCall, hasSeenState } from "./seen.ts";
import type { Trigger } from "./trigger.ts";

type TurnTrigger = Trigger & {
  type:
    | "turn.started"
    | "turn.ended"
    | "workspace.observed"
    | "call.seen"
    | "wait.parked"
    | "nudge.delivered"
    | "nudge.failed"
    | "nudge.withdraw";
};

export function handleTurn(draft: Draft, trigger: TurnTrigger): Reply {
  const { ledger } = draft.run;
  switch (trigger.type) {
    case "turn.started":
      if (ledger.turn?.id === trigger.turn || ledger.endedTurns.includes(trigger.turn)) return duplicate;
      start(draft, trigger.turn, trigger.cause ?? causeOf(draft));
      return done("");
    case "turn.ended":
      return end(draft, trigger);
    case "workspace.observed":
      if (ledger.boundary || ledger.workspace === trigger.workspace) return nothing;
      draft.add("host", { type: "workspace.observed", workspace: trigger.workspace });
      return done("");
    case "call.seen":
      if (hasSeenCall(ledger.seen, trigger.digest)) return nothing;
      draft.add("host", {
        type: "activity.seen",
        call: trigger.digest,
        ...(trigger.turn !== undefined && { turn: trigger.turn }),
      });
      return done("");
    case "wait.parked":
      if (ledger.boundary?.id !== trigger.boundary || ledger.boundary.status === "parked") return nothing;
      draft.add("engine", { type: "wait.parked", boundary: trigger.boundary, waker: trigger.waker });
      return done("");
    case "nudge.delivered":
      if (ledger.nudge?.id !== trigger.nudge || ledger.nudge.status === "delivered") return duplicate;
      draft.add("engine", { type: "nudge.delivered", nudge: trigger.nudge });
      return done("");
    case "nudge.failed":
      if (ledger.nudge?.id !== trigger.nudge) return duplicate;
      draft.add("engine", { type: "nudge.failed", nudge: trigger.nudge, message: trigger.message.slice(0, 1000) });
      return done("");
    case "nudge.withdraw":
      if (ledger.nudge?.id !== trigger.nudge) return duplicate;
      draft.add("engine", { type: "nudge.withdrawn", nudge: trigger.nudge, why: trigger.why });
      start(draft, trigger.turn ?? `after-${ledger.nudge.boundary}`, "host");
      return done("");
  }
}

/** A turn began that nobody announced: after a nudge it is the nudge's, with no boundary before it the human's. */
function causeOf({ run: { ledger } }: Draft): Turn["cause"] {
  if (ledger.nudge) return "nudge";
  return ledger.boundary ? "host" : "human";
}

function start(draft: Draft, turn: string, cause: Turn["cause"]): void {
  const { nudge } = draft.run.ledger;
  if (cause === "nudge" && nudge?.status === "intended")
    draft.add("engine", { type: "nudge.delivered", nudge: nudge.id });
  draft.add("host", { type: "turn.started", turn, cause });
}

function end(draft: Draft, trigger: Trigger & { type: "turn.ended" }): Reply {
  const turn = endedTurn(draft, trigger.turn);
  if (turn === undefined) return duplicate;
  if (draft.run.ledger.turn === undefined) start(draft, turn, causeOf(draft));
  const { outcome, failure, text, usage = NO_USAGE, workspace } = trigger;
  const { ledger, plan } = draft.run;
  if (workspace !== undefined && !hasSeenState(ledger.seen, workspace))
    draft.add("host", { type: "activity.seen", turn, state: workspace });
  const todo = nextTodo(plan.todos)?.id;
  draft.add("host", {
    type: "turn.ended",
    turn,
    boundary: `b${ledger.boundaries + 1}`,
    outcome,
    question: outcome === "completed" && text !== undefined && asksQuestion(text),
    usage,
    activeMs: Math.max(0, draft.context.now - (ledger.turn?.startedAt ?? draft.context.now)),
    ...(outcome === "failed" && { failure: failure ?? { kind: "other", message: "the turn failed" } }),
    ...(workspace !== undefined && { workspace }),
    ...(todo !== undefined && { todo }),
  });
  if (outcome === "aborted") {
    draft.add("human", { type: "human.interrupted", how: "abort" });
    cutRound(draft, "the human interrupted");
  }
  if (todo !== undefined) setAsideIfSpent(draft, todo);
  return done("");
}

/** Which turn ended; undefined if this end was told before or belongs to a turn that is long over. */
function endedTurn({ run: { ledger } }: Draft, id: string | undefined): string | undefined {
  if (id !== undefined)
    return ledger.endedTurns.includes(id) || (ledger.turn && ledger.turn.id !== id) ? undefined : id;
  if (ledger.turn) return ledger.turn.id;
  const somethingBegan = !ledger.boundary || ledger.nudge?.status === "delivered";
  return somethingBegan ? `after-b${ledger.boundaries}` : undefined;
}

function setAsideIfSpent(draft: Draft, id: TodoId): void {
  const { perTodo } = draft.context.limits;
  const entry = draft.run.ledger.todoLedgers[id];
  if (!entry) return;
  const used = {
    tokens: entry.tokens,
    cost: entry.cost,
    minutes: entry.activeMs / 60_000,
    continuations: entry.continuations,
  };
  const over = (Object.keys(perTodo) as (keyof typeof used)[]).find(
    (name) => used[name] >= (perTodo[name] ?? Number.POSITIVE_INFINITY),
  );
  if (over) draft.add("engine", { type: "todo.blocked", ids: [id], reason: `its own budget of ${over} is spent` });
}
