import { expect, test } from "vitest";
import { readFailure } from "./index.ts";

test.each([
  ["429 Too Many Requests", "rate_limit", undefined],
  ["rate limit reached, try again in 20s", "rate_limit", 21_000],
  ["503 Service Unavailable", "overload", undefined],
  ["fetch failed", "overload", undefined],
  ["prompt is too long: context_length_exceeded", "context_full", undefined],
  ["blocked by the content filter", "refused", undefined],
  ["invalid request", "other", undefined],
] as const)("%s -> %s", (message, kind, resetAt) => {
  expect(readFailure(message, 1000)).toEqual({ kind, message, ...(resetAt !== undefined && { resetAt }) });
});

test("a header says it better", () => {
  expect(readFailure("429, try again in 20s", 1000, { "retry-after": "60" })).toMatchObject({ resetAt: 61_000 });
});
