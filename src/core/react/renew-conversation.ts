import { chooseConversation, isUnasked, mayRenew, modeOf, next, renewsNow } from "../continuation/index.ts";
import type { NewEvent, NudgeKind, Run } from "../run/index.ts";
import { briefingText, END_OF_TURN } from "../words/index.ts";
import type { Draft } from "./draft.ts";
import { done, nothing, type Reply } from "./reaction.ts";

/**
 * Between two answers of a turn; the answer is what the new conversation begins with. What holds the run back at that moment keeps the
 * conversation, too.
 */
export function renewConversation(draft: Draft): Reply {
  const { run, context } = draft;
  const found = next(run);
  if (found.status !== "free" || !mayRenew(run, context.limits)) return nothing;
  const kind = found.step.type;
  const choice = renewsNow(run, context.limits, briefingSize(draft, kind));
  if (choice.start === "same") {
    draft.add("engine", { type: "conversation.kept", why: choice.why });
    return nothing;
  }
  const text = briefingText(run, kind, context.limits.listInNudge);
  draft.add("engine", { type: "conversation.began", why: choice.why });
  return done(text);
}

/** Why the nudge of this kind begins a new conversation; undefined: it continues the one before. */
export function whyFresh(draft: Draft, kind: NudgeKind): string | undefined {
  const { run, context } = draft;
  const choice = chooseConversation(run, context.limits, kind, briefingSize(draft, kind));
  if (choice.start === "fresh") return choice.why;
  if (isAskedFor(draft) && isUnasked(run.ledger.conversation))
    draft.add("engine", { type: "conversation.kept", why: choice.why });
  return undefined;
}

/**
 * Where a new conversation begins only with a nudge, an agent that never stops would stay in the first one: it hears from the call that
 * ended a todo that its turn is over.
 */
export function endingTurn(draft: Draft, reply: Reply): Reply {
  const { run, context, events } = draft;
  const isOfNudges = context.renews === "nudge" || context.renews === "process";
  if (!isOfNudges || !run.ledger.turn || reply.type !== "done" || !events.some(endsTodo)) return reply;
  const found = next(run);
  if (found.status !== "free") return reply;
  const kind = found.step.type;
  const { start } = chooseConversation(run, context.limits, kind, briefingSize(draft, kind));
  return start === "fresh" ? { ...reply, text: `${reply.text}\n${END_OF_TURN}` } : reply;
}

/** What the agent has to hear of a reply that its own tool does not print; undefined: its turn goes on. */
export const endOfTurnIn = (reply: Reply): string | undefined =>
  reply.type === "done" && reply.text.endsWith(END_OF_TURN) ? END_OF_TURN : undefined;

const endsTodo = ({ by, event }: NewEvent): boolean =>
  by === "model" &&
  (event.type === "todo.completed" || event.type === "todo.abandoned" || event.type === "todo.blocked");

const isAskedFor = ({ run, context: { limits } }: Draft): boolean => modeOf(run, limits.context.mode) !== "same";

const CHARACTERS_PER_TOKEN = 4;

const briefingSize =
  ({ run, context: { limits } }: { run: Run; context: Draft["context"] }, kind: NudgeKind) =>
  (): number =>
    Math.ceil(briefingText(run, kind, limits.listInNudge).length / CHARACTERS_PER_TOKEN);
