import type { Approval, CancelCode, Effect, ErrorCode, SettledStatus } from "./call.ts";

/** How an approval ended. The first four let the call continue. */
export const OUTCOMES = {
  once: "approved once",
  always_tool: "approved, and this tool is always allowed from now on",
  always_rule: "approved, and exactly this is always allowed from now on",
  edited: "approved with other arguments",
  denied: "denied",
  stopped: "denied, and everything else stopped",
  timed_out: "no answer in time",
  withdrawn: "the call ended before anyone answered",
} as const satisfies Record<string, string>;
export type Outcome = keyof typeof OUTCOMES;

/**
 * What the log keeps of calls: every question to a user and its answer; for a call that writes, the intent
 * before it acts and the outcome after; for all the others one line per batch. Results are not in it, and of the arguments
 * only what you had to approve: they may be large, and may hold what must not be written down.
 */
export type CallEvent =
  | { readonly type: "approval.requested"; readonly approval: Approval }
  | {
      readonly type: "approval.answered";
      readonly call: string;
      readonly outcome: Outcome;
      readonly words: string;
      /** Of what was answered; where the arguments were edited, of what runs instead. Absent in old logs. */
      readonly digest?: string;
      /** All of what runs instead, where the arguments were edited. */
      readonly what?: string;
    }
  | ({ readonly type: "call.intended" } & Intent)
  | {
      readonly type: "call.settled";
      readonly call: string;
      readonly tool: string;
      readonly status: SettledStatus;
      /** Absent for a success. */
      readonly code?: ErrorCode | CancelCode;
      readonly effect: Effect;
      readonly digest: string;
    }
  /** The tool of a call that had been given up came back: what it did counts for nothing but this line. */
  | { readonly type: "call.late"; readonly call: string; readonly effect: "done" | "failed" }
  /** The process ended before the agent had its result. `effect`: what the tool did, as far as it is known. */
  | ({ readonly type: "call.cut" } & CutCall)
  | ({ readonly type: "batch.settled" } & BatchSummary);

export interface CutCall {
  readonly call: string;
  readonly tool: string;
  readonly what: string;
  readonly effect: Effect;
}

export interface Intent {
  readonly call: string;
  readonly tool: string;
  readonly what: string;
  readonly writes: readonly string[];
  /** 2 when the first attempt failed in passing. */
  readonly attempt: number;
  /** Of what runs, where it was approved: the same as in the answer. */
  readonly digest?: string;
}

export interface BatchSummary {
  readonly batch: string;
  readonly counts: Readonly<Record<SettledStatus, number>>;
  /** Names of the (tool, arguments, result) seen, each once, our own tools aside: what activity is judged by. */
  readonly digests: readonly string[];
  /** How many digests did not fit. */
  readonly omitted: number;
}

/** What an earlier process left half-way. It is shown, never done again by itself. */
export interface CutOff {
  readonly approvals: readonly Approval[];
  readonly calls: readonly Intent[];
}

/** Reads a whole log: events of other rooms pass by. */
export function recover(events: Iterable<CallEvent>): CutOff {
  const approvals = new Map<string, Approval>();
  const calls = new Map<string, Intent>();
  for (const event of events) {
    switch (event.type) {
      case "approval.requested":
        approvals.set(event.approval.call, event.approval);
        break;
      case "approval.answered":
        approvals.delete(event.call);
        break;
      case "call.intended": {
        const { type: _, ...intent } = event;
        calls.set(event.call, intent);
        break;
      }
      case "call.settled":
        calls.delete(event.call);
        approvals.delete(event.call);
        break;
      default:
        break; // nothing about what is under way, or another room's
    }
  }
  return { approvals: [...approvals.values()], calls: [...calls.values()] };
}
