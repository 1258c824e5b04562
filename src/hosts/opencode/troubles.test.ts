import { expect, test } from "vitest";
import { createTroubles } from "./troubles.ts";

const NOW = 1_000;
const OVERFLOW = { name: "ContextOverflowError", data: { message: "too long" } };
const ABORT = { name: "MessageAbortedError", data: {} };
const FULL = { type: "overflow", failure: { kind: "context_full", message: "too long" } };

test("the last error of a turn is how it ended, and is told once", () => {
  const troubles = createTroubles();
  troubles.failed({ name: "APIError", data: { statusCode: 400, message: "bad" } }, NOW);
  troubles.failed(ABORT, NOW);
  expect([troubles.take(), troubles.take()]).toEqual([{ type: "aborted" }, undefined]);
});

test("the stored error speaks only where the event was missed", () => {
  const troubles = createTroubles();
  troubles.stored(ABORT, NOW);
  expect(troubles.take()).toEqual({ type: "aborted" });
  troubles.failed(OVERFLOW, NOW);
  troubles.stored(ABORT, NOW);
  expect(troubles.take()).toEqual(FULL);
});

test("an overflow that was compacted is over; the third in a row is hopeless, and the abort that ends it is a failure", () => {
  const troubles = createTroubles();
  for (const expected of ["over", "over", "hopeless"]) {
    troubles.failed(OVERFLOW, NOW);
    expect(troubles.compacted()).toBe(expected);
  }
  troubles.failed(ABORT, NOW);
  expect(troubles.take()).toEqual(FULL);
});

test("an answer in between begins the count anew, and an abort after it is the human's", () => {
  const troubles = createTroubles();
  for (let round = 0; round < 5; round++) {
    troubles.failed(OVERFLOW, NOW);
    expect(troubles.compacted()).toBe("over");
    troubles.hasRoom();
  }
  troubles.failed(ABORT, NOW);
  expect(troubles.take()).toEqual({ type: "aborted" });
});

test("a compaction without an overflow says nothing of an error before it", () => {
  const troubles = createTroubles();
  troubles.failed(ABORT, NOW);
  expect(troubles.compacted()).toBe("over");
  expect(troubles.take()).toEqual({ type: "aborted" });
});
