import fc from "fast-check";
import { expect, test } from "vitest";
import { findLoop, type Loops, NO_LOOPS, observeCall } from "./loop.ts";

/** Each letter is the digest of one call; the same letter means same tool, same arguments, same result. */
const after = (calls: string): Loops => [...calls].reduce(observeCall, NO_LOOPS);

test.each([
  ["nothing called yet", "", undefined],
  ["four equal calls", "aaaa", undefined],
  ["five equal calls", "aaaaa", { period: 1, rounds: 5 }],
  ["seven equal calls", "aaaaaaa", { period: 1, rounds: 7 }],
  ["other calls before it do not hide it", "xyzaaaaa", { period: 1, rounds: 5 }],
  ["a different result ends it", "aaaaab", undefined],
  ["a different result in the middle", "aaabaaa", undefined],
  ["two calls in turn, four rounds and a half", "ababababa", undefined],
  ["two calls in turn, five rounds", "ababababab", { period: 2, rounds: 5 }],
  ["three calls in turn", "abcabcabcabcabc", { period: 3, rounds: 5 }],
  ["five calls in turn", "abcde".repeat(5), { period: 5, rounds: 5 }],
  ["six calls in turn are not watched", "abcdef".repeat(5), undefined],
  ["a round that changes a little", "abcabdabcabdabc", undefined],
])("%s", (_situation, calls, expected) => expect(findLoop(after(calls), 5)).toEqual(expected));

test("calls whose results differ never make a loop, however many", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), (n) => {
      let loops = NO_LOOPS;
      for (let i = 0; i < n; i++) {
        loops = observeCall(loops, `poll ${i}`);
        expect(findLoop(loops, 2)).toBeUndefined();
      }
    }),
    { numRuns: 20 },
  );
});

test("what is remembered stays small", () => expect(after("ab".repeat(500)).recent).toHaveLength(5));
