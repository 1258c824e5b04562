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
}

const MINUTES = { "max-minutes": "0.05" }; // three seconds
/** Each answer uses 1000. */
const TOKENS = { "max-tokens": "10000" };
/** As many as fit into the minutes: they are counted by the clock. */
const ANY = Number.POSITIVE_INFINITY;

export const CASES: readonly Case[] = [
  { model: "the same call", reason: "no_progress", requests: 10 },
  { model: "its own list again and again", reason: "no_progress", requests: 10 },
  { model: "calls that cannot be made", reason: "no_progress", requests: 10 },
  { model: "new reads", flags: TOKENS, reason: "budget_tokens", requests: 11 },
  { model: "alternating calls", flags: TOKENS, reason: "budget_tokens", requests: 11 },
  { model: "new reads", flags: MINUTES, reason: "budget_minutes", requests: ANY },
  { model: "alternating calls", config: "turn:\n  answersWithoutActivity: 12\n", reason: "no_progress", requests: 16 },
  { model: "new reads", config: "turn:\n  answersWithoutChange: 12\n", reason: "no_progress", requests: 16 },
  { model: "an endless stream", flags: { "max-tokens": "3000" }, reason: "budget_tokens", requests: 3 },
  { model: "an endless stream", flags: MINUTES, reason: "budget_minutes", requests: 3 },
  { model: "an endless stream", config: "turn:\n  longestAnswer: 2s\n", reason: "no_progress", requests: 3 },
  { model: "silence", flags: MINUTES, reason: "budget_minutes", requests: 3 },
];

export const nameOf = ({ model, flags, config }: Case): string =>
  `${model}, ${flags ? Object.entries(flags).flat().join(" ") : (config?.replace(/\s+/g, " ").trim() ?? "no limit set")}`;
