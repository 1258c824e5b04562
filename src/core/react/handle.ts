import type { Draft } from "./draft.ts";
import { handleAnswer } from "./handle-answer.ts";
import { handleCalls } from "./handle-calls.ts";
import { handleCheckpoint } from "./handle-checkpoint.ts";
import { handleFirst } from "./handle-first.ts";
import { handleHost } from "./handle-host.ts";
import { handleHuman } from "./handle-human.ts";
import { guardWhatHasNone, handleList } from "./handle-list.ts";
import { handleNotification } from "./handle-notification.ts";
import { handleRecheck } from "./handle-recheck.ts";
import { handleResume } from "./handle-resume.ts";
import { handleRound } from "./handle-round.ts";
import { handleTurn } from "./handle-turn.ts";
import { handleWorkflow } from "./handle-workflow.ts";
import { done, nothing, type Reply } from "./reaction.ts";
import { renewConversation } from "./renew-conversation.ts";
import type { Trigger } from "./trigger.ts";
import { type Room, type TriggerIn, triggerRow } from "./trigger-table.ts";

/** What a trigger means: events into the draft, and the answer to the one who told. */
export function handle(draft: Draft, trigger: Trigger): Reply {
  const handler = HANDLERS[triggerRow(trigger).room] as (draft: Draft, trigger: Trigger) => Reply; // its own, says its row
  return handler(draft, trigger);
}

const HANDLERS: { readonly [R in Room]: (draft: Draft, trigger: TriggerIn<R>) => Reply } = {
  list: handleList,
  workflow: handleWorkflow,
  host: handleHost,
  human: handleHuman,
  turn: handleTurn,
  answer: handleAnswer,
  conversation: renewConversation,
  recheck(draft, trigger) {
    for (const fact of trigger.status === "ready" ? trigger.facts : []) handle(draft, fact);
    return handleRecheck(draft, trigger);
  },
  checkpoint: handleCheckpoint,
  round: handleRound,
  first: handleFirst,
  calls: handleCalls,
  resume: handleResume,
  launch(draft, { launch }) {
    if (JSON.stringify(launch) === JSON.stringify(draft.run.ledger.launch)) return nothing;
    draft.add("human", { type: "run.launched", launch });
    return done("");
  },
  goal(draft, { guard }) {
    guardWhatHasNone(draft, guard);
    return nothing;
  },
  notification: handleNotification,
  none: () => nothing,
};
