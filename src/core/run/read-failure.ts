import { type LimitSaid, resetOf } from "../limit/index.ts";
import type { Failure } from "./run.ts";

/** What a host hands on of a failure. It has retried already. */
export interface FailureSaid extends LimitSaid {
  /** The status of the provider's answer. */
  readonly status?: number | undefined;
  /** What the host calls it. */
  readonly code?: string | undefined;
  /** Whose words they are: a host's process may have ended for a reason of its own. */
  readonly by?: "provider" | "host";
}

/** What kind of failure it is: the one place that knows. By the host's name for it, else by status and words. */
export function readFailure(said: FailureSaid, now: number): Failure {
  const kind = kindOf(said);
  const resetAt = kind === "rate_limit" || kind === "overload" ? resetOf(said, now) : undefined;
  return { kind, message: said.message.slice(0, 1000), resetAt };
}

function kindOf({ message, status, code = "", by }: FailureSaid): Failure["kind"] {
  const words = status === undefined || message.startsWith(String(status)) ? message : `${status} ${message}`;
  const [read] = WORDS.find(([, pattern]) => pattern.test(words)) ?? [by === "host" ? "host" : "other"];
  const named = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  // A full context has no name of its own: to some hosts it is one of the requests that are wrong.
  return named === undefined || (named === "other" && read === "context_full") ? read : named;
}

const CODES: Readonly<Record<string, Failure["kind"]>> = {
  // of the hook StopFailure
  rate_limit: "rate_limit",
  server_error: "overload",
  overloaded: "overload",
  max_output_tokens: "host_limit",
  loop_detected: "host_limit",
  authentication_failed: "other",
  oauth_org_not_allowed: "other",
  billing_error: "other",
  model_not_found: "other",
  invalid_request: "other",
  unknown: "other",
  // of a supervisor
  killed: "host",
  // of OpenCode and those like it
  ContextOverflowError: "context_full",
  ContentFilterError: "refused",
};

/** No connection: it was refused, reset or never came about. */
const UNREACHABLE =
  /^terminated\b|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|connection ?(was )?(refused|reset|closed|error|timed)|connect(ion)? failed|unable to connect|socket hang up|fetch failed|host name not found|no route to/i;

export const isUnreachable = (message: string): boolean => UNREACHABLE.test(message);

// In this order: a usage limit may come with any status, and a full context often comes as a plain 400.
const WORDS: readonly (readonly [Failure["kind"], RegExp])[] = [
  [
    "context_full",
    /context (length|window|size)|prompt is too long|maximum context|too many tokens in|input is too long|context is too large/i,
  ],
  // Before "refused", which is what a model does.
  ["overload", UNREACHABLE],
  [
    "rate_limit",
    /rate.?limit|too many requests|\b429\b|usage limit|quota|insufficient_quota|RESOURCE_EXHAUSTED|limit reached/i,
  ],
  ["host_limit", /error_max_turns|max.?(session)?.?turns|error_max_budget/i],
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
    /overload|\b5(00|02|03|04|20|29)\b|internal server error|bad gateway|service unavailable|timed? ?out|network|socket|connection|terminated/i,
  ],
  ["other", /\b(400|401|403|404)\b|authenticat|api key|credit balance|model.?not.?found|billing/i],
];
