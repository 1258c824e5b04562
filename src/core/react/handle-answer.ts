import { brake, checkKey, commandLine, observedBy } from "../continuation/index.ts";
import { countedTokens, evolve, hasSeenCall, hasSeenState, NO_USAGE } from "../run/index.ts";
import { redact } from "../secret/index.ts";
import { nextTodo } from "../todo/index.ts";
import type { Draft } from "./draft.ts";
import { assume, assumedTurn, countedUsage, setAsideIfSpent } from "./handle-turn.ts";
import { done, nothing, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

/** What a turn does between its beginning and its end, as far as the host shows it. */
export function handleAnswer(draft: Draft, trigger: TriggerIn<"answer">): Reply {
  if (trigger.type !== "call.seen" || trigger.turn === undefined) begun(draft, trigger.turn);
  switch (trigger.type) {
    case "answer.seen":
      return answerSeen(draft, trigger);
    case "answer.growing":
      return answerGrowing(draft, trigger);
    case "tool.began":
      return toolBegan(draft, trigger);
    case "call.seen":
      return callSeen(draft, trigger);
  }
}

/** A run that was born in the middle of a turn learns of that turn by what it does next; a call that has a turn may be a late echo. */
function begun(draft: Draft, turn: string | undefined): void {
  const { ledger } = draft.run;
  if (ledger.turn || ledger.boundary || (turn !== undefined && ledger.endedTurns.includes(turn))) return;
  assume(draft, turn ?? assumedTurn(ledger));
}

function answerSeen(draft: Draft, trigger: Trigger & { type: "answer.seen" }): Reply {
  const { ledger, plan } = draft.run;
  const turn = trigger.turn ?? ledger.turn?.id;
  if (turn === undefined) return nothing;
  const { usage = NO_USAGE, estimated, cut, calls, unpriced, workspace } = trigger;
  const todo = ledger.turn?.todo ?? nextTodo(plan.todos)?.id;
  draft.add("host", {
    type: "answer.seen",
    turn,
    usage: countedUsage(usage),
    ...(estimated && { estimated }),
    ...(cut && { cut }),
    calls,
    ...(unpriced && { unpriced }),
    workspace,
    todo,
  });
  if (workspace !== undefined && !hasSeenState(ledger.seen, workspace))
    draft.add("host", { type: "activity.seen", turn, state: workspace });
  if (todo !== undefined) setAsideIfSpent(draft, todo);
  return done("");
}

const RECORD_EVERY_TOKENS = 2_000;
const RECORD_EVERY_MS = 10_000;

/** An answer that arrives is recorded now and then: often enough to be found after a crash, and to tell it from silence. */
function answerGrowing(draft: Draft, trigger: Trigger & { type: "answer.growing" }): Reply {
  const { turn } = draft.run.ledger;
  if (!turn || (trigger.turn !== undefined && trigger.turn !== turn.id)) return nothing;
  const { now, limits } = draft.context;
  const event = { type: "answer.growing", turn: turn.id, usage: countedUsage(trigger.usage) } as const;
  const { growing = NO_USAGE, heardAt, phase } = turn.pace;
  const isDue =
    phase !== "model" ||
    countedTokens(event.usage) - countedTokens(growing) >= RECORD_EVERY_TOKENS ||
    now - heardAt >= Math.min(RECORD_EVERY_MS, limits.brake.silenceMs / 4);
  const after = evolve(draft.run, { seq: 0, at: now, by: "host", v: 1, event });
  if (!isDue && brake(after, limits, now) === undefined) return nothing;
  draft.add("host", event);
  return done("");
}

function toolBegan(draft: Draft, trigger: Trigger & { type: "tool.began" }): Reply {
  const { turn } = draft.run.ledger;
  if (!turn || (trigger.turn !== undefined && trigger.turn !== turn.id)) return nothing;
  draft.add("host", { type: "tool.began", turn: turn.id });
  return done("");
}

function callSeen(draft: Draft, trigger: Trigger & { type: "call.seen" }): Reply {
  const { digest, turn, tool, own, workspace } = trigger;
  const { ledger } = draft.run;
  observeChecks(draft, trigger);
  const told = turn === undefined ? {} : { turn };
  const isNew = !own && !hasSeenCall(ledger.seen, digest);
  // Where answers are not shown, a call is all there is to be looked at.
  const looked = workspace !== undefined && hasSeenState(ledger.seen, workspace) && { looked: true };
  if (isNew) draft.add("host", { type: "activity.seen", call: digest, ...told, ...looked });
  else if (ledger.turn)
    draft.add("host", {
      type: "result.seen",
      call: digest,
      ...told,
      ...(tool !== undefined && { tool }),
      ...(workspace !== undefined && { state: workspace }),
    });
  if (ledger.turn && workspace !== undefined && !hasSeenState(ledger.seen, workspace))
    draft.add("host", { type: "activity.seen", state: workspace, ...told });
  return isNew || ledger.turn ? done("") : nothing;
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
        workspace,
        digest,
        tail: redact((command.output ?? "").slice(-2 * OBSERVED_TAIL)).slice(-OBSERVED_TAIL),
        askedBy: check.by,
        suspect: false,
        at: draft.context.now,
      },
    });
}

const OBSERVED_TAIL = 2000;
