import { STOP, stopRow } from "../reason/index.ts";
import { decisionText, EVENTS, isOpenAgain, type Run } from "../run/index.ts";
import { asksOf } from "../view/index.ts";

/** How a run stands, in a word and a sentence. */
export interface Verdict {
  readonly reason: string;
  readonly says: string;
  readonly exit?: number;
}

export function verdictOf(run: Run): Verdict {
  const { decision, endReason, left, held } = run.ledger;
  if (held && endReason === undefined) return { reason: "held", says: STOP.held.says, exit: STOP.held.exit };
  if (left && endReason === undefined) return { reason: "left", says: EVENTS["host.left"] };
  if (decision?.type === "stop")
    return { reason: decision.reason, says: decisionText(decision), exit: stopRow(decision.reason).exit };
  if (endReason !== undefined) {
    const known = Object.hasOwn(STOP, endReason) ? stopRow(endReason) : undefined;
    return { reason: endReason, says: known?.says ?? `The run was ${endReason}.`, ...(known && { exit: known.exit }) };
  }
  const [ask] = asksOf(run);
  if (ask) return { reason: WAITING_FOR_YOU, says: `${ask.says[0]?.toUpperCase()}${ask.says.slice(1)}.` };
  if (isOpenAgain(run.ledger)) return { reason: "open_again", says: "Open again after it was done." };
  if (decision?.type === "wait") return { reason: decision.reason, says: decisionText(decision) };
  return { reason: "working", says: "The agent is working." };
}

const WAITING_FOR_YOU = "waiting_for_you";
