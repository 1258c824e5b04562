import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { arrange, type Needing } from "./arrange.ts";

/** "a b<a,c" reads: a, then b which needs a and c. */
function batch(text: string): Needing[] {
  return text.split(" ").map((word) => {
    const [id, needs] = word.split("<") as [string, string | undefined];
    return { id, needs: needs?.split(",") ?? [] };
  });
}
function said(text: string, known: string[] = []): string {
  const calls = batch(text);
  const { order, refused } = arrange(calls, (id) => known.includes(id));
  const refusals = [...refused].map(([index, { code, need }]) => `${calls[index]!.id} ${code} ${need}`);
  return [order.map((index) => calls[index]!.id).join(" "), ...refusals.sort()].join("; ");
}

test.each([
  ["nothing needed keeps the order", "a b c", "a b c"],
  ["a need that stands later comes first", "a<c b c", "c a b"],
  ["a chain written backwards is turned round", "a<b b<c c", "c b a"],
  ["two needs keep their own order", "a b<d,c c d", "a d c b"],
  ["an unknown need refuses only that call", "a<x b", "b; a unknown_need x"],
  ["a need on itself", "a<a b", "b; a need_cycle a"],
  ["a cycle refuses its members and no other call", "a<b b<c c<b d", "a d; b need_cycle b; c need_cycle b"],
])("%s", (_situation, text, expected) => expect(said(text)).toBe(expected));

test("a call accepted earlier may be needed", () => expect(said("a<old b", ["old"])).toBe("a b"));

test("a chain of 100,000 needs is arranged without running out of stack", () => {
  const calls = Array.from({ length: 100_000 }, (_, i) => ({ id: `c${i}`, needs: i < 99_999 ? [`c${i + 1}`] : [] }));
  expect(arrange(calls, () => false).order[0]).toBe(99_999);
});

test("whatever the needs: each call once, after what it needs or refused", () => {
  const needs = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { maxLength: 10 });
  fc.assert(
    fc.property(needs, (lists) => {
      const calls = lists.map((list, i) => ({ id: `c${i}`, needs: list.map((n) => `c${n}`) }));
      const { order, refused } = arrange(calls, () => false);
      expect([...order, ...refused.keys()].sort((a, b) => a - b)).toEqual([...calls.keys()]);
      const place = new Map(order.map((index, at) => [index, at]));
      for (const [at, index] of order.entries()) {
        for (const need of lists[index]!) if (place.has(need)) expect(place.get(need)!).toBeLessThan(at);
      }
    }),
  );
});
