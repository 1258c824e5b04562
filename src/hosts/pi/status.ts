import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { countProof, countText } from "../../core/proof/index.ts";
import type { StopReason, WaitReason } from "../../core/reason/index.ts";
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
  if (held) return STOPPED.held;
  if (turn || !boundary) return undefined;
  if (interrupt) return STOPPED.interrupted;
  if (boundary.status === "parked") return "parked: say what to do, or /unhold";
  if (decision?.type === "stop" && boundary.status === "stopped") return STOPPED[decision.reason];
  if (decision?.type === "wait" && boundary.status === "waiting") return `waits: ${WAITS[decision.reason]}`;
  return undefined;
}

const STOPPED = {
  disabled: "off",
  held: "✋ held",
  interrupted: "interrupted",
  no_todos: "nothing to do",
  read_only: "read-only",
  all_done: "done",
  done_unproven: "finished, not proven",
  done_with_doubt: "finished with doubt",
  done_accepted: "finished, accepted",
  budget_tokens: "token budget spent",
  budget_cost: "cost budget spent",
  budget_minutes: "time budget spent",
  budget_continuations: "continuations spent",
  rate_limited: "rate limited",
  provider_error: "provider failed",
  context_full: "context full",
  host_limit: "limit of the host",
  refused: "refused",
  blocked: "⏸ blocked",
  awaiting_release: "waits for release",
  question: "asks you",
  no_progress: "no progress",
} as const satisfies Record<StopReason, string>;

const WAITS = {
  human: "your words",
  question: "your answer",
  approval: "your approval",
  recovering: "recovery",
  compacting: "compaction",
  verifying: "checks",
  background: "background work",
  rate_limited: "rate limit",
  backoff: "provider",
} as const satisfies Record<WaitReason, string>;
