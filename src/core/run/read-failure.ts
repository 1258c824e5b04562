import type { Failure } from "./run.ts";

/** What kind of failure the words of a provider speak of. Hosts hand them on as text, and have retried already. */
export function readFailure(message: string, now: number): Failure {
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
