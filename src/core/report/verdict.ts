import { STOP, stopRow } from "../reason/index.ts";
import { decisionText, EVENTS, type Run } from "../run/index.ts";

/** How a run stands, in a word and a sentence. */
export interface Verdict {
  readonly reason: string;
  readonly says: string;
  readonly exit?: number;
}

export function verdictOf({ ledger }: Run): Verdict {
  const { decision, endReason, left } = ledger;
  if (left && endReason === undefined) return { reason: "left", says: EVENTS["host.left"] };
  if (decision?.type === "stop")
    return { reason: decision.reason, says: decisionText(decision), exit: stopRow(decision.reason).exit };
  if (endReason !== undefined) {
    const known = Object.hasOwn(STOP, endReason) ? stopRow(endReason) : undefined;
    return { reason: endReason, says: known?.says ?? `The run was ${endReason}.`, ...(known && { exit: known.exit }) };
  }
  if (decision?.type === "wait") return { reason: decision.reason, says: decisionText(decision) };
  return { reason: "working", says: "The agent is working." };
}
