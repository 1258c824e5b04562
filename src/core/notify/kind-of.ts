import type { StopReason } from "../reason/index.ts";
import { stopRow } from "../reason/index.ts";
import type { NotifyKind } from "../run/index.ts";

/** Under which switch a stop is told. What a newer tildone stops for is a stop. */
export function kindOfStop(reason: string): NotifyKind {
  if (Object.hasOwn(KINDS, reason)) return KINDS[reason as StopReason] ?? "stopped";
  return stopRow(reason).news === "done" ? "done" : "stopped";
}

const KINDS: Partial<Record<StopReason, NotifyKind>> = {
  question: "question",
  awaiting_release: "release",
  budget_tokens: "budget",
  budget_cost: "budget",
  budget_minutes: "budget",
  budget_continuations: "budget",
  done_with_doubt: "done",
  all_done: "done",
  done_unproven: "done",
  done_accepted: "done",
};
