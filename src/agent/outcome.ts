import { stopRow } from "../core/reason/index.ts";
import { decisionText, type Run } from "../core/run/index.ts";

/** How a headless run ended: the reason, in words, and the exit code of the process. */
export interface Outcome {
  /** Of a stop, or `waiting`, `no_run`, `unrecorded`. */
  readonly reason: string;
  readonly says: string;
  readonly exit: number;
}

export function outcomeOf(run: Run | undefined): Outcome {
  if (!run) return { reason: "no_run", says: "The agent never wrote a todo list.", exit: 5 };
  const { decision, checks } = run.ledger;
  if (decision?.type !== "stop")
    return {
      reason: "waiting",
      says: decision ? decisionText(decision) : "The agent ended before anything was decided.",
      exit: 5,
    };
  const { reason } = decision;
  if (reason === "done_unproven" && checks.length === 0)
    return { reason, says: "Finished, but not proven: you gave no check.", exit: 0 };
  return { reason, says: decisionText(decision), exit: stopRow(reason).exit };
}

/** The log ends before the work did: what it says last is not how the run ended. */
export function unrecorded(why: string | undefined): Outcome | undefined {
  return why === undefined
    ? undefined
    : { reason: "unrecorded", says: `Stopped: the run can no longer be recorded. ${why}`, exit: 1 };
}
