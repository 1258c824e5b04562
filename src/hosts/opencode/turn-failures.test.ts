import { expect, test } from "vitest";
import { createTurnFailures } from "./turn-failures.ts";

const NOW = 1_000;
const OVERFLOW = { name: "ContextOverflowError", data: { message: "too long" } };
const ABORT = { name: "MessageAbortedError", data: {} };
const FULL = { type: "overflow", failure: { kind: "context_full", message: "too long" } };

test("the last error of a turn is how it ended, and is told once", () => {
  const failures = createTurnFailures();
  failures.failed({ name: "APIError", data: { statusCode: 400, message: "bad" } }, NOW);
  failures.failed(ABORT, NOW);
  expect([failures.take(), failures.take()]).toEqual([{ type: "aborted" }, undefined]);
});

test("the stored error speaks only where the event was missed", () => {
  const failures = createTurnFailures();
  failures.stored(ABORT, NOW);
  expect(failures.take()).toEqual({ type: "aborted" });
  failures.failed(OVERFLOW, NOW);
  failures.stored(ABORT, NOW);
  expect(failures.take()).toEqual(FULL);
});

test("an overflow that was compacted is over; the third in a row is hopeless, and the abort that ends it is a failure", () => {
  const failures = createTurnFailures();
  for (const expected of ["over", "over", "hopeless"]) {
    failures.failed(OVERFLOW, NOW);
    expect(failures.compacted()).toBe(expected);
  }
  failures.failed(ABORT, NOW);
  expect(failures.take()).toEqual(FULL);
});

test("an answer in between begins the count anew, and an abort after it is the user's", () => {
  const failures = createTurnFailures();
  for (let round = 0; round < 5; round++) {
    failures.failed(OVERFLOW, NOW);
    expect(failures.compacted()).toBe("over");
    failures.hasRoom();
  }
  failures.failed(ABORT, NOW);
  expect(failures.take()).toEqual({ type: "aborted" });
});

test("a compaction without an overflow says nothing of an error before it", () => {
  const failures = createTurnFailures();
  failures.failed(ABORT, NOW);
  expect(failures.compacted()).toBe("over");
  expect(failures.take()).toEqual({ type: "aborted" });
});
