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

type Type = RunEvent["type"];
type AnyRow = EventRow<RunEvent>;
type Part = () => Partial<Rows<RunEvent>>;

/**
 * Each part is a function with braces, whose inside the engine of JavaScript passes over until it is called; an arrow with nothing but an
 * expression it reads whole at the start.
 */
const PARTS: readonly Part[] = [
  lifeEvents,
  humanEvents,
  wordsEvents,
  turnEvents,
  answerEvents,
  decisionEvents,
  proofEvents,
  checkpointEvents,
  conversationEvents,
  hostEvents,
  listEvents,
  workflowEvents,
  callEvents,
  notificationEvents,
];

/** A turn leaves events of the first three behind, and little else. */
const LOOKED_IN: ReadonlySet<Part> = new Set([turnEvents, answerEvents, decisionEvents, ...PARTS]);

/**
 * Made when an event of the part is looked for: a process that lives for one event meets few of them, and one that decides from a kept
 * fold none.
 */
const made = new Map<Part, ReturnType<Part>>();
const found = new Map<string, AnyRow>();

function rowsOf(part: Part): ReturnType<Part> {
  const known = made.get(part) ?? part();
  made.set(part, known);
  return known;
}

function find(type: string): AnyRow | undefined {
  const known = found.get(type);
  if (known) return known;
  for (const part of LOOKED_IN) {
    const rows = rowsOf(part);
    if (!Object.hasOwn(rows, type)) continue;
    const row = rows[type as Type] as unknown as AnyRow;
    found.set(type, row);
    return row;
  }
  return undefined;
}

/** Every event that can stand in a log: its version, its form, what it means and what it does. */
export const eventTable = (): Rows<RunEvent> => Object.assign({}, ...PARTS.map(rowsOf));

/** The row of an event, as one that takes that very event. */
export const rowOf = ({ type }: { readonly type: Type }): AnyRow => find(type)!;

/** How the events of a type are written now; of a type that is not known here, the first. */
export const versionOf = (type: string): number => find(type)?.v ?? 1;

export const isKnownType = (type: string): type is Type => find(type) !== undefined;
