import { describe, expect, test } from "vitest";
import { resetOf } from "./reset-of.ts";

const NOW = Date.parse("2030-03-10T10:00:30Z");
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const inMs = (message: string, headers: Readonly<Record<string, string>> = {}, zone?: string): number | undefined => {
  const at = resetOf({ message, headers }, NOW, zone);
  return at === undefined ? undefined : at - NOW;
};

describe("headers", () => {
  test.each<[Readonly<Record<string, string>>, number | undefined]>([
    [{ "retry-after": "20" }, 20 * SECOND],
    [{ "retry-after-ms": "1500", "retry-after": "20" }, 1500],
    [{ "retry-after": "Sun, 10 Mar 2030 10:01:30 GMT" }, MINUTE],
    [
      { "anthropic-ratelimit-tokens-reset": "2030-03-10T10:05:30Z", "anthropic-ratelimit-tokens-remaining": "0" },
      5 * MINUTE,
    ],
    [
      {
        "anthropic-ratelimit-requests-reset": "2030-03-10T11:00:30Z",
        "anthropic-ratelimit-requests-remaining": "17",
        "anthropic-ratelimit-tokens-reset": "2030-03-10T10:01:30Z",
        "anthropic-ratelimit-tokens-remaining": "0",
      },
      MINUTE,
    ],
    [{ "x-ratelimit-reset-tokens": "6m0s" }, 6 * MINUTE],
    [{ "x-ratelimit-reset": "1899367290" }, MINUTE],
    [{ "retry-after": "soon" }, undefined],
    [{ "content-type": "text/html" }, undefined],
  ])("%j", (headers, expected) => expect(inMs("", headers)).toBe(expected));

  test("come before the message", () => expect(inMs("try again in 1 hour", { "retry-after": "5" })).toBe(5 * SECOND));
});

describe("messages", () => {
  test.each<[string, number | undefined]>([
    ["Rate limit reached. Please try again in 1.2s.", 1200],
    ["Please try again in 6m0s. Visit the dashboard.", 6 * MINUTE],
    ["You've hit your usage limit. Try again in 2 days 3 hours 5 minutes.", 51 * HOUR + 5 * MINUTE],
    ["Too many requests, retry after 30 seconds", 30 * SECOND],
    ["Please wait 250ms before retrying", 250],
    ["429: Retry-After: 30", 30 * SECOND],
    ["Quota exceeded; retryDelay: 38s", 38 * SECOND],
    ["Server requested 3600s retry delay (max: 60s). 429 rate limit reached", HOUR],
    ["usage limit reached|1899370830", HOUR],
    ["limit resets at 2030-03-10T12:00:30Z", 2 * HOUR],
    ["Your limit will reset at 3pm (Europe/Berlin).", 4 * HOUR - 30 * SECOND],
    ["limit reached - resets 11:30am (UTC)", 90 * MINUTE - 30 * SECOND],
    ["resets 9am", 23 * HOUR - 30 * SECOND],
    ["Session limit reached: resets 2am (Nowhere/Else)", 16 * HOUR - 30 * SECOND],
    ["Rate limit reached for 500 tokens per min", undefined],
    ["overloaded", undefined],
    ["try again later", undefined],
    ["reset at 2020-01-01T00:00:00Z", undefined],
    ["try again in 400 days", undefined],
  ])("%s", (message, expected) => expect(inMs(message)).toBe(expected));

  test("a time of day without a zone is the reader's", () => {
    expect(inMs("resets 12pm", {}, "Europe/Berlin")).toBe(HOUR - 30 * SECOND);
  });

  test("a megabyte of anything is read in no time", () => {
    const began = performance.now();
    for (const unit of ["try again 1 ", "reset ", "1s ", "retry\n"]) resetOf({ message: unit.repeat(200_000) }, NOW);
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});
