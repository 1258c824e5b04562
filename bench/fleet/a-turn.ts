import type { RunCard } from "../../src/engine/index.ts";
import type { Row } from "../../src/fleet/index.ts";
import { longRun } from "../long-run.ts";

/** One turn of a coding agent writes about so many events. */
const EVENTS = 30;

const { events, card } = longRun(1_000);

/** The events that follow `after`, as a turn brings them. */
export function rowsOfTurn(after: number, count = EVENTS): readonly Row[] {
  return Array.from({ length: count }, (_, index) => {
    const { at, by, v, event } = events[(after + index) % events.length]!;
    return { seq: after + index + 1, at, by, v, event: JSON.stringify(event) };
  });
}

export const CARD: RunCard = card;

/** What a host writes about a turn: answers, calls, what they printed. */
export const CONVERSATION: Uint8Array = new TextEncoder().encode(
  `${JSON.stringify({ role: "tool", text: "ok: 12 passed, 0 failed, in src/parse.ts\n" })}\n`.repeat(256),
);
