import type { Draft } from "./draft.ts";
import { handleAccept } from "./handle-accept.ts";
import { cutRound } from "./handle-round.ts";
import { done, nothing, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

export function handleHuman(draft: Draft, trigger: TriggerIn<"human">): Reply {
  const { ledger } = draft.run;
  switch (trigger.type) {
    case "human.spoke":
      return spoke(draft);
    case "human.hold":
      if (ledger.held && !trigger.now) return nothing;
      draft.add("human", { type: "human.held", now: trigger.now, batch: trigger.batch });
      cutRound(draft, "the run was put on hold");
      return done("held");
    case "human.unhold":
      if (!ledger.held && !ledger.interrupt && !ledger.boundary?.forHuman && !ledger.boundary?.failure) return nothing;
      draft.add("human", { type: "human.unheld" });
      return done("unheld");
    case "human.interrupt":
      draft.add("human", { type: "human.interrupted", how: trigger.how });
      cutRound(draft, "interrupted");
      return done("interrupted");
    case "human.accept":
      return handleAccept(draft, trigger);
    case "human.extend":
      if (Object.values(trigger.budget).some((more) => !(more > 0)))
        return refused("bad_budget", "A budget is extended by a number greater than zero.");
      draft.add("human", { type: "budget.extended", budget: trigger.budget });
      return done("extended");
    case "human.clear":
      if (draft.run.status === "ended") return nothing;
      draft.add("human", { type: "run.ended", reason: "cleared" });
      return done("cleared");
    case "continuation.switch":
      if (ledger.off === !trigger.on) return nothing;
      draft.add("human", { type: "continuation.switched", on: trigger.on });
      return done(trigger.on ? "on" : "off");
    case "words.queue":
      if (ledger.words.some(({ id }) => id === trigger.words.id)) return nothing;
      draft.add("human", { type: "words.queued", words: trigger.words });
      cutRound(draft, "a message came in");
      return done("queued");
    case "words.edit":
    case "words.remove":
      return changeWords(draft, trigger);
    case "words.send":
      return sendWords(draft, trigger.ids);
    case "words.delivered":
      return wordsDelivered(draft, trigger.ids);
    case "words.failed":
      return wordsFailed(draft, trigger.ids, trigger.message);
  }
}

/** All or none: a process that may not send them all looks again at the next event. */
function sendWords(draft: Draft, due: readonly string[]): Reply {
  const { words, sending } = draft.run.ledger;
  const ids = words.map(({ id }) => id).filter((id) => due.includes(id) && !sending.includes(id));
  if (ids.length === 0 || ids.length < due.length) return nothing;
  draft.add("engine", { type: "words.sent", ids });
  return done("");
}

/** The process that was to say them is gone: those that the agent has are delivered, the others are due again. */
export function resolveWords(draft: Draft, heard: readonly string[], message: string): Reply {
  const reply = wordsDelivered(draft, heard);
  const { sending: ids } = draft.run.ledger;
  if (ids.length > 0) draft.add("engine", { type: "words.failed", ids, message, lost: true });
  return reply;
}

export function wordsDelivered(draft: Draft, delivered: readonly string[]): Reply {
  const ids = draft.run.ledger.words.map(({ id }) => id).filter((id) => delivered.includes(id));
  if (ids.length === 0) return nothing;
  draft.add("engine", { type: "words.delivered", ids });
  return spoke(draft);
}

/** They stay queued; a boundary that waited for them is released. */
export function wordsFailed(draft: Draft, failed: readonly string[], message: string): Reply {
  const ids = draft.run.ledger.sending.filter((id) => failed.includes(id));
  if (ids.length === 0) return nothing;
  draft.add("engine", { type: "words.failed", ids, message: message.slice(0, 1000) });
  const { boundary, decision, unsent } = draft.run.ledger;
  const isWaiting = boundary?.status === "waiting" && decision?.type === "wait" && decision.reason === "human";
  if (isWaiting && unsent.tries > draft.context.limits.backoffTries)
    draft.add("engine", { type: "wait.parked", boundary: boundary.id, waker: WORDS_STAY });
  return done("");
}

const WORDS_STAY = "the next event of this session, or you: the message stays queued";

/** The user's words let everything that waited for the user be tried again; what the engine set aside stays aside. */
function spoke(draft: Draft): Reply {
  const { plan, ledger } = draft.run;
  draft.add("human", { type: "human.spoke" });
  cutRound(draft, "a message came in");
  const freed = plan.todos
    .filter(({ id, status }) => status === "blocked" && !ledger.todoLedgers[id]?.setAside)
    .map(({ id }) => id);
  if (freed.length > 0) draft.add("engine", { type: "todo.reopened", ids: freed, to: "not_started" });
  return done("heard");
}

function changeWords(draft: Draft, trigger: Trigger & { type: "words.edit" | "words.remove" }): Reply {
  if (!draft.run.ledger.words.some(({ id }) => id === trigger.id))
    return refused("words_gone", "This message is already delivered or removed.");
  if (draft.run.ledger.sending.includes(trigger.id))
    return refused("words_gone", "This message is on its way to the agent; send a new one.");
  if (trigger.type === "words.edit") draft.add("human", { type: "words.edited", id: trigger.id, text: trigger.text });
  else draft.add("human", { type: "words.removed", id: trigger.id });
  return done(trigger.type === "words.edit" ? "edited" : "removed");
}

const refused = (code: string, message: string): Reply => ({ type: "refused", refusal: { code, message } });
