import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { canonical, digestOf } from "./digest.ts";

const cycle: Record<string, unknown> = { name: "me" };
cycle.self = cycle;
let deep: unknown = 1;
for (let i = 0; i < 5000; i++) deep = [deep];

test.each<[string, unknown, string]>([
  [
    "keys are sorted at every depth",
    { b: 1, a: { d: 2, c: [3, { f: 4, e: 5 }] } },
    '{"a":{"c":[3,{"e":5,"f":4}],"d":2},"b":1}',
  ],
  ["order in a list matters", [2, 1], "[2,1]"],
  ["an absent field is no field", { a: undefined }, "{}"],
  ["text and number differ", ["1", 1], '["1",1]'],
  ["a cycle", cycle, '{"name":"me","self":<cycle>}'],
  ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ["an error", new TypeError("no"), '<TypeError "no">'],
  ["a big number", 10n, "<bigint 10>"],
  ["a function", () => 1, "<function>"],
  ["nothing", undefined, "<undefined>"],
  [
    "a value that refuses",
    {
      toJSON: () => {
        throw new Error("no");
      },
    },
    "<unreadable>",
  ],
])("canonical form: %s", (_what, value, text) => expect(canonical(value)).toBe(text));

test("a very deep value does not run out of stack", () => expect(canonical(deep)).toContain("<deep>"));

test("the same value twice below one parent is not a cycle", () => {
  const shared = { a: 1 };
  expect(canonical([shared, shared])).toBe('[{"a":1},{"a":1}]');
});

test.each<[string, unknown[], unknown[], boolean]>([
  ["key order does not matter", ["t", { a: 1, b: 2 }, "ok"], ["t", { b: 2, a: 1 }, "ok"], true],
  ["another tool", ["t", {}, "ok"], ["u", {}, "ok"], false],
  ["other arguments", ["t", { a: 1 }, "ok"], ["t", { a: 2 }, "ok"], false],
  ["another result", ["t", {}, "ok"], ["t", {}, "no"], false],
  ["arguments are not results", ["t", "a", "b"], ["t", "b", "a"], false],
])("digest: %s", (_what, a, b, same) => {
  const digest = ([tool, args, result]: unknown[]) => digestOf(tool as string, args, result);
  expect(digest(a) === digest(b)).toBe(same);
});

test("different values get different digests", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(digestOf("t", a, null) === digestOf("t", b, null)).toBe(canonical(a) === canonical(b));
    }),
  );
  const many = new Set(Array.from({ length: 50_000 }, (_, i) => digestOf("read", { line: i }, "ok")));
  expect(many.size).toBe(50_000);
});
