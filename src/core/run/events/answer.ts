import { counted } from "../../text/index.ts";
import { countedTokens } from "../budget.ts";
import { NO_USAGE, type Usage } from "../event.ts";
import { workSeenIn } from "../evolve-todo-ledgers.ts";
import { acted, answered, beyond, cutOff, grown, resulted, toolsRun } from "../pace.ts";
import { takenUp } from "../progress.ts";
import type { Ledger } from "../run.ts";
import { hasSeenCall, withCall, withState } from "../seen.ts";
import { charged, withUsage } from "../spend.ts";
import { amount, flag, maybe, text, usage } from "./form.ts";
import { ledgerOf, type Rows } from "./row.ts";

/** What happens within a turn: answers, calls and results. */
export type AnswerEvent =
  /** A model answer of the running turn is finished, or was cut: then what it used is estimated. */
  | {
      readonly type: "answer.seen";
      readonly turn: string;
      readonly usage: Usage;
      readonly estimated?: boolean;
      readonly cut?: boolean;
      /** Calls that it makes; absent: the host does not tell. */
      readonly calls?: number;
      /** The state of the files, if it was looked at. */
      readonly workspace?: string;
      readonly unpriced?: boolean;
      readonly todo?: string;
    }
  /** The answer under way, and what it has used so far by estimate. */
  | { readonly type: "answer.growing"; readonly turn: string; readonly usage: Usage }
  | { readonly type: "tool.began"; readonly turn: string }
  /** A call of the running turn ended as it did before. */
  | {
      readonly type: "result.seen";
      readonly turn?: string;
      readonly call: string;
      readonly tool?: string;
      readonly state?: string;
    }
  | {
      readonly type: "activity.seen";
      readonly turn?: string;
      readonly call?: string;
      readonly state?: string;
      /** The files were looked at, and they are none that were not seen before. */
      readonly looked?: boolean;
    };

export function answerEvents(): Rows<AnswerEvent> {
  return {
    "answer.seen": {
      v: 1,
      means: "A model answer ended, with what it used; `estimated` if it was cut or its server reports no usage.",
      line: ({ usage: used, estimated }) =>
        `the model answered: ${counted(countedTokens(used), "token")}${used.cost > 0 ? `, $${used.cost.toFixed(4)}` : ""}${estimated ? " (estimated)" : ""}`,
      fields: {
        turn: text,
        usage,
        estimated: maybe(flag),
        cut: maybe(flag),
        calls: maybe(amount),
        workspace: maybe(text),
        unpriced: maybe(flag),
        todo: maybe(text),
      },
      isLife: true,
      fold: ledgerOf((ledger, event, { at }) => answerSeen(ledger, event, at)),
    },
    "answer.growing": {
      v: 1,
      means: "What the model answer under way has used so far, estimated.",
      fields: { turn: text, usage },
      isLife: true,
      fold: ledgerOf((ledger, event, { at }) => answerGrowing(ledger, event, at)),
    },
    "tool.began": {
      v: 1,
      means: "A tool runs; until its result the model has nothing to say.",
      fields: { turn: text },
      fold: ledgerOf((ledger, event, { at }) =>
        ledger.turn?.id === event.turn
          ? { ...ledger, turn: { ...ledger.turn, pace: toolsRun(ledger.turn.pace, at) } }
          : ledger,
      ),
    },
    "result.seen": {
      v: 1,
      means: "A tool call with a result that this run has seen before.",
      fields: { turn: maybe(text), call: text, tool: maybe(text), state: maybe(text) },
      isLife: true,
      fold: ledgerOf((ledger, event, { at }) => resultSeen(ledger, event, at)),
    },
    "activity.seen": {
      v: 1,
      means: "New activity: a call or a workspace state not seen before in this run.",
      fields: { turn: maybe(text), call: maybe(text), state: maybe(text), looked: maybe(flag) },
      isLife: true,
      fold: ledgerOf((ledger, event, { at }) => active(ledger, event, at)),
    },
  };
}

type Event<T extends AnswerEvent["type"]> = Extract<AnswerEvent, { readonly type: T }>;

