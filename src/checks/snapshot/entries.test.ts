import { expect, test } from "vitest";
import { differingIn, type Entries } from "./entries.ts";

const files = (names: string): Entries =>
  new Map(
    names
      .split(" ")
      .filter(Boolean)
      .map((name) => [name[0]!, { mode: "100644", oid: name }]),
  );

test.each([
  ["nothing", "a b", "a b", ""],
  ["another one", "a b", "a b2", "b"],
  ["gone", "a b", "a", "b"],
  ["new", "a", "a b", "b"],
  ["as many gone as new", "a b", "a c", "b c"],
  ["the first ones", "", "a b", "a b"],
])("what differs: %s", (_what, old, now, expected) =>
  expect(differingIn(files(old), files(now)).join(" ")).toBe(expected),
);
