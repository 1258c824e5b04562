import { expect, test } from "vitest";
import { reportOf } from "../../../test/builders/report-of.ts";
import { aReceipt, history } from "../../testing/index.ts";
import { followReport } from "./index.ts";

const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, cost: 0.01 };

test("tokens and cost over time are those of the run, and never fall", () => {
  const life = history().says().writes("a");
  for (let turn = 0; turn < 1200; turn++) life.tell({ type: "answer.seen", usage });
  const { spend, spent } = reportOf(life.envelopes);
  expect(spend.length).toBeGreaterThan(300);
  expect(spend.length).toBeLessThan(800);
  expect(spend.at(-1)).toMatchObject({ tokens: spent.tokens, cost: spent.cost });
  expect(spend.every((point, at) => at === 0 || point.tokens >= spend[at - 1]!.tokens)).toBe(true);
});

test("keeps the end of what a check printed last, whether it passed or not", () => {
  const birth = { checks: [{ run: "npm test", by: "human" as const }] };
  const life = history({ birth }).says().writes("a").works().completes(0);
  life.checked(aReceipt("run", "npm test", { status: "failed", tail: "1 failed" })).ends({ workspace: "w1" });
  const { outputs, checks } = reportOf(life.envelopes);
  expect(checks[0]?.tail).toBe("1 failed");
  expect(outputs[checks[0]!.key]).toBe("1 failed");
});

test("a report that grows event by event is the report of the whole log", () => {
  const life = history().says().writes("a", "b").works().completes(0).ends({ workspace: "w1" });
  const reporter = followReport();
  for (const envelope of life.envelopes) {
    reporter.add(envelope);
    reporter.report();
  }
  expect(reporter.report()).toEqual(reportOf(life.envelopes));
});
