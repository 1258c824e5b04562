import { clipLine } from "../../text/index.ts";
import type { NudgeKind, StoredDecision } from "../decision.ts";
import { decisionText } from "../decision-text.ts";
import type { Boundary, Ledger, Millis } from "../run.ts";
import { decision, flag, maybe, nudgeKind, number, object, text } from "./form.ts";
import { TEXT } from "./line.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** Decisions, waits and nudges. */
export type DecisionEvent =
  | { readonly type: "decision.made"; readonly boundary: string; readonly decision: StoredDecision }
  | {
      readonly type: "wait.parked";
      readonly boundary: string;
      readonly waker: string;
      /** Only your word wakes it. */
      readonly forHuman?: boolean;
    }
  | {
      readonly type: "nudge.intended";
      readonly nudge: string;
      readonly boundary: string;
      readonly kind: NudgeKind;
      /** Why it begins a new conversation; absent: it continues the one before. */
      readonly fresh?: string;
    }
  | { readonly type: "nudge.delivered"; readonly nudge: string }
  /** `boundary`: it was due there and not yet on its way. */
  | { readonly type: "nudge.failed"; readonly nudge: string; readonly message: string; readonly boundary?: string }
  | {
      readonly type: "nudge.withdrawn";
      readonly nudge: string;
      readonly why: string;
      /** The session was busy: where the nudge was due, and when it is tried again. */
      readonly busy?: { readonly boundary: string; readonly until: Millis };
    };

export function decisionEvents(): Rows<DecisionEvent> {
  return {
    "decision.made": {
      v: 1,
      means: "Continue, wait or stop was decided, with the rule.",
      line: (event) =>
        `${event.decision.type === "continue" ? "continue" : `${event.decision.type} ${event.decision.reason}`}: ${decisionText(event.decision)}`,
      fields: { boundary: text, decision },
      fold: ledgerOf((ledger, event, { at }) => decided(ledger, event, at)),
    },
    "wait.parked": {
      v: 1,
      means: "A wait that no running process will end, and what will.",
      line: (event) => `parked; wakes it: ${event.waker}`,
      fields: { boundary: text, waker: text, forHuman: maybe(flag) },
      fold: ledgerOf((ledger, event) =>
        atBoundary(ledger, event.boundary, {
          status: "parked",
          forHuman: event.forHuman === true,
          undecided: ledger.boundary?.status === "open" || ledger.boundary?.undecided === true,
        }),
      ),
    },
    "nudge.intended": {
      v: 1,
      means: "A nudge is about to go out.",
      line: (event) =>
        `nudge ${event.nudge} (${event.kind}) is about to go out${event.fresh === undefined ? "" : `, in a new conversation: ${clipLine(event.fresh, TEXT)}`}`,
      fields: { nudge: text, boundary: text, kind: nudgeKind, fresh: maybe(text) },
      fold: ledgerOf((ledger, event, { at }) => ({
        ...atBoundary(ledger, event.boundary, { status: "nudged" }),
        nudge: {
          id: event.nudge,
          boundary: event.boundary,
          kind: event.kind,
          status: "intended",
          ...(event.fresh !== undefined && { fresh: event.fresh }),
        },
        lastNudgeAt: at,
        ...(ledger.dropped && { dropped: { ...ledger.dropped, told: true } }),
      })),
    },
    "nudge.delivered": {
      v: 1,
      means: "The host took the nudge.",
      line: (event) => `nudge ${event.nudge} delivered`,
      fields: { nudge: text },
      fold: ledgerOf((ledger, event) =>
        ledger.nudge?.id === event.nudge ? { ...ledger, nudge: { ...ledger.nudge, status: "delivered" } } : ledger,
      ),
    },
    "nudge.failed": {
      v: 1,
      means: "The host did not take the nudge.",
      line: (event) => `nudge ${event.nudge} failed: ${clipLine(event.message, TEXT)}`,
      fields: { nudge: text, message: text, boundary: maybe(text) },
      fold: ledgerOf((ledger, event, { at }) => nudgeFailed(ledger, event, at)),
    },
    "nudge.withdrawn": {
      v: 1,
      means: "The nudge did not go out, and why.",
      line: (event) => `nudge ${event.nudge} withdrawn: ${clipLine(event.why, TEXT)}`,
      fields: { nudge: text, why: text, busy: maybe(object({ boundary: text, until: number })) },
      fold: ledgerOf(nudgeWithdrawn),
    },
  };
}

type Event<T extends DecisionEvent["type"]> = Extract<DecisionEvent, { readonly type: T }>;

function decided(ledger: Ledger, { boundary, decision }: Event<"decision.made">, at: number): Ledger {
  return {
    ...atBoundary(ledger, boundary, { ...settlement(decision, at), forHuman: false, undecided: false }),
    decision,
  };
}

function settlement(decision: StoredDecision, at: number): Partial<Boundary> {
  switch (decision.type) {
    case "stop":
      return { status: "stopped", until: undefined };
    case "wait":
      return { status: "waiting", until: decision.until };
    case "continue":
      return { status: "countdown", until: at + decision.after };
  }
}

/** The turn never began: the boundary is open again, and the next try waits as after a provider that failed. */
function nudgeFailed(ledger: Ledger, { nudge: id, message, boundary }: Event<"nudge.failed">, at: number): Ledger {
  const { nudge, ...rest } = ledger;
  const due = nudge?.id === id ? nudge.boundary : nudge ? undefined : boundary;
  if (due === undefined) return ledger;
  const failures = { ...ledger.failures, tries: ledger.failures.tries + 1 };
  return atBoundary({ ...rest, failures }, due, { status: "open", at, failure: { kind: "host", message } });
}

function nudgeWithdrawn(ledger: Ledger, { nudge: id, busy }: Event<"nudge.withdrawn">): Ledger {
  const { nudge, ...rest } = ledger;
  if (nudge?.id === id) return atBoundary(rest, nudge.boundary, { status: "open" });
  if (nudge || !busy) return ledger;
  const tries = (ledger.boundary?.busy?.tries ?? 0) + 1;
  return atBoundary(ledger, busy.boundary, { status: "open", busy: { tries, until: busy.until } });
}

function atBoundary(ledger: Ledger, id: string, change: Partial<Boundary>): Ledger {
  if (ledger.boundary?.id !== id) return ledger;
  return { ...ledger, boundary: { ...ledger.boundary, ...change } };
}
