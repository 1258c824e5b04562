import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { createLoopWatch, type Loop } from "./loop.ts";

/** Each letter is the digest of one call; the same letter means same tool, same arguments, same result. */
function after(calls: string): Loop | undefined {
  const watch = createLoopWatch(5);
  return [...calls].map((digest) => watch.observe(digest)).at(-1);
}

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
])("%s", (_situation, calls, expected) => expect(after(calls)).toEqual(expected));

test("calls whose results differ never make a loop, however many", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), (n) => {
      const watch = createLoopWatch(2);
      for (let i = 0; i < n; i++) expect(watch.observe(`poll ${i}`)).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});
