import { expect, test } from "vitest";
import { readFailure } from "./index.ts";

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
  ["blocked by the content filter", "refused", undefined],
  ["invalid request", "other", undefined],
  ["Unexpected token 'x', \"data: x\" is not valid JSON", "overload", undefined],
  ["Unterminated string in JSON at position 17", "overload", undefined],
  ["400 could not parse the JSON body of your request", "other", undefined],
] as const)("%s -> %s", (message, kind, resetAt) => {
  expect(readFailure(message, 1000)).toEqual({ kind, message, ...(resetAt !== undefined && { resetAt }) });
});

test("a header says it better", () => {
  expect(readFailure("429, try again in 20s", 1000, { "retry-after": "60" })).toMatchObject({ resetAt: 61_000 });
});
