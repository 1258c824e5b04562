import type { AgentBeforeSettleEvent } from "@earendil-works/pi-coding-agent";
import type { Failure, Trigger, Usage } from "../../core/run/index.ts";

/** The part of an assistant message that we read. */
export interface AssistantWords {
  readonly role: "assistant";
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly stopReason: string;
  readonly errorMessage?: string;
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly cost: { readonly total: number };
  };
}

/** What a turn came to: all its requests together. */
export interface TurnFacts {
  readonly turn: string;
  readonly usage: Usage;
  readonly text: string;
  readonly error?: string;
}

export function turnEnded(
  outcome: AgentBeforeSettleEvent["outcome"],
  { turn, usage, text, error }: TurnFacts,
  now: number,
): Trigger & { type: "turn.ended" } {
  const told = { type: "turn.ended", turn, usage, text } as const;
  switch (outcome) {
    case "completed":
    case "aborted":
      return { ...told, outcome };
    case "error":
      return { ...told, outcome: "failed", failure: failureOf(error ?? "the provider failed", now) };
  }
}

export function addUsage(sum: Usage, { usage }: AssistantWords): Usage {
  if (!usage) return sum;
  return {
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cacheRead: sum.cacheRead + usage.cacheRead,
    cacheWrite: sum.cacheWrite + usage.cacheWrite,
    cost: sum.cost + usage.cost.total,
  };
}

export const textOf = (content: AssistantWords["content"]): string =>
  content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n");

/** pi gives failures as text: it has retried already, and this is what the provider said last. */
export function failureOf(message: string, now: number): Failure {
  const kind = KINDS.find(([, pattern]) => pattern.test(message))?.[0] ?? "other";
  const resetAt = kind === "rate_limit" || kind === "overload" ? resetOf(message, now) : undefined;
  return { kind, message: message.slice(0, 1000), ...(resetAt !== undefined && { resetAt }) };
}

// In this order: a usage limit may come with any status, and a full context often comes as a plain 400.
const KINDS: readonly (readonly [Failure["kind"], RegExp])[] = [
  [
    "context_full",
    /context (length|window|size)|prompt is too long|maximum context|too many tokens in|input is too long/i,
  ],
  ["rate_limit", /rate.?limit|too many requests|\b429\b|usage limit|quota|insufficient_quota|limit reached/i],
  ["refused", /content.?(policy|filter)|safety|\brefus/i],
  [
    "overload",
    /overload|\b5(00|02|03|04|20|29)\b|internal server error|bad gateway|service unavailable|timed? ?out|fetch failed|network|socket|connection|ECONN|EPIPE|ENOTFOUND|terminated/i,
  ],
];

function resetOf(message: string, now: number): number | undefined {
  const said =
    /(?:retry|try again|reset\w*)\D{0,20}(\d+(?:\.\d+)?)\s*(ms|s|sec|seconds?|m|min|minutes?|h|hours?)?\b/i.exec(
      message,
    );
  if (!said) return undefined;
  const unit = (said[2] ?? "s").toLowerCase();
  const factor = unit === "ms" ? 1 : unit.startsWith("h") ? 3_600_000 : unit.startsWith("m") ? 60_000 : 1000;
  return now + Number(said[1]) * factor;
}
