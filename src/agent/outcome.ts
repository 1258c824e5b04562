import { STOP, type StopReason } from "../core/continuation/index.ts";
import type { Run } from "../core/run/index.ts";
import { decisionText } from "../core/words/index.ts";

/** How a headless run ended: the reason, in words, and the exit code of the process. */
export interface Outcome {
  readonly reason: StopReason | "waiting" | "no_run";
  readonly says: string;
  readonly exit: number;
}

export function outcomeOf(run: Run | undefined): Outcome {
  if (!run)
    return { reason: "no_run", says: "The agent wrote no list, so there was nothing to carry through.", exit: 5 };
  const { decision, checks } = run.ledger;
  if (decision?.type !== "stop")
    return {
      reason: "waiting",
      says: decision ? decisionText(decision) : "The run stands where the agent left it.",
      exit: 5,
    };
  const { reason } = decision;
  if (reason === "done_unproven" && checks.length === 0)
    return { reason, says: "Everything is finished. No check was asked for, so nothing proves it.", exit: 0 };
  return { reason, says: decisionText(decision), exit: STOP[reason].exit };
}
