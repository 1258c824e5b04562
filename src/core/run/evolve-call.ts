import type { CallEvent } from "../call/index.ts";
import { seenCalls } from "./evolve-turn.ts";
import type { Ledger, Run, TurnCall } from "./run.ts";

/** Approvals that are pending, and the calls of the turn under way: what is lost if the process dies now. */
export function evolveCall(run: Run, event: CallEvent): Run {
  const ledger = changed(run.ledger, event);
  return ledger === run.ledger ? run : { ...run, ledger };
}

function changed(ledger: Ledger, event: CallEvent): Ledger {
  const { approvals, calls, cutCalls } = ledger;
  switch (event.type) {
    case "approval.requested": {
      const { approval } = event;
      const at = approvals.findIndex(({ call }) => call === approval.call);
      return { ...ledger, approvals: at < 0 ? [...approvals, approval] : approvals.with(at, approval) };
    }
    case "approval.answered":
      return without(ledger, event.call);
    case "call.intended": {
      const { call, tool, what } = event;
      const others = calls.filter((other) => other.call !== call);
      return { ...ledger, calls: bounded([...others, { call, tool, what, effect: "unknown", status: "intended" }]) };
    }
    case "call.settled": {
      const { call, effect } = event;
      const settled = calls.map((other) =>
        other.call === call ? { ...other, effect, status: "settled" as const } : other,
      );
      return { ...without(ledger, call), ...(calls.length > 0 && { calls: settled }) };
    }
    case "call.cut": {
      const { type: _, ...cut } = event;
      return {
        ...ledger,
        calls: calls.filter(({ call }) => call !== cut.call),
        cutCalls: [...cutCalls, cut].slice(-MOST_CUT),
      };
    }
    case "call.late":
      return ledger;
    case "batch.settled":
      return seenCalls(ledger, event.digests);
  }
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
