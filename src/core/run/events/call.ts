import { type CallEvent, cutCallText, OUTCOMES } from "../../call/index.ts";
import { clipLine } from "../../text/index.ts";
import type { Ledger, TurnCall } from "../run.ts";
import { seenCalls } from "./answer.ts";
import { amount, approval, maybe, named, record, text, texts } from "./form.ts";
import { pairs, TEXT } from "./line.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** Approvals that are pending, and the calls of the turn under way: what is lost if the process dies now. */
export function callEvents(): Rows<CallEvent> {
  return {
    "approval.requested": {
      v: 1,
      means: "A call asks for your approval.",
      line: (event, _run, exact) => `asks for approval: ${exact(event.approval.what, TEXT)}`,
      fields: { approval },
      isLife: true,
      fold: ledgerOf((ledger, { approval }) => {
        const { approvals } = ledger;
        const at = approvals.findIndex(({ call }) => call === approval.call);
        return { ...ledger, approvals: at < 0 ? [...approvals, approval] : approvals.with(at, approval) };
      }),
    },
    "approval.answered": {
      v: 1,
      means: "The approval was answered, timed out or withdrawn.",
      line: (event, _run, exact) =>
        `approval: ${OUTCOMES[event.outcome]} (call ${event.call})${event.what === undefined ? "" : `: ${exact(event.what, TEXT)}`}`,
      fields: {
        call: text,
        outcome: named(() => OUTCOMES),
        words: text,
        digest: maybe(text),
        what: maybe(text),
      },
      isLife: true,
      fold: ledgerOf((ledger, event) => without(ledger, event.call)),
    },
    "call.intended": {
      v: 1,
      means: "A call that writes is about to run.",
      line: (event) => `call ${event.call}: ${clipLine(event.what, TEXT)}`,
      fields: { call: text, tool: text, what: text, writes: texts, attempt: amount, digest: maybe(text) },
      fold: ledgerOf((ledger, { call, tool, what }) => {
        const others = ledger.calls.filter((other) => other.call !== call);
        return { ...ledger, calls: bounded([...others, { call, tool, what, effect: "unknown", status: "intended" }]) };
      }),
    },
    "call.settled": {
      v: 1,
      means: "A call that writes ended.",
      line: (event) =>
        `call ${event.call} (${event.tool}) ended: ${event.status}${event.code ? `, ${event.code}` : ""}`,
      fields: { call: text, tool: text, status: text, code: maybe(text), effect: text, digest: text },
      fold: ledgerOf((ledger, { call, effect }) => {
        const { calls } = ledger;
        const settled = calls.map((other) =>
          other.call === call ? { ...other, effect, status: "settled" as const } : other,
        );
        return { ...without(ledger, call), ...(calls.length > 0 && { calls: settled }) };
      }),
    },
    "call.cut": {
      v: 1,
      means: "The process ended before the agent had the result of a call that writes.",
      line: (event) => cutCallText(event),
      fields: { call: text, tool: text, what: text, effect: text },
      fold: ledgerOf((ledger, { type: _, ...cut }) => {
        return {
          ...ledger,
          calls: ledger.calls.filter(({ call }) => call !== cut.call),
          cutCalls: [...ledger.cutCalls, cut].slice(-MOST_CUT),
        };
      }),
    },
    "call.late": {
      v: 1,
      means: "A call that was given up returned later.",
      fields: { call: text, effect: text },
      fold: ledgerOf((ledger) => ledger),
    },
    "batch.settled": {
      v: 1,
      means: "A batch of calls ended: counts, and what was new.",
      line: (event) => `calls ended: ${pairs(event.counts)}`,
      fields: { batch: text, counts: record(amount), digests: texts, omitted: amount },
      fold: ledgerOf((ledger, event) => seenCalls(ledger, event.digests)),
    },
  };
}

const MOST_CUT = 50;
const MOST_SETTLED = 100;

/** A turn may be long; only the results of its last request can be missing, so old settled calls are forgotten. */
function bounded(calls: readonly TurnCall[]): readonly TurnCall[] {
  if (calls.length <= MOST_SETTLED) return calls;
  const oldest = calls.findIndex(({ status }) => status === "settled");
  return oldest < 0 ? calls : calls.toSpliced(oldest, 1);
}

function without(ledger: Ledger, call: string): Ledger {
  const at = ledger.approvals.findIndex((approval) => approval.call === call);
  return at < 0 ? ledger : { ...ledger, approvals: ledger.approvals.toSpliced(at, 1) };
}
