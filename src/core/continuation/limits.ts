import type { Budget } from "../run/index.ts";
import type { ContextMode } from "../workflow/index.ts";

/** The numbers `decide` works with. Config fills them; these are the defaults, in one table. */
export interface Limits {
  readonly enabled: boolean;
  /** Nudged turns in a row without activity, without a new workspace state, and in all since progress. */
  readonly idleTurns: number;
  readonly stillTurns: number;
  readonly nudgedTurns: number;
  readonly countdownMs: number;
  readonly minimumGapMs: number;
  readonly backoffMs: { readonly first: number; readonly most: number };
  readonly backoffTries: number;
  readonly rateLimitWindows: number;
  readonly attemptsPerTodo: number;
  readonly deadlineMs: {
    readonly background: number;
    readonly compaction: number;
    readonly recovery: number;
    readonly checks: number;
  };
  /** What ends a turn that does not end by itself. */
  readonly brake: {
    /** The same call with the same result on the same files, in a row. */
    readonly sameCalls: number;
    /** Answers in a row, within a turn, without anything new and without a change of the files. */
    readonly idleAnswers: number;
    readonly stillAnswers: number;
    /** How long a model may send nothing, and how long one answer may take. */
    readonly silenceMs: number;
    readonly answerMs: number;
    /** What a turn may take whose budget was spent before it began. */
    readonly windDownAnswers: number;
    readonly windDownMs: number;
    /** How long a tool may run after its turn was to end. */
    readonly graceMs: number;
  };
  /** What one todo may spend before the engine sets it aside. */
  readonly perTodo: Budget;
  /** Whether todos begin in new conversations, after how many of them, and whether the host can begin one. */
  readonly context: { readonly mode: ContextMode; readonly every: number; readonly can: boolean };
  /** How much of the list a nudge shows: the model can ask for the rest. */
  readonly listInNudge: { readonly items: number; readonly characters: number };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The numbers that decisions work with unless you set others. */
export const DEFAULTS: Limits = {
  enabled: true,
  idleTurns: 3,
  stillTurns: 20,
  nudgedTurns: 60,
  countdownMs: 0,
  minimumGapMs: 0,
  backoffMs: { first: 5 * SECOND, most: 5 * MINUTE },
  backoffTries: 8,
  rateLimitWindows: 3,
  attemptsPerTodo: 5,
  deadlineMs: { background: 30 * MINUTE, compaction: 2 * MINUTE, recovery: 2 * MINUTE, checks: 60 * MINUTE },
  brake: {
    sameCalls: 8,
    idleAnswers: 30,
    stillAnswers: 300,
    silenceMs: 15 * MINUTE,
    answerMs: 60 * MINUTE,
    windDownAnswers: 5,
    windDownMs: 3 * MINUTE,
    graceMs: MINUTE,
  },
  perTodo: {},
  context: { mode: "same", every: 1, can: true },
  listInNudge: { items: 20, characters: 200 },
};
