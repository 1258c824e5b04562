import { digestOf } from "../call/index.ts";
import { checkKey, commandLine, observedBy } from "../continuation/index.ts";
import { redact } from "../secret/index.ts";
import { isFinished, nextTodo, type TodoId } from "../todo/index.ts";
import { asksQuestion } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import { NO_USAGE, type Usage } from "./event.ts";
import { cutRound } from "./handle-round.ts";
import { done, duplicate, nothing, type Reply } from "./reaction.ts";
import type { Boundary, Failure, Turn } from "./run.ts";
import { hasSeenCall, hasSeenState } from "./seen.ts";
import type { Trigger } from "./trigger.ts";

type TurnTrigger = Trigger & {
  type:
    | "turn.started"
    | "turn.ended"
    | "workspace.observed"
    | "call.seen"
    | "usage.seen"
    | "wait.parked"
    | "nudge.delivered"
    | "nudge.failed"
    | "turn.resume";
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
      observeChecks(draft, trigger);
      if (hasSeenCall(ledger.seen, trigger.digest)) return nothing;
      draft.add("host", {
        type: "activity.seen",
        call: trigger.digest,
        ...(trigger.turn !== undefined && { turn: trigger.turn }),
      });
      return done("");
    case "usage.seen": {
      const todo = ledger.turn?.todo ?? nextTodo(draft.run.plan.todos)?.id;
      draft.add("host", {
        type: "usage.spent",
        usage: countedUsage(trigger.usage),
        ...(todo !== undefined && { todo }),
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
    case "turn.resume":
      if (ledger.turn || ledger.boundary?.ended?.turn.id !== trigger.ended) return duplicate;
      if (ledger.endedTurns.includes(trigger.turn)) return duplicate;
      if (ledger.nudge?.boundary === ledger.boundary.id)
        draft.add("engine", { type: "nudge.withdrawn", nudge: ledger.nudge.id, why: trigger.why });
      draft.add("host", { type: "turn.resumed", turn: trigger.turn, of: trigger.ended });
      return done("");
  }
}

/** Where we may not run a check, the agent's own run of exactly that command is the next best thing. */
function observeChecks(draft: Draft, { command, workspace, digest }: Trigger & { type: "call.seen" }): void {
  if (!command) return;
  for (const { owner, check } of observedBy(draft.run, command.line, draft.context.runsChecks !== false))
    draft.add("host", {
      type: "check.observed",
      receipt: {
        key: checkKey(owner, check),
        owner,
        command: commandLine(check),
        status: command.passed ? "observed" : "failed",
        durationMs: 0,
        ...(workspace !== undefined && { workspace }),
        digest,
        tail: redact((command.output ?? "").slice(-2 * OBSERVED_TAIL)).slice(-OBSERVED_TAIL),
        askedBy: check.by,
        suspect: false,
        at: draft.context.now,
      },
    });
}

const OBSERVED_TAIL = 2000;

/** What nobody carries out is parked; what was nudged or stopped is over. */
const PARKABLE: readonly Boundary["status"][] = ["open", "countdown", "waiting"];

/** A turn began that nobody announced: after a nudge it is the nudge's, with no boundary before it the human's. */
function causeOf({ run: { ledger } }: Draft): Turn["cause"] {
  if (ledger.nudge) return "nudge";
  return ledger.boundary ? "host" : "human";
}

function start(draft: Draft, turn: string, cause: Turn["cause"]): void {
  const { nudge } = draft.run.ledger;
  if (cause === "nudge" && nudge?.status === "intended")
    draft.add("engine", { type: "nudge.delivered", nudge: nudge.id });
  const todo = nextTodo(draft.run.plan.todos)?.id;
  draft.add("host", { type: "turn.started", turn, cause, ...(todo !== undefined && { todo }) });
}

function end(draft: Draft, trigger: Trigger & { type: "turn.ended" }): Reply {
  const turn = endedTurn(draft, trigger.turn);
  if (turn === undefined || wasTold(draft, trigger.end)) return duplicate;
  if (draft.run.ledger.turn === undefined) start(draft, turn, causeOf(draft));
  const { outcome, text, usage = NO_USAGE, workspace } = trigger;
  const { ledger, plan } = draft.run;
  if (workspace !== undefined && !hasSeenState(ledger.seen, workspace))
    draft.add("host", { type: "activity.seen", turn, state: workspace });
  const todo = ledger.turn?.todo ?? nextTodo(plan.todos)?.id;
  draft.add("host", {
    type: "turn.ended",
    turn,
    boundary: `b${ledger.boundaries + 1}`,
    outcome,
    question: outcome === "completed" && text !== undefined && asksQuestion(text),
    usage: countedUsage(usage),
    activeMs: Math.max(0, draft.context.now - (ledger.turn?.startedAt ?? draft.context.now)),
    ...(outcome === "failed" && {
      failure: boundedFailure(trigger.failure, `${draft.run.id} ${turn}`, draft.context.now),
    }),
    ...(workspace !== undefined && { workspace }),
    ...(trigger.end !== undefined && { end: trigger.end }),
    ...(todo !== undefined && { todo }),
  });
  if (outcome === "aborted") {
    draft.add("human", { type: "human.interrupted", how: "abort" });
    cutRound(draft, "the human interrupted");
  }
  if (todo !== undefined) setAsideIfSpent(draft, todo);
  return done("");
}

const countedUsage = ({ input, output, cacheRead, cacheWrite, cost }: Usage): Usage => ({
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
function endedTurn({ run: { ledger } }: Draft, id: string | undefined): string | undefined {
  if (id !== undefined)
    return ledger.endedTurns.includes(id) || (ledger.turn && ledger.turn.id !== id) ? undefined : id;
  if (ledger.turn) return ledger.turn.id;
  const somethingBegan = !ledger.boundary || ledger.nudge?.status === "delivered";
  return somethingBegan ? `after-b${ledger.boundaries}` : undefined;
}

const wasTold = ({ run }: Draft, end: string | undefined): boolean =>
  end !== undefined && run.ledger.endedTurns.includes(end);

function setAsideIfSpent(draft: Draft, id: TodoId): void {
  const { perTodo } = draft.context.limits;
  const entry = draft.run.ledger.todoLedgers[id];
  const isOpen = draft.run.plan.todos.some((todo) => todo.id === id && !isFinished(todo) && todo.status !== "blocked");
  if (!entry || !isOpen) return;
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
