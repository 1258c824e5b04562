import type { Asked } from "../../question/index.ts";
import type { StopReason } from "../../reason/index.ts";
import { clipLine } from "../../text/index.ts";
import { budgetSpent } from "../budget.ts";
import type { TurnOutcome, Usage } from "../event.ts";
import { type Braked, newPace } from "../pace.ts";
import type { Failure, Ledger, Millis, Turn } from "../run.ts";
import { withState } from "../seen.ts";
import { charged, withUsage } from "../spend.ts";
import { amount, failure, flag, maybe, object, oneOf, reason, text, usage } from "./form.ts";
import { TEXT } from "./line.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** Turns and the boundaries between them, with the counters that end a run which gets nowhere. */
export type TurnEvent =
  | {
      readonly type: "turn.started";
      readonly turn: string;
      readonly cause: Turn["cause"];
      /** What it begins with, and what bears its cost. */
      readonly todo?: string;
    }
  | {
      readonly type: "turn.ended";
      readonly turn: string;
      readonly end?: string;
      readonly boundary: string;
      readonly outcome: TurnOutcome;
      readonly failure?: Failure;
      /** It ended with a question that is yours to answer. */
      readonly question: boolean;
      /** What it asked, in its own words; absent in old logs. */
      readonly asks?: Asked;
      /** What its answers did not tell before. */
      readonly usage: Usage;
      readonly activeMs: Millis;
      readonly workspace?: string;
      /** The todo that the turn worked on and that bears its cost. */
      readonly todo?: string;
    }
  /** It had not ended: calls of the same answer followed. From now on it is called `turn`. */
  | { readonly type: "turn.resumed"; readonly turn: string; readonly of: string }
  /** What an agent that this run started has used, on top of the turn's own. */
  | { readonly type: "usage.spent"; readonly usage: Usage; readonly todo?: string }
  /** Its process died: the turn is over without an end of its own. */
  | { readonly type: "turn.cut"; readonly turn: string; readonly boundary: string }
  /** We end the turn. */
  | {
      readonly type: "turn.braked";
      readonly turn: string;
      readonly reason: StopReason;
      readonly detail?: string;
      readonly how: Braked["how"];
    }
  | { readonly type: "workspace.observed"; readonly workspace: string };

export function turnEvents(): Rows<TurnEvent> {
  return {
    "turn.started": {
      v: 1,
      means: "The agent began to work.",
      line: (event) => `turn ${event.turn} began (${event.cause})`,
      fields: { turn: text, cause: oneOf("human", "nudge", "host"), todo: maybe(text) },
      fold: ledgerOf((ledger, event, { at }) => started(ledger, event, at)),
    },
    "turn.ended": {
      v: 1,
      means: "The agent stopped working.",
      line: (event) =>
        event.failure
          ? `turn ${event.turn} failed: ${clipLine(event.failure.message, TEXT)}`
          : `turn ${event.turn} ${event.outcome}`,
      fields: {
        turn: text,
        end: maybe(text),
        boundary: text,
        outcome: oneOf("completed", "aborted", "failed"),
        failure: maybe(failure),
        question: flag,
        asks: maybe(object({ kind: oneOf("continue", "question", "act"), text })),
        usage,
        activeMs: amount,
        workspace: maybe(text),
        todo: maybe(text),
      },
      isLife: true,
      fold: ledgerOf((ledger, event, { at }) => ended(ledger, event, at)),
    },
    "turn.resumed": {
      v: 1,
      means: "A tool call followed, so the turn had not ended.",
      line: (event) => `turn ${event.of} continues as ${event.turn}: a tool call followed`,
      fields: { turn: text, of: text },
      fold: ledgerOf((ledger, event, { at }) => resumed(ledger, event, at)),
    },
    "usage.spent": {
      v: 1,
      means: "What a subagent of this run has used.",
      line: (event) => `an agent of this run used ${event.usage.input + event.usage.output} tokens`,
      fields: { usage, todo: maybe(text) },
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        spent: withUsage(ledger.spent, event.usage),
        todoLedgers:
          event.todo === undefined
            ? ledger.todoLedgers
            : charged(ledger.todoLedgers, event.todo, { usage: event.usage, activeMs: 0 }, undefined),
      })),
    },
    "turn.cut": {
      v: 1,
      means: "The process of a turn died; the next process continues from there.",
      line: (event) => `turn ${event.turn} was cut off: its process ended`,
      fields: { turn: text, boundary: text },
      fold: ledgerOf((ledger, event, { at }) => cut(ledger, event, at)),
    },
    "turn.braked": {
      v: 1,
      means: "tildone ends the turn: you hold the run, or a limit is reached.",
      fields: { turn: text, reason, detail: maybe(text), how: oneOf("after_tool", "now") },
      isLife: true,
      fold: ledgerOf((ledger, event, { at }) =>
        ledger.turn?.id === event.turn ? { ...ledger, turn: { ...ledger.turn, braked: brakedBy(event, at) } } : ledger,
      ),
    },
    "workspace.observed": {
      v: 1,
      means: "The state of the workspace when a turn began, or when a phase began or was to be left.",
      fields: { workspace: text },
      fold: ledgerOf((ledger, event) => ({
        ...ledger,
        workspace: event.workspace,
        seen: withState(ledger.seen, event.workspace),
      })),
    },
  };
}

type Event<T extends TurnEvent["type"]> = Extract<TurnEvent, { readonly type: T }>;

const REMEMBERED_TURNS = 32;

