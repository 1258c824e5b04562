import { expect, test } from "vitest";
import { budgetSpent, budgetUse } from "./budget.ts";

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, activeMs: 0, continuations: 0 };

test.each([
  ["tokens", { tokens: 60 }, { input: 10, output: 20, cacheWrite: 29, cacheRead: 900 }, undefined],
  ["tokens", { tokens: 60 }, { input: 10, output: 20, cacheWrite: 30 }, "budget_tokens"],
  ["cost", { cost: 0.5 }, { cost: 0.49 }, undefined],
  ["cost", { cost: 0.5 }, { cost: 0.5 }, "budget_cost"],
  ["minutes", { minutes: 2 }, { activeMs: 119_999 }, undefined],
  ["minutes", { minutes: 2 }, { activeMs: 120_000 }, "budget_minutes"],
  ["continuations", { continuations: 3 }, { continuations: 2 }, undefined],
  ["continuations", { continuations: 3 }, { continuations: 3 }, "budget_continuations"],
  ["what is not limited", {}, { input: 1e9, cost: 1e9, activeMs: 1e12, continuations: 1e6 }, undefined],
] as const)("%s: %o, and used %o -> %s", (_what, budget, used, reason) => {
  expect(budgetSpent({ budget, spent: { ...NOTHING, ...used } } as never)).toBe(reason);
});

test("what is used is told in the unit of its limit", () => {
  const spent = { ...NOTHING, activeMs: 90_000, cost: 0.25 };
  expect(budgetUse({ budget: { minutes: 2, cost: 1 }, spent } as never)).toEqual([
    { name: "cost", used: 0.25, limit: 1 },
    { name: "minutes", used: 1.5, limit: 2 },
  ]);
});
