import { type Failure, UNREACHABLE } from "../../core/run/index.ts";

/** What kind of failure a host's words mean; one without a known reason may be tried again. */
export function failureKind(message: string): Failure["kind"] {
  return KINDS.find(([, words]) => words.test(message))?.[0] ?? "overload";
}

// In this order: a usage limit may come with any status, and a full context often comes as a plain 400.
const KINDS: readonly (readonly [Failure["kind"], RegExp])[] = [
  ["context_full", /context (length|window|size)|prompt is too long|maximum context|input is too long/i],
  ["overload", UNREACHABLE],
  ["rate_limit", /rate.?limit|too many requests|\b429\b|usage limit|quota|RESOURCE_EXHAUSTED|limit reached/i],
  ["host_limit", /error_max_turns|max.?(session)?.?turns|error_max_budget/i],
  ["refused", /content.?(policy|filter)|safety|\brefus/i],
  ["other", /\b(400|401|403|404)\b|authenticat|api key|credit balance|model.?not.?found|billing/i],
];