function started(
  { boundary: _over, ...ledger }: Ledger,
  { turn, cause, todo }: Event<"turn.started">,
  at: number,
): Ledger {
  const { nudge, ...rest } = ledger;
  const granted = nudge?.kind; // taken up, or overtaken by another turn and still on its way
  const fresh: Turn = {
    id: turn,
    cause,
    startedAt: at,
    acted: false,
    moved: false,
    progressed: false,
    pace: newPace(at, budgetSpent(ledger) !== undefined),
    ...(todo !== undefined && { todo }),
    ...(granted !== undefined && { answers: granted }),
  };
  return {
    ...rest,
    endedTurns: superseded(ledger, turn),
    turn: fresh,
    ...(ledger.interrupt && cause === "human" && { interrupt: { turn } }),
    woundDown: ledger.woundDown || granted === "wind_down",
    spent: cause === "nudge" ? { ...ledger.spent, continuations: ledger.spent.continuations + 1 } : ledger.spent,
  };
}

/** A turn that another one overtook is over; one that continues after all is not. */
function superseded({ turn: running, endedTurns }: Ledger, turn: string): readonly string[] {
  const others = endedTurns.filter((id) => id !== turn);
  return running && running.id !== turn ? withNewest(others, running.id) : others;
}

function ended(ledger: Ledger, event: Event<"turn.ended">, at: number): Ledger {
  const { turn, ...rest } = ledger;
  const failed = event.outcome === "failed";
  const { usage, activeMs } = event;
  return {
    ...rest,
    calls: [],
    cutCalls: failed ? ledger.cutCalls : [],
    endedTurns: withNewest(withNewest(ledger.endedTurns, event.turn), event.end ?? event.turn),
    boundaries: ledger.boundaries + 1,
    boundary: {
      id: event.boundary,
      at,
      question: event.question,
      ...(event.asks && { asks: event.asks }),
      round: "none",
      status: "open",
      ...(event.failure && { failure: event.failure }),
      ...(turn?.braked && !event.failure && { braked: turn.braked }),
      ...(turn && { ended: { turn, since: ledger.since, asked: ledger.asked } }),
    },
    ...(event.workspace !== undefined && { workspace: event.workspace }),
    since: failed || turn?.cause !== "nudge" ? ledger.since : counted(ledger.since, turn),
    listAsked: ledger.listAsked || (!failed && turn?.answers === "write_list"),
    asked: askedAfter(ledger, event),
    failures: failed
      ? {
          tries: ledger.failures.tries + 1,
          windows: ledger.failures.windows + (event.failure?.kind === "rate_limit" ? 1 : 0),
        }
      : { tries: 0, windows: 0 },
    todoLedgers: event.todo === undefined ? ledger.todoLedgers : charged(ledger.todoLedgers, event.todo, event, turn),
    spent: {
      ...withUsage(ledger.spent, usage),
      // Its time was counted on the way, waits for a person aside; logs of older versions tell all of it here.
      activeMs: ledger.spent.activeMs + Math.max(0, activeMs - (turn?.pace.countedMs ?? 0)),
    },
  };
}

/** Counters that something else set back meanwhile stay there: the user spoke, or a check passed. */
function askedAfter({ asked, turn }: Ledger, { question, asks }: Event<"turn.ended">): number {
  if (!question) return 0;
  return (turn?.progressed ? 0 : asked) + (asks?.kind === "act" ? 2 : 1);
}

function resumed({ boundary, ...ledger }: Ledger, { turn, of }: Event<"turn.resumed">, at: number): Ledger {
  const { ended } = boundary ?? {};
  if (ledger.turn || ended?.turn.id !== of) return boundary ? { ...ledger, boundary } : ledger;
  const { since, interrupt } = ledger;
  return {
    ...ledger,
    turn: { ...ended.turn, id: turn, startedAt: at, pace: newPace(at, ended.turn.pace.overdrawn) },
    since: {
      nudged: Math.min(since.nudged, ended.since.nudged),
      idle: Math.min(since.idle, ended.since.idle),
      still: Math.min(since.still, ended.since.still),
    },
    asked: Math.min(ledger.asked, ended.asked),
    todoLedgers: uncounted(ledger.todoLedgers, ended.turn),
    ...(interrupt?.turn === of && { interrupt: { turn } }),
  };
}

/** Its continuation is counted when it ends. */
function uncounted(ledgers: Ledger["todoLedgers"], { todo, cause }: Turn): Ledger["todoLedgers"] {
  const entry = todo === undefined ? undefined : ledgers[todo];
  if (todo === undefined || !entry || cause !== "nudge") return ledgers;
  return { ...ledgers, [todo]: { ...entry, continuations: Math.max(0, entry.continuations - 1) } };
}

function cut({ turn: gone, nudge, ...ledger }: Ledger, { turn, boundary }: Event<"turn.cut">, at: number): Ledger {
  return {
    ...ledger,
    woundDown: ledger.woundDown || nudge?.kind === "wind_down",
    calls: [],
    endedTurns: withNewest(ledger.endedTurns, turn),
    boundaries: ledger.boundaries + 1,
    boundary: {
      id: boundary,
      at,
      question: false,
      round: "none",
      status: "open",
      ...(gone?.braked && { braked: gone.braked }),
    },
  };
}

/** Only nudged turns count. A turn that made progress has set the counters to zero already. */
function counted(since: Ledger["since"], turn: Turn): Ledger["since"] {
  if (turn.progressed) return { nudged: 0, idle: 0, still: 0 };
  return {
    nudged: since.nudged + 1,
    idle: turn.acted || turn.moved ? 0 : since.idle + 1,
    still: turn.moved ? 0 : since.still + 1,
  };
}

const brakedBy = ({ reason, detail, how }: Event<"turn.braked">, at: number): Braked => ({
  reason,
  how,
  at,
  ...(detail !== undefined && { detail }),
});

function withNewest(turns: readonly string[], turn: string): readonly string[] {
  return turns.includes(turn) ? turns : [...turns.slice(1 - REMEMBERED_TURNS), turn];
}
