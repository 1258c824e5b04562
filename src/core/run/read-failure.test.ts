import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { type Failure, type FailureSaid, readFailure } from "./index.ts";

test.each([
  ["429 Too Many Requests", "rate_limit", undefined],
  ["rate limit reached, try again in 20s", "rate_limit", 21_000],
  ["503 Service Unavailable", "overload", undefined],
  ["fetch failed", "overload", undefined],
  ["Connection error.", "overload", undefined],
  ["connection refused by http://127.0.0.1:1/v1", "overload", undefined],
  ["connect ECONNREFUSED 127.0.0.1:1", "overload", undefined],
  ["connection reset by http://127.0.0.1:1/v1", "overload", undefined],
  ["host name not found: http://nowhere.invalid/v1", "overload", undefined],
  ["no route to http://10.0.0.1/v1", "overload", undefined],
  ["I refuse to do that", "refused", undefined],
  ["prompt is too long: context_length_exceeded", "context_full", undefined],
  ["Context is too large to send safely after automatic compression.", "context_full", undefined],
  ["blocked by the content filter", "refused", undefined],
  ["invalid request", "other", undefined],
  ["Unexpected token 'x', \"data: x\" is not valid JSON", "overload", undefined],
  ["Unterminated string in JSON at position 17", "overload", undefined],
  ["400 could not parse the JSON body of your request", "other", undefined],
  ["429 API Error", "rate_limit", undefined],
  ["exceeded retry limit, last status: 429 Too Many Requests", "rate_limit", undefined],
  ["RESOURCE_EXHAUSTED", "rate_limit", undefined],
  ["error_max_turns", "host_limit", undefined],
  ["401 authentication_error", "other", undefined],
] as const)("%s -> %s", (message, kind, resetAt) => {
  expect(readFailure({ message }, 1000)).toEqual({ kind, message, ...(resetAt !== undefined && { resetAt }) });
  // What is known of it is the same when the process of a host says it.
  if (message !== "invalid request") expect(readFailure({ message, by: "host" }, 1000).kind).toBe(kind);
});

test.each<[FailureSaid, Failure["kind"]]>([
  [{ message: "the model is busy", status: 529 }, "overload"],
  [{ message: "slow down", status: 429 }, "rate_limit"],
  [{ message: "no such thing", status: 404 }, "other"],
  [{ message: "429 slow down", status: 429 }, "rate_limit"],
  [{ message: "rate_limit: come back later", code: "rate_limit" }, "rate_limit"],
  [{ message: "server_error: ", code: "server_error" }, "overload"],
  [{ message: "max_output_tokens: ", code: "max_output_tokens" }, "host_limit"],
  [{ message: "authentication_failed: your session timed out", code: "authentication_failed" }, "other"],
  [{ message: "invalid_request: prompt is too long", code: "invalid_request" }, "context_full"],
  [{ message: "too much", code: "ContextOverflowError" }, "context_full"],
  [{ message: "no", code: "ContentFilterError" }, "refused"],
  [{ message: "503 later", code: "APIError" }, "overload"],
  [{ message: "later", code: "toString" }, "other"],
  [{ message: "Claude Code ended (signal SIGKILL)", by: "host" }, "host"],
  [{ message: "Claude Code ended (signal SIGTERM): Terminated", code: "killed", by: "host" }, "host"],
  [{ message: "Claude Code ended (exit 1): 401 authentication_error", by: "host" }, "other"],
  [{ message: "Codex ended (exit 1): usage limit reached", by: "host" }, "rate_limit"],
])("%j is %s", (said, kind) => expect(readFailure(said, 1000).kind).toBe(kind));

test("a header says it better", () => {
  const headers = { "retry-after": "60" };
  expect(readFailure({ message: "429, try again in 20s", headers }, 1000)).toMatchObject({ resetAt: 61_000 });
});

const WORDS = [
  "",
  "overloaded",
  "429",
  "context length",
  "safety",
  "401",
  "ECONNRESET",
  "quota",
  "ended (exit 1)",
  "try again in 5s",
];
const said = fc.record(
  {
    message: fc
      .array(fc.oneof(fc.constantFrom(...WORDS), fc.string()), { maxLength: 6 })
      .map((parts) => parts.join(" ")),
    status: fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined }),
    code: fc.option(fc.oneof(fc.constantFrom("rate_limit", "unknown", "constructor"), fc.string()), { nil: undefined }),
    by: fc.constantFrom("provider" as const, "host" as const),
  },
  { requiredKeys: ["message", "by"] },
);

test("every failure has one kind; who tells it matters only where nothing else is known", () => {
  fc.assert(
    fc.property(said, (given) => {
      const failure = readFailure(given, 1000);
      const told = readFailure({ ...given, by: "provider" }, 1000);
      expect(failure.kind === told.kind || (failure.kind === "host" && told.kind === "other")).toBe(true);
      if (given.by === "provider") expect(failure.kind).not.toBe("host");
      if (given.code === "rate_limit") expect(failure.kind).toBe("rate_limit");
      if (failure.resetAt !== undefined) expect(["rate_limit", "overload"]).toContain(failure.kind);
      expect(failure.message).toBe(given.message.slice(0, 1000));
    }),
  );
});
