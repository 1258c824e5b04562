import { FINISHED, STOP, stopRow, waitRow } from "../reason/index.ts";
import type { Run } from "../run/index.ts";
import { listOf } from "./list.ts";

/**
 * The state in a status line beside the agent: how far it is, and what keeps it. A tick is for what is proven or accepted.
 * Undefined while there is nothing to say.
 */
export function shortState(run: Run): string | undefined {
  const { total, text } = listOf(run).count;
  const { endReason } = run.ledger;
  if (total === 0 && run.goal === undefined) return run.status === "live" ? keptBy(run) : undefined;
  const finished = FINISHED.find((reason) => run.status === "ended" && reason === endReason);
  if (finished) {
    const { tone, label } = STOP[finished];
    const items = total === 1 ? "1 todo" : `${total} todos`;
    return `${tone === "success" ? "✓" : "☑"} ${label.charAt(0).toUpperCase()}${label.slice(1)} (${items})`;
  }
  const kept = run.status === "live" ? keptBy(run) : undefined;
  return [`📋 ${text}`, kept].filter(Boolean).join(" · ");
}

function keptBy({ ledger: { held, interrupt, turn, boundary, decision } }: Run): string | undefined {
  if (held) return STOP.held.label;
  if (turn || !boundary) return undefined;
  if (interrupt) return STOP.interrupted.label;
  if (boundary.status === "parked") return "parked: send a message, or /unhold";
  if (decision?.type === "stop" && boundary.status === "stopped") return stopRow(decision.reason).label;
  if (decision?.type === "wait" && boundary.status === "waiting") return `waits: ${waitRow(decision.reason).label}`;
  return undefined;
}
