import type { Reset, StopReason } from "../../reason/index.ts";
import type { Check } from "../../todo/index.ts";
import type { Budget } from "../budget.ts";
import type { HoldBatch, InterruptHow } from "../event.ts";
import { resumed } from "../evolve-resume.ts";
import type { Braked } from "../pace.ts";
import type { Ledger } from "../run.ts";
import { budget, check, flag, list, maybe, object, text, texts } from "./form.ts";
import { pairs } from "./line.ts";
import { ledgerOf, type Rows } from "./row.ts";
import { NEVER_UNSENT } from "./words.ts";

/** What you said and did. Holds and interrupts end only as these rows say. */
export type HumanEvent =
  | { readonly type: "continuation.switched"; readonly on: boolean }
  | { readonly type: "human.spoke" }
  | { readonly type: "human.held"; readonly now: boolean; readonly batch?: HoldBatch }
  | { readonly type: "human.unheld" }
  /** The person continues a run: what stopped it is set back, and its boundary is a new one. Limits and checks given with it hold from now on. */
  | {
      readonly type: "human.resumed";
      readonly reasons: readonly StopReason[];
      readonly resets: readonly Reset[];
      readonly boundary?: string;
      readonly budget?: Budget;
      readonly checks?: readonly Check[];
    }
  | { readonly type: "human.interrupted"; readonly how: InterruptHow }
  | { readonly type: "human.accepted" }
  | { readonly type: "budget.extended"; readonly budget: Budget };

export function humanEvents(): Rows<HumanEvent> {
  return {
    "continuation.switched": {
      v: 1,
      means: "You switched continuation of this run on or off.",
      line: (event) => `continuation switched ${event.on ? "on" : "off"}`,
      fields: { on: flag },
      fold: ledgerOf((ledger, event) => ({ ...ledger, off: !event.on })),
    },
    "human.spoke": {
      v: 1,
      means: "You sent the agent a message.",
      fields: {},
      fold: ledgerOf((ledger) => spoke(ledger)),
    },
    "human.held": {
      v: 1,
      means: "You put the run on hold; `now` also ended what was running.",
      line: (event) => (event.now ? "put on hold by you, running tools ended" : "put on hold by you"),
      fields: { now: flag, batch: maybe(object({ id: text, cwd: text })) },
      fold: ledgerOf((ledger) => ({
        ...ledger,
        held: true,
        ...(ledger.turn && { turn: { ...ledger.turn, held: true } }),
      })),
    },
    "human.unheld": {
      v: 1,
      means: "You let the run continue.",
      fields: {},
      fold: ledgerOf((ledger) => lifted(unheld(ledger), () => true)),
    },
    "human.resumed": {
      v: 1,
      means: "You continued the run: what stopped it is reset, and the limits and checks given with it apply.",
      line: (event) =>
        event.reasons.length === 0 ? "continued by you" : `continued by you after ${event.reasons.join(", ")}`,
      fields: {
        reasons: texts,
        resets: texts,
        boundary: maybe(text),
        budget: maybe(budget),
        checks: maybe(list(check)),
      },
      fold: ledgerOf((ledger, event, { at }) => lifted(resumed(ledger, event, at), () => true)),
    },
    "human.interrupted": {
      v: 1,
      means: "You aborted a turn, cancelled a countdown, dismissed a question or refused an approval.",
      line: (event) => `interrupted by you (${event.how})`,
      fields: { how: text },
      fold: ledgerOf((ledger) => ({ ...ledger, interrupt: {} })),
    },
    "human.accepted": {
      v: 1,
      means: "You accepted what is done, doubts and proposed checks included.",
      fields: {},
      fold: ledgerOf((ledger) => ({
        ...ledger,
        accepted: true,
        ...(ledger.workspace !== undefined && { phaseWorkspace: ledger.workspace }),
      })),
    },
    "budget.extended": {
      v: 1,
      means: "You raised a budget.",
      line: (event) => `budget raised: ${pairs(event.budget)}`,
      fields: { budget },
      fold: ledgerOf((ledger, event) => ({
        ...lifted(ledger, ({ reason }) => Object.keys(event.budget).some((name) => reason === `budget_${name}`)),
        budget: extended(ledger.budget, event.budget),
        woundDown: false,
        since: { nudged: 0, idle: 0, still: 0 },
      })),
    },
  };
}

/** The user wants it to continue: what failed is tried again, with all its tries. */
function unheld({ interrupt: _over, boundary, ...ledger }: Ledger): Ledger {
  const { failure: _tried, ...rest } = boundary ?? {};
  return {
    ...ledger,
    held: false,
    ...(ledger.turn && { turn: { ...ledger.turn, held: false } }),
    failures: { tries: 0, windows: 0 },
    unsent: NEVER_UNSENT,
    ...(boundary && { boundary: rest as NonNullable<typeof boundary> }),
  };
}

/** What ended a turn stops nothing any more, where `isMeant` says so. */
function lifted(ledger: Ledger, isMeant: (braked: Braked) => boolean): Ledger {
  const { turn, boundary } = ledger;
  return {
    ...ledger,
    ...(turn?.braked && isMeant(turn.braked) && { turn: { ...turn, braked: { ...turn.braked, lifted: true } } }),
    ...(boundary?.braked &&
      isMeant(boundary.braked) && { boundary: { ...boundary, braked: { ...boundary.braked, lifted: true } } }),
  };
}

/** The boundary is over: the words start a turn of their own, or the one that runs answers them. Budgets are totals and stay. */
function spoke({ boundary: _over, turn, ...ledger }: Ledger): Ledger {
  const { answers: _nudge, ...running } = turn ?? {};
  return {
    ...ledger,
    ...(turn && { turn: running as NonNullable<typeof turn> }),
    since: { nudged: 0, idle: 0, still: 0 },
    asked: 0,
    listAsked: false,
    addedProgress: 0,
    failures: { tries: 0, windows: 0 },
  };
}

/** What is not limited stays so: more of the unlimited is no limit. */
function extended(budget: Budget, more: Budget): Budget {
  const names = (Object.keys(more) as (keyof Budget)[]).filter((name) => budget[name] !== undefined);
  return { ...budget, ...Object.fromEntries(names.map((name) => [name, (budget[name] ?? 0) + (more[name] ?? 0)])) };
}
