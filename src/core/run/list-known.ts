import type { Envelope } from "./event.ts";
import type { Run } from "./run.ts";

/**
 * Whether the agent knows how the list stands: it wrote it, or was told. It does not when somebody else changed the list, when its memory
 * was summed up, and when another process or session took the run over.
 */
export function knowsList({ ledger }: Run, { by, event }: Envelope): boolean {
  const known = ledger.listKnown;
  switch (event.type) {
    case "todos.written":
      return by === "model";
    case "nudge.delivered":
      return known || (ledger.nudge?.id === event.nudge && LISTS.has(ledger.nudge.kind));
    case "compaction.ended":
    case "run.claimed":
    case "run.bound":
    case "plan.rebased":
      return false;
    default:
      return known && (by === "model" || !event.type.startsWith("todo."));
  }
}

/** Nudges that show the list. */
const LISTS: ReadonlySet<string> = new Set(["todo", "question", "wind_down"]);
