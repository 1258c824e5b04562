import { expect, test } from "vitest";
import { plainApiError } from "./plain-api-error.ts";

const wrapped = (error: object) => `[API Error: ${JSON.stringify({ error })}]`;

test.each([
  [wrapped({ code: 400, message: 'No "tools".', status: "INVALID_ARGUMENT" }), '400 No "tools". (INVALID_ARGUMENT)'],
  [
    wrapped({ code: 429, message: "Quota.", status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "12.5s" }] }),
    "429 Quota. (RESOURCE_EXHAUSTED) Retry in 12.5s.",
  ],
  ["[API Error: fetch failed]", "fetch failed"],
  ["the turn failed", "the turn failed"],
])("%s", (text, expected) => expect(plainApiError(text)).toBe(expected));
