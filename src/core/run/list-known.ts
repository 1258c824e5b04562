import type { Envelope } from "./event.ts";
import type { Run } from "./run.ts";

/**
 * Whether the agent knows how the list stands: it wrote it, or was told, and an edit of its own tells it. It does not when another
 * changed the list, when its context was compacted, when a turn was broken off before it could read the result, and when another
 * process or session took the run over.
 */
export function knowsList({ ledger }: Run, { by, event }: Envelope): boolean {
  const known = ledger.listKnown;
  switch (event.type) {
    case "todos.written":
      return by === "model";
    case "nudge.delivered":
      return (
        known ||
        (ledger.nudge?.id === event.nudge && (LISTS.has(ledger.nudge.kind) || ledger.nudge.fresh !== undefined))
      );
    case "conversation.began":
      return true; // its briefing shows the list
    case "turn.ended":
      return known && event.outcome !== "aborted";
    case "compaction.ended":
    case "run.claimed":
    case "run.bound":
    case "plan.rebased":
      return false;
    default:
      return event.type.startsWith("todo.") ? by === "model" : known;
  }
}

/** Nudges that show the list. */
const LISTS: ReadonlySet<string> = new Set(["todo", "question", "wind_down"]);
