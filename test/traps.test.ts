import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KNOWN_TRAPS } from "./hosts/traps.ts";

// The tests themselves need the real hosts; that they are there does not.
test.each(KNOWN_TRAPS.map(({ trap, tests }) => [trap, tests] as const))("has a test: %s", (_trap, tests) => {
  expect(tests.length).toBeGreaterThan(0);
  for (const where of tests) {
    const [, file = "", name = ""] = /^(\S+): (.*)$/.exec(where) ?? [];
    expect(readFileSync(file, "utf8"), where).toContain(name);
  }
});

test("no trap is listed twice", () => {
  const all = KNOWN_TRAPS.map(({ trap }) => trap);
  expect(new Set(all).size).toBe(all.length);
});
