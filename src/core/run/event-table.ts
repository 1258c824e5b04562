import type { RunEvent } from "./event.ts";
import { ANSWER_EVENTS } from "./events/answer.ts";
import { CALL_EVENTS } from "./events/call.ts";
import { CHECKPOINT_EVENTS } from "./events/checkpoint.ts";
import { CONVERSATION_EVENTS } from "./events/conversation.ts";
import { DECISION_EVENTS } from "./events/decision.ts";
import { HOST_EVENTS } from "./events/host.ts";
import { HUMAN_EVENTS } from "./events/human.ts";
import { LIFE_EVENTS } from "./events/life.ts";
import { LIST_EVENTS } from "./events/list.ts";
import { NOTIFICATION_EVENTS } from "./events/notification.ts";
import { PROOF_EVENTS } from "./events/proof.ts";
import type { EventRow, Rows } from "./events/row.ts";
import { TURN_EVENTS } from "./events/turn.ts";
import { WORDS_EVENTS } from "./events/words.ts";
import { WORKFLOW_EVENTS } from "./events/workflow.ts";

/** Every event that can stand in a log: its version, its form, what it means and what it does. */
export const EVENT_TABLE: Rows<RunEvent> = {
  ...LIFE_EVENTS,
  ...HUMAN_EVENTS,
  ...WORDS_EVENTS,
  ...TURN_EVENTS,
  ...ANSWER_EVENTS,
  ...DECISION_EVENTS,
  ...PROOF_EVENTS,
  ...CHECKPOINT_EVENTS,
  ...CONVERSATION_EVENTS,
  ...HOST_EVENTS,
  ...LIST_EVENTS,
  ...WORKFLOW_EVENTS,
  ...CALL_EVENTS,
  ...NOTIFICATION_EVENTS,
};

/** The row of an event, as one that takes that very event. */
export const rowOf = ({ type }: { readonly type: RunEvent["type"] }): EventRow<RunEvent> =>
  EVENT_TABLE[type] as unknown as EventRow<RunEvent>;

/** How the events of a type are written now; of a type that is not known here, the first. */
export const versionOf = (type: string): number => (isKnownType(type) ? EVENT_TABLE[type].v : 1);

export const isKnownType = (type: string): type is RunEvent["type"] => Object.hasOwn(EVENT_TABLE, type);

/** What each event of the log means, one sentence each. */
export const EVENTS = Object.fromEntries(
  Object.entries(EVENT_TABLE).map(([type, { means }]) => [type, means]),
) as Readonly<Record<RunEvent["type"], string>>;
