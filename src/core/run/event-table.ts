import type { RunEvent } from "./event.ts";
import { answerEvents } from "./events/answer.ts";
import { callEvents } from "./events/call.ts";
import { checkpointEvents } from "./events/checkpoint.ts";
import { conversationEvents } from "./events/conversation.ts";
import { decisionEvents } from "./events/decision.ts";
import { hostEvents } from "./events/host.ts";
import { humanEvents } from "./events/human.ts";
import { lifeEvents } from "./events/life.ts";
import { listEvents } from "./events/list.ts";
import { notificationEvents } from "./events/notification.ts";
import { proofEvents } from "./events/proof.ts";
import type { EventRow, Rows } from "./events/row.ts";
import { turnEvents } from "./events/turn.ts";
import { wordsEvents } from "./events/words.ts";
import { workflowEvents } from "./events/workflow.ts";

/** Every event that can stand in a log: its version, its form, what it means and what it does. */
export const eventTable = (): Rows<RunEvent> => (table ??= made());

/**
 * Made at the first event: a process that decides from a kept fold meets none. Each part is a function with braces, whose inside the
 * engine of JavaScript passes over until it is called; an arrow with nothing but an expression it reads whole at the start.
 */
let table: Rows<RunEvent> | undefined;

function made(): Rows<RunEvent> {
  return {
    ...lifeEvents(),
    ...humanEvents(),
    ...wordsEvents(),
    ...turnEvents(),
    ...answerEvents(),
    ...decisionEvents(),
    ...proofEvents(),
    ...checkpointEvents(),
    ...conversationEvents(),
    ...hostEvents(),
    ...listEvents(),
    ...workflowEvents(),
    ...callEvents(),
    ...notificationEvents(),
  };
}

/** The row of an event, as one that takes that very event. */
export const rowOf = ({ type }: { readonly type: RunEvent["type"] }): EventRow<RunEvent> =>
  eventTable()[type] as unknown as EventRow<RunEvent>;

/** How the events of a type are written now; of a type that is not known here, the first. */
export const versionOf = (type: string): number => (isKnownType(type) ? eventTable()[type].v : 1);

export const isKnownType = (type: string): type is RunEvent["type"] => Object.hasOwn(eventTable(), type);
