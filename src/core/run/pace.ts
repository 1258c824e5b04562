import type { StopReason } from "../reason/index.ts";
import { NO_USAGE, type Usage } from "./event.ts";
import type { Ledger, Millis } from "./run.ts";

/** What a turn has done so far, as far as the host shows it: what the brakes look at. */
export interface Pace {
  /** The last time that the model or a tool was heard. */
  readonly heardAt: Millis;
  /** `model`: an answer is due or arrives. `tools`: calls run. `settling`: the last answer called nothing. */
  readonly phase: "model" | "tools" | "settling";
  /** Since when that phase lasts. */
  readonly phaseSince: Millis;
  readonly answers: number;
  /** Calls of the last answer that have no result yet. */
  readonly calls: number;
  /** Answers in a row without activity and without a new workspace state; calls, where answers are not seen. */
  readonly idle: number;
  readonly still: number;
  /** The files were looked at when the last answer came, and they were not new. */
  readonly looked: boolean;
  /** The call made last, and how often in a row with the same result on the same files. */
  readonly same?: {
    readonly call: string;
    readonly tool?: string;
    readonly times: number;
    readonly answer: number;
    readonly state?: string;
  };
  /** What the answer under way has used by estimate; it is part of what the run spent. */
  readonly growing?: Usage;
  /** What finished answers told exactly: the end of the turn adds only what goes beyond it. */
  readonly told: Usage;
  /** Up to here the time of the turn is part of what the run spent. */
  readonly countedUntil: Millis;
  readonly countedMs: Millis;
  /** A budget was spent before the turn began: it may wind down, and no more. */
  readonly overdrawn: boolean;
  /** The last answer came from a model without a price. */
  readonly unpriced: boolean;
}

/** Why we end a turn, and how: after the tool that runs, or at once. */
export interface Braked {
  readonly reason: StopReason;
  readonly detail?: string;
  readonly how: "after_tool" | "now";
  readonly at: Millis;
  /** You let it continue since, or raised the budget: it stops nothing any more. */
  readonly lifted?: boolean;
}

export const newPace = (at: Millis, overdrawn: boolean): Pace => ({
  heardAt: at,
  phase: "model",
  phaseSince: at,
  answers: 0,
  calls: 0,
  idle: 0,
  still: 0,
  looked: false,
  told: NO_USAGE,
  countedUntil: at,
  countedMs: 0,
  overdrawn,
  unpriced: false,
});

/** An answer is finished. `calls`: how many it makes; a host that cannot tell leaves it out, and some may run. */
export function answered(
  pace: Pace,
  at: Millis,
  answer: { readonly calls?: number; readonly looked: boolean; readonly told: Usage; readonly unpriced: boolean },
): Pace {
  const { growing: _over, ...rest } = pace;
  const calls = answer.calls ?? 1;
  return {
    ...rest,
    heardAt: at,
    phase: calls > 0 ? "tools" : "settling",
    phaseSince: at,
    answers: pace.answers + 1,
    calls,
    idle: pace.idle + 1,
    still: pace.still + 1,
    looked: answer.looked,
    told: plus(pace.told, answer.told),
    unpriced: answer.unpriced,
  };
}

/** An answer did not come to its end: the next one is due, or the turn ends. */
export function cutOff(pace: Pace, at: Millis): Pace {
  const { growing: _over, ...rest } = pace;
  return { ...rest, heardAt: at, phase: "model", phaseSince: at, calls: 0 };
}

/** An answer arrives. */
export function grown(pace: Pace, at: Millis, usage: Usage): Pace {
  const since = pace.phase === "model" ? pace.phaseSince : at;
  return { ...pace, heardAt: at, phase: "model", phaseSince: since, calls: 0, growing: usage };
}

/** Tools of an answer run that is not finished, or not told yet. */
export const toolsRun = (pace: Pace, at: Millis): Pace => ({
  ...pace,
  heardAt: at,
  phase: "tools",
  phaseSince: pace.phase === "tools" ? pace.phaseSince : at,
  calls: Math.max(1, pace.calls),
});

/** A call has its result. Of the same calls in one answer only the first counts as a repetition. */
export function resulted(pace: Pace, at: Millis, result: Result): Pace {
  const calls = Math.max(0, pace.calls - 1);
  const seesAnswers = pace.answers > 0;
  return {
    ...pace,
    heardAt: at,
    calls,
    ...(calls === 0 && pace.phase === "tools" && { phase: "model", phaseSince: at }),
    ...(!seesAnswers && { idle: pace.idle + 1, still: pace.still + 1, looked: result.state !== undefined }),
    same: repeated(pace, result),
  };
}

export interface Result {
  readonly call: string;
  readonly tool?: string;
  /** The files as they are after it, if they were looked at. */
  readonly state?: string;
}

function repeated({ same, answers }: Pace, result: Result): NonNullable<Pace["same"]> {
  const { call, state } = result;
  const isSame = same?.call === call && (same.state === undefined || state === undefined || same.state === state);
  if (!isSame) return { ...result, times: 1, answer: answers };
  const counts = answers === 0 || same.answer !== answers;
  return { ...same, ...result, times: same.times + (counts ? 1 : 0), answer: answers };
}

/** Something new happened: a call or a state of the files never seen before. */
export const acted = (pace: Pace, isNewState: boolean): Pace => ({
  ...pace,
  idle: 0,
  ...(isNewState && { still: 0 }),
});

/** Something was achieved: what was counted towards "no progress" begins anew. */
export function advanced(pace: Pace): Pace {
  const { same: _over, ...rest } = pace;
  return { ...rest, idle: 0, still: 0 };
}

/** Waits for a person are not active time. */
export const waitsForPerson = ({ approvals, questions }: Pick<Ledger, "approvals" | "questions">): boolean =>
  approvals.length + questions.length > 0;

/** Counts the time of the running turn up to `at`, as the ledger stood until then. */
export function passTime(ledger: Ledger, at: Millis): Ledger {
  const { turn, spent } = ledger;
  if (!turn) return ledger;
  const passed = waitsForPerson(ledger) ? 0 : Math.max(0, at - turn.pace.countedUntil);
  const pace = { ...turn.pace, countedUntil: at, countedMs: turn.pace.countedMs + passed };
  return { ...ledger, turn: { ...turn, pace }, spent: { ...spent, activeMs: spent.activeMs + passed } };
}

export const plus = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  cost: a.cost + b.cost,
});

/** What `a` has beyond `b`. */
export const beyond = (a: Usage, b: Usage): Usage => ({
  input: Math.max(0, a.input - b.input),
  output: Math.max(0, a.output - b.output),
  cacheRead: Math.max(0, a.cacheRead - b.cacheRead),
  cacheWrite: Math.max(0, a.cacheWrite - b.cacheWrite),
  cost: Math.max(0, a.cost - b.cost),
});