/**
 * Activity of the running turn counts; a late echo of another turn is remembered as seen and nothing more. A run that was
 * born in the middle of a turn does not know that turn, but while there is no boundary the agent works.
 */
function active(ledger: Ledger, { turn, call, state, looked }: Event<"activity.seen">, at?: number): Ledger {
  const seen = withState(withCall(ledger.seen, call), state);
  const { turn: current } = ledger;
  if (!current) return { ...ledger, seen, activity: ledger.activity + (ledger.boundary ? 0 : 1) };
  if (turn !== undefined && turn !== current.id) return { ...ledger, seen };
  const moved = current.moved || state !== undefined;
  const isResult = call !== undefined && at !== undefined;
  const done = isResult ? resulted(current.pace, at, { call }) : current.pace;
  const pace = acted(looked ? { ...done, looked } : done, state !== undefined);
  const todoLedgers = state === undefined ? ledger.todoLedgers : workSeenIn(current.id, ledger.todoLedgers);
  const turnNow = { ...current, acted: true, moved, pace };
  return takenUp({ ...ledger, seen, activity: ledger.activity + 1, turn: turnNow, todoLedgers });
}

/** Calls of our own scheduler: each that was never seen is activity. Their results are told one by one besides. */
export function seenCalls(ledger: Ledger, digests: readonly string[]): Ledger {
  const fresh = digests.filter((digest) => !hasSeenCall(ledger.seen, digest));
  return fresh.reduce((next, call) => active(next, { type: "activity.seen", call }), ledger);
}

/** What was counted by estimate while the answer arrived gives way to what it came to. */
function answerSeen(ledger: Ledger, event: Event<"answer.seen">, at: number): Ledger {
  const { turn } = ledger;
  const { usage, estimated = false, calls, unpriced = false, todo } = event;
  const growing = turn?.id === event.turn ? turn.pace.growing : undefined;
  const spent = addEstimate(withoutEstimate(ledger.spent, growing), usage, estimated);
  const todoLedgers =
    todo === undefined ? ledger.todoLedgers : charged(ledger.todoLedgers, todo, { usage, activeMs: 0 }, undefined);
  if (turn?.id !== event.turn) return { ...ledger, spent, todoLedgers };
  if (event.cut) return { ...ledger, spent, todoLedgers, turn: { ...turn, pace: cutOff(turn.pace, at) } };
  const told = estimated ? NO_USAGE : usage;
  const looked = event.workspace !== undefined;
  const pace = answered(turn.pace, at, { looked, told, unpriced, ...(calls !== undefined && { calls }) });
  // A turn that began before there was a list pays for the first todo that it was charged to.
  const pays = turn.todo ?? todo;
  return { ...ledger, spent, todoLedgers, turn: { ...turn, pace, ...(pays !== undefined && { todo: pays }) } };
}

function answerGrowing(ledger: Ledger, { turn: id, usage }: Event<"answer.growing">, at: number): Ledger {
  const { turn } = ledger;
  if (turn?.id !== id) return ledger;
  const spent = addEstimate(withoutEstimate(ledger.spent, turn.pace.growing), usage, true);
  return { ...ledger, spent, turn: { ...turn, pace: grown(turn.pace, at, usage) } };
}

function resultSeen(ledger: Ledger, { turn: id, call, tool, state }: Event<"result.seen">, at: number): Ledger {
  const { turn } = ledger;
  if (!turn || (id !== undefined && id !== turn.id)) return ledger;
  const result = { call, ...(tool !== undefined && { tool }), ...(state !== undefined && { state }) };
  return { ...ledger, turn: { ...turn, pace: resulted(turn.pace, at, result) } };
}

function addEstimate(spent: Ledger["spent"], usage: Usage, estimated: boolean): Ledger["spent"] {
  return { ...withUsage(spent, usage), estimated: spent.estimated + (estimated ? countedTokens(usage) : 0) };
}

function withoutEstimate(spent: Ledger["spent"], growing: Usage | undefined): Ledger["spent"] {
  if (!growing) return spent;
  return { ...spent, ...beyond(spent, growing), estimated: Math.max(0, spent.estimated - countedTokens(growing)) };
}
