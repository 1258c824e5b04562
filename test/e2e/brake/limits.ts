import type { Runaway } from "./models.ts";

/** A limit, the model that runs into it, why the run then stops, and the most requests that may have gone out. */
export interface Case {
  readonly model: Runaway;
  readonly flags?:
    | Readonly<Record<"max-tokens" | "max-minutes" | "max-cost", string>>
    | Readonly<Record<string, string>>;
  readonly config?: string;
  readonly reason: string;
  readonly requests: number;
  /** What `tildone why` says. */
  readonly says: RegExp;
}

const MINUTES = { "max-minutes": "0.05" }; // three seconds
/** Each answer uses 1000. */
const TOKENS = { "max-tokens": "10000" };
/** As many as fit into the minutes: they are counted by the clock. */
const ANY = Number.POSITIVE_INFINITY;

const SAME = /\w+ was called 8 times in a row with the same result/;
const TOKENS_SPENT = /token budget is spent: [\d,]+ of [\d,]+ tokens used/;
const TIME_SPENT = /time budget is spent: 0\.\d\d of 0\.05 minutes used/;

export const CASES: readonly Case[] = [
  { model: "the same call", reason: "no_progress", requests: 10, says: SAME },
  { model: "its own list again and again", reason: "no_progress", requests: 10, says: SAME },
  { model: "calls that cannot be made", reason: "no_progress", requests: 10, says: SAME },
  { model: "new reads", flags: TOKENS, reason: "budget_tokens", requests: 11, says: TOKENS_SPENT },
  { model: "alternating calls", flags: TOKENS, reason: "budget_tokens", requests: 11, says: TOKENS_SPENT },
  { model: "new reads", flags: MINUTES, reason: "budget_minutes", requests: ANY, says: TIME_SPENT },
  {
    model: "alternating calls",
    config: "turn:\n  answersWithoutActivity: 12\n",
    reason: "no_progress",
    requests: 16,
    says: /13 answers in a row brought nothing new/,
  },
  {
    model: "new reads",
    config: "turn:\n  answersWithoutChange: 12\n",
    reason: "no_progress",
    requests: 16,
    says: /13 answers in a row changed no file/,
  },
  {
    model: "an endless stream",
    flags: { "max-tokens": "3000" },
    reason: "budget_tokens",
    requests: 3,
    says: TOKENS_SPENT,
  },
  { model: "an endless stream", flags: MINUTES, reason: "budget_minutes", requests: 3, says: TIME_SPENT },
  {
    model: "an endless stream",
    config: "turn:\n  longestAnswer: 2s\n",
    reason: "no_progress",
    requests: 3,
    says: /one answer did not end within 2 s/,
  },
  {
    model: "new reads",
    config: "budget:\n  perTodo:\n    tokens: 5000\n",
    reason: "blocked",
    requests: 13,
    says: /Every open todo is blocked: .*\[0\].*its own budget of tokens is spent/,
  },
  { model: "silence", flags: MINUTES, reason: "budget_minutes", requests: 3, says: TIME_SPENT },
];

export const nameOf = ({ model, flags, config }: Case): string =>
  `${model}, ${flags ? Object.entries(flags).flat().join(" ") : (config?.replace(/\s+/g, " ").trim() ?? "no limit set")}`;
