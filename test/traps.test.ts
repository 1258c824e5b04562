import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KNOWN_TRAPS } from "./hosts/traps.ts";
import { untestedTraps } from "./hosts/untested-traps.ts";

// The tests themselves need the real hosts; that they are there does not. That they ran and passed, a whole run finds (traps-reporter.ts).
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

test.each([
  ["passed", { names: ["a stop hook that crashes ends it, always"], passed: true }, 0],
  ["stands in a group of that name", { names: ["in time", "a stop hook that crashes ends it"], passed: true }, 0],
  ["failed or was skipped", { names: ["a stop hook that crashes ends it"], passed: false }, 1],
  ["has another name", { names: ["stops: a stop hook that crashes ends it"], passed: true }, 1],
])("a trap whose only test %s", (_how, ran, count) => {
  const trap = {
    hosts: "all",
    trap: "It stops.",
    tests: ["test/hosts/x.test.ts: a stop hook that %s ends it"],
  } as const;
  expect(untestedTraps([trap], "test/hosts/", [ran])).toHaveLength(count);
  expect(untestedTraps([trap], "src/", [ran])).toEqual([]);
});
