import { expect, test } from "vitest";
import { history } from "../../testing/index.ts";
import { newPace, toolsRun } from "./pace.ts";

test.each([
  ["a tool runs before its answer was told: one call is under way", 0, 1],
  ["tools run whose answer said how many: as many", 3, 3],
])("%s", (_situation, calls, expected) => {
  expect(toolsRun({ ...newPace(1_000, false), calls }, 2_000)).toMatchObject({ phase: "tools", calls: expected });
});

test("a turn that began before there was a list pays for the first todo that it was charged to", () => {
  const usage = { input: 7, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
  const it = history().goal("Ship it").says().tell({ type: "answer.seen", calls: 1, usage });
  expect(Object.keys(it.run.ledger.turn ?? {})).not.toContain("todo");
  it.writes("a", "b").tell({ type: "answer.seen", calls: 1, usage });
  const { turn, spent, todoLedgers } = it.run.ledger;
  expect([turn?.id, turn?.todo, turn?.pace.answers]).toEqual(["turn-1", "t1", 2]);
  expect([spent.input, todoLedgers.t1?.tokens]).toEqual([14, 7]);
});

test("the files do not go back with the branch: a phase is judged by what changes from there on", () => {
  const it = history().writes("a");
  const { plan } = it.run;
  it.writes("b").tell({ type: "workspace.observed", workspace: "w1" }).tell({ type: "plan.rebase", plan });
  expect([it.run.plan.todos[0]?.text, it.run.ledger.phaseWorkspace]).toEqual(["a", "w1"]);
});
