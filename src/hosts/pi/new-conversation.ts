import type { BoundaryResult, ContextEvent, TurnEndEvent } from "@earendil-works/pi-coding-agent";
import type { Engine } from "../../engine/index.ts";
import { BRIEFING_MESSAGE, NUDGE_MESSAGE } from "./nudge-message.ts";
import type { SessionRun } from "./session-run.ts";

type Entries = NonNullable<BoundaryResult["entries"]>;
type Messages = ContextEvent["messages"];

interface Message {
  readonly customType: string;
  readonly content: string;
  readonly display: boolean;
  readonly details: unknown;
}

/** pi keeps the old conversation in its session, for its tree, and sends nothing of it any more. */
export const newConversation = (message: Message): Entries => [
  { type: "compaction", summary: "A briefing follows.", firstKeptEntryId: null },
  { type: "custom_message", ...message },
];

/**
 * Nothing before the last briefing is sent, neither our note that it was left out. A briefing that came while pi was idle has no such
 * note at all: pi takes those only at its boundaries.
 */
export function sinceBriefing(messages: Messages): Messages {
  const at = messages.findLastIndex(isBriefing);
  return at > 0 ? messages.slice(at) : messages;
}

const isBriefing = (message: Messages[number]): boolean =>
  message.role === "custom" &&
  (message.customType === BRIEFING_MESSAGE ||
    (message.customType === NUDGE_MESSAGE && (message.details as { fresh?: unknown } | undefined)?.fresh === true));

export interface RenewalParts {
  readonly engine: Pick<Engine, "mayRenew">;
  readonly session: string;
  readonly own: Pick<SessionRun, "tell">;
}

/** Between two answers of a turn. Words that are on their way into it belong to the conversation that they were typed in. */
export function createRenewal({ engine, session, own }: RenewalParts) {
  return async function renew({ entries, context, toolResults }: TurnEndEvent): Promise<BoundaryResult | undefined> {
    if (toolResults.length === 0 || context.pendingMessages.length > 0 || !engine.mayRenew(session)) return undefined;
    const reply = await own.tell({ type: "conversation.renew" });
    if (reply.type !== "done") return undefined;
    const message = { customType: BRIEFING_MESSAGE, content: reply.text, display: true, details: {} };
    return { entries: [...entries, ...newConversation(message)] };
  };
}
