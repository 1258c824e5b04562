import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { countProof, countText } from "../../core/proof/index.ts";
import { STOP, stopRow, waitRow } from "../../core/reason/index.ts";
import type { Run } from "../../core/run/index.ts";
import { clipLine } from "../../core/text/index.ts";
import { countTodos } from "../../core/todo/index.ts";
import { activeLine } from "../../core/words/index.ts";

/** Footer keys: how far it is, and what is worked on. pi shows a status on one line, so each is one line. */
export const STATUS_KEY = "til-done";
export const ACTIVE_KEY = "til-done-active";

export function showStatus(
  { ui }: Pick<ExtensionContext, "ui">,
  run: Run | undefined,
  form: "whole" | "short" = "whole",
): void {
  ui.setStatus(STATUS_KEY, run && statusLine(run));
  const active = run?.status === "live" && form === "whole" ? activeLine(run) : "";
  // The phase of a workflow stands behind it on the same line.
  const shown = run?.plan.workflow?.status === "active" ? clipLine(active, BESIDE_PHASE) : active;
  ui.setStatus(ACTIVE_KEY, shown || undefined);
}

const BESIDE_PHASE = 24;

export function clearStatus({ ui }: Pick<ExtensionContext, "ui">): void {
  ui.setStatus(STATUS_KEY, undefined);
  ui.setStatus(ACTIVE_KEY, undefined);
}

/** `✓ Done` is said only of what is proven; everything else has words of its own. */
export function statusLine(run: Run): string | undefined {
  const { total } = countTodos(run.plan.todos);
  const count = countText(countProof(run));
  if (total === 0 && run.goal === undefined) return run.status === "live" ? stateWords(run) : undefined;
  if (run.status === "ended") return ENDED[run.ledger.endReason ?? ""]?.(total) ?? `📋 ${count}`;
  const words = stateWords(run);
  return words === undefined ? `📋 ${count}` : `📋 ${count} · ${words}`;
}

const ENDED: Readonly<Record<string, (total: number) => string>> = {
  all_done: (total) => `✓ Done (${total} items)`,
  done_unproven: (total) => `☑ Finished, not proven (${total} items)`,
};

function stateWords({ ledger: { held, interrupt, turn, boundary, decision } }: Run): string | undefined {
  if (held) return STOP.held.label;
  if (turn || !boundary) return undefined;
  if (interrupt) return STOP.interrupted.label;
  if (boundary.status === "parked") return "parked: say what to do, or /unhold";
  if (decision?.type === "stop" && boundary.status === "stopped") return stopRow(decision.reason).label;
  if (decision?.type === "wait" && boundary.status === "waiting") return `waits: ${waitRow(decision.reason).label}`;
  return undefined;
}
