import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { hasSeenCall, hasSeenState, NOTHING_SEEN, type Seen, withCall, withState } from "./seen.ts";

const afterCalls = (calls: readonly string[]): Seen => calls.reduce(withCall, NOTHING_SEEN);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `call-${index}`);

test("a call is seen once it was added, and no other is", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 16 }), fc.string(), (calls, other) => {
      const seen = afterCalls(calls);
      expect(calls.every((call) => hasSeenCall(seen, call))).toBe(true);
      expect(hasSeenCall(seen, other)).toBe(calls.includes(other));
    }),
  );
});

test("calls and states are kept apart", () => {
  const seen = withState(withCall(NOTHING_SEEN, "a"), "b");
  expect([hasSeenCall(seen, "a"), hasSeenState(seen, "a")]).toEqual([true, false]);
  expect([hasSeenCall(seen, "b"), hasSeenState(seen, "b")]).toEqual([false, true]);
});

test("a loop of 200 calls is seen as one", () => {
  const loop = numbered(200);
  const seen = afterCalls(loop);
  expect(loop.filter((call) => !hasSeenCall(seen, call))).toEqual([]);
});

test("it stays bounded, and the newest are in it", () => {
  const seen = withState(afterCalls(numbered(10_000)), undefined);
  expect(seen.calls.flat().length).toBeLessThanOrEqual(512);
  expect(
    numbered(10_000)
      .slice(-100)
      .every((call) => hasSeenCall(seen, call)),
  ).toBe(true);
  expect(hasSeenCall(seen, "call-0")).toBe(false);
});

test("what is known already changes nothing", () => {
  const seen = withCall(NOTHING_SEEN, "a");
  expect(withCall(seen, "a")).toEqual(seen);
  expect(withCall(seen, undefined)).toBe(seen);
});
