import { expect, test } from "vitest";
import { aFirstResult } from "../../test/builders/a-first-result.ts";
import { checkKey, firstKey } from "../core/continuation/index.ts";
import type { FirstResult, Run } from "../core/run/index.ts";
import type { Check } from "../core/todo/index.ts";
import { aRun } from "../testing/index.ts";
import { createFirstResults } from "./first-results.ts";
import type { Checks } from "./ports.ts";

const check = (run: string): Check => ({ run, by: "human" });
/** Checks whose first result comes when the test says so. */
function aWorld(...checks: readonly string[]) {
  const asked: { line: string; signal: AbortSignal; answer: (first?: FirstResult) => void }[] = [];
  const told: string[] = [];
  let run: Run = aRun({ checks: checks.map(check), guard: "tree:x" });
  const port: Checks = {
    run: async () => [],
    guard: async () => undefined,
    first: (request, signal) => {
      const { promise, resolve } = Promise.withResolvers<FirstResult | undefined>();
      asked.push({ line: `${request.check.run}`, signal, answer: resolve });
      return promise;
    },
  };
  const firsts = createFirstResults(port, (first) => {
    told.push(first.command);
    look({ firsts: { ...run.ledger.firsts, [first.key]: first } });
  });
  function look(change: Partial<Run["ledger"]> = {}, isDriven = true): void {
    run = { ...run, ledger: { ...run.ledger, ...change } };
    firsts.keepOn(run, isDriven);
  }
  const settle = async (at: number, how: "found" | "nothing") => {
    const { line, answer } = asked[at]!;
    answer(how === "found" ? aFirstResult(check(line)) : undefined);
    await new Promise((next) => setImmediate(next));
  };
  const lines = () => asked.map(({ line, signal }) => `${line}${signal.aborted ? " cut" : ""}`);
  return { look, settle, lines, told, firsts };
}
const VERIFYING = { round: "r1", purpose: "finish", ids: [], by: "engine", until: 0 } as const;

test("each check is tried once, one after the other, and told", async () => {
  const { look, settle, lines, told } = aWorld("a", "b", "a");
  look();
  look();
  expect(lines()).toEqual(["a"]);
  await settle(0, "found");
  await settle(1, "found");
  look();
  expect(lines()).toEqual(["a", "b"]);
  expect(told).toEqual(["a", "b"]);
});

test("one of which nothing can be said is not asked for again", async () => {
  const { look, settle, lines } = aWorld("a", "b");
  look();
  await settle(0, "nothing");
  look();
  expect(lines()).toEqual(["a", "b"]);
});

test.each<[string, Partial<Run["ledger"]>, Partial<Run["ledger"]>]>([
  ["a round of checks", { verifying: VERIFYING }, {}],
  ["a hold", { held: true }, { held: false }],
])("%s cuts it short, and it is tried again afterwards", async (_what, begins, ends) => {
  const { look, settle, lines, told } = aWorld("a");
  look();
  look(begins);
  await settle(0, "found");
  expect(lines()).toEqual(["a cut"]);
  look({ ...ends, ...(begins.verifying && { verifying: undefined as never }) });
  expect(lines()).toEqual(["a cut", "a"]);
  await settle(1, "found");
  expect(told).toEqual(["a"]);
});

test.each<[string, Partial<Run["ledger"]>, boolean]>([
  ["another process drives the run", {}, false],
  ["nothing was kept that judges", { guard: undefined as never }, true],
])("nothing is tried where %s", (_what, change, isDriven) => {
  const { look, lines } = aWorld("a");
  look(change, isDriven);
  expect(lines()).toEqual([]);
});

test("a check has the same key for each of its owners", () => {
  expect(firstKey(check("a"))).toBe(firstKey({ ...check("a"), cwd: "." }));
  expect(firstKey(check("a"))).not.toBe(firstKey({ ...check("a"), cwd: "b" }));
  expect(checkKey("t1", check("a"))).not.toBe(checkKey("run", check("a")));
});
