import type { Draft } from "./draft.ts";
import { handleAnswer } from "./handle-answer.ts";
import { handleCalls } from "./handle-calls.ts";
import { handleHost } from "./handle-host.ts";
import { handleHuman } from "./handle-human.ts";
import { guardWhatHasNone, handleList } from "./handle-list.ts";
import { handleRecheck } from "./handle-recheck.ts";
import { handleResume } from "./handle-resume.ts";
import { handleRound } from "./handle-round.ts";
import { handleTurn } from "./handle-turn.ts";
import { handleWorkflow } from "./handle-workflow.ts";
import { done, nothing, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";

/** What a trigger means: events into the draft, and the answer to the one who told. */
export function handle(draft: Draft, trigger: Trigger): Reply {
  switch (trigger.type) {
    case "todos.write":
    case "todos.edit":
    case "todos.human_edit":
    case "todos.mirror":
      return handleList(draft, trigger);
    case "workflow.start":
    case "workflow.step":
      return handleWorkflow(draft, trigger);
    case "plan.rebase":
    case "run.open":
    case "run.bind":
    case "question.opened":
    case "question.closed":
    case "recovery.began":
    case "recovery.ended":
    case "compaction.began":
    case "compaction.ended":
    case "background.changed":
    case "mode.changed":
    case "model.chosen":
    case "host.failed":
    case "host.left":
    case "attempt.refused":
      return handleHost(draft, trigger);
    case "human.spoke":
    case "human.hold":
    case "human.unhold":
    case "human.interrupt":
    case "human.accept":
    case "human.extend":
    case "human.clear":
    case "continuation.switch":
    case "words.queue":
    case "words.edit":
    case "words.remove":
    case "words.send":
    case "words.delivered":
    case "words.failed":
      return handleHuman(draft, trigger);
    case "turn.started":
    case "turn.ended":
    case "workspace.observed":
    case "usage.seen":
    case "wait.parked":
    case "nudge.delivered":
    case "nudge.failed":
    case "nudge.withdraw":
    case "turn.resume":
      return handleTurn(draft, trigger);
    case "answer.seen":
    case "answer.growing":
    case "tool.began":
    case "call.seen":
      return handleAnswer(draft, trigger);
    case "host.rechecked":
      for (const fact of trigger.status === "ready" ? trigger.facts : []) handle(draft, fact);
      return handleRecheck(draft, trigger);
    case "round.ended":
      return handleRound(draft, trigger);
    case "human.answer":
    case "calls.journal":
      return handleCalls(draft, trigger);
    case "human.resume":
      return handleResume(draft, trigger);
    case "run.launch":
      if (JSON.stringify(trigger.launch) === JSON.stringify(draft.run.ledger.launch)) return nothing;
      draft.add("human", { type: "run.launched", launch: trigger.launch });
      return done("");
    case "goal.set":
      guardWhatHasNone(draft, trigger.guard);
      return nothing;
    case "timer.fired":
    case "turn.check":
    case "log.moved":
      return nothing;
  }
}
