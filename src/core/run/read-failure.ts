import { type LimitSaid, resetOf } from "../limit/index.ts";
import type { Failure } from "./run.ts";

/** Nobody answered at all: a connection that was refused, reset or never came about. */
export const UNREACHABLE =
  /^terminated\b|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|connection ?(was )?(refused|reset|closed|error|timed)|connect(ion)? failed|unable to connect|socket hang up|fetch failed|host name not found|no route to/i;

/** What kind of failure the words of a provider speak of. Hosts hand them on as text, and have retried already. */
export function readFailure(message: string, now: number, headers: LimitSaid["headers"] = {}): Failure {
  const kind = KINDS.find(([, pattern]) => pattern.test(message))?.[0] ?? "other";
  const resetAt = kind === "rate_limit" || kind === "overload" ? resetOf({ message, headers }, now) : undefined;
  return { kind, message: message.slice(0, 1000), ...(resetAt !== undefined && { resetAt }) };
}

// In this order: a usage limit may come with any status, and a full context often comes as a plain 400.
const KINDS: readonly (readonly [Failure["kind"], RegExp])[] = [
  [
    "context_full",
    /context (length|window|size)|prompt is too long|maximum context|too many tokens in|input is too long/i,
  ],
  // Before "refused", which is what a model does.
  ["overload", UNREACHABLE],
  ["rate_limit", /rate.?limit|too many requests|\b429\b|usage limit|quota|insufficient_quota|limit reached/i],
  ["refused", /content.?(policy|filter)|safety|\brefus/i],
  // The request itself is wrong: sending it again would be refused again.
  ["other", /^\W*(?:http\W*|error\W*|status\W*)*4(?!08|09|25|29)\d\d\b/i],
  // An answer that broke off or came damaged is not the model's last word: the turn is tried again.
  [
    "overload",
    /not valid JSON|in JSON at|unexpected (?:token|end of|non-whitespace)|unterminated (?:string|fragment)|premature close/i,
  ],
  [
    "overload",
    /overload|\b5(00|02|03|04|20|29)\b|internal server error|bad gateway|service unavailable|timed? ?out|fetch failed|network|socket|connection|ECONN|EPIPE|ENOTFOUND|terminated/i,
  ],
];
