import { describe, expect, test } from "vitest";
import { aReceipt, aRun, history, receiptsOf, todos } from "../../testing/index.ts";
import { finish, proposedChecks } from "../continuation/index.ts";
import type { Run } from "../run/index.ts";
import type { Check } from "../todo/index.ts";
import { listOf } from "./index.ts";

const yours: Check = { run: "npm test", by: "human" };
const proposed: Check = { run: "npm test", by: "model" };
const one = (check: Check | undefined, status: "completed" | "in_progress" | "not_started" = "completed") =>
  todos({ status, ...(check && { checks: [check] }) });
const receipt = (given: Parameters<typeof aReceipt>[2]) => receiptsOf(aReceipt("t1", "npm test", given));
const ran = receiptsOf(aReceipt("run", "npm test", { status: "passed" }));

describe("what is known about an item", () => {
  const ROWS: readonly (readonly [string, string, Run])[] = [
    ["not started", "open", aRun({ todos: todos("not_started") })],
    ["in progress", "working", aRun({ todos: todos("in_progress") })],
    ["blocked", "blocked", aRun({ todos: todos("blocked") })],
    ["given up", "abandoned", aRun({ todos: todos("abandoned") })],
    ["completed, nothing checks it", "claimed", aRun({ todos: one(undefined) })],
    ["completed, its check never ran", "claimed", aRun({ todos: one(yours) })],
    ["completed, the agent proposed a check that may not run", "claimed", aRun({ todos: one(proposed) })],
    ["completed, its check passed", "proven", aRun({ todos: one(yours), receipts: receipt({ status: "passed" }) })],
    [
      "completed, its check passed on other files",
      "claimed",
      aRun({ todos: one(yours), workspace: "new", receipts: receipt({ status: "passed", workspace: "old" }) }),
    ],
    [
      "completed, the agent was seen to run the proposed check",
      "claimed",
      aRun({ todos: one(proposed), receipts: receipt({ status: "observed" }) }),
    ],
    ["completed, its check failed", "failed", aRun({ todos: one(yours), receipts: receipt({ status: "failed" }) })],
    [
      "open again, its check failed",
      "failed",
      aRun({ todos: one(yours, "in_progress"), receipts: receipt({ status: "timed_out" }) }),
    ],
    [
      "completed, its check passed after the test was changed",
      "suspect",
      aRun({ todos: one(yours), receipts: receipt({ status: "passed", suspect: true }) }),
    ],
    ["completed, the run's check passed", "proven", aRun({ todos: one(undefined), checks: [yours], receipts: ran })],
    [
      "completed, the run's check passed, its own is a proposal",
      "proven",
      aRun({ todos: one({ run: "true", by: "model" }), checks: [yours], receipts: ran }),
    ],
    ["completed, the run's check is still to run", "claimed", aRun({ todos: one(undefined), checks: [yours] })],
    ["completed without any work seen", "suspect", history().writes("a").completes(0).run],
    [
      "completed by you",
      "proven",
      history()
        .writes("a")
        .tell({ type: "todos.human_edit", edit: { action: "done", indices: [0] } }).run,
    ],
  ];
  test.each(ROWS)("%s -> %s", (_situation, expected, run) => expect(listOf(run).todos[0]?.proof).toBe(expected));

  test.each(ROWS)("%s: a run that is done and proven has nothing but proven items", (_situation, _proof, run) => {
    const isOpen = run.plan.todos.some(({ status }) => status !== "completed");
    if (isOpen || finish(run).reason !== "all_done") return;
    expect(listOf(run).todos.map(({ proof }) => proof)).toEqual(run.plan.todos.map(() => "proven"));
  });
});

test("the count tells what is done from what is proven", () => {
  const list = todos("completed", { status: "completed", checks: [yours] }, "not_started");
  const run = aRun({ todos: list, receipts: receiptsOf(aReceipt("t2", "npm test", { status: "passed" })) });
  expect(listOf(run).count).toEqual({ done: 2, total: 3, remaining: 1, proven: 1, text: "2/3 done · 1 proven" });
  expect(listOf(aRun({ todos: todos("in_progress", "blocked") })).count.text).toBe("0/2 done");
});

test("proposed checks are those that tildone may not run yet", () => {
  const list = todos(
    { checks: [proposed] },
    { checks: [yours] },
    { checks: [{ ...proposed, allowed: true }] },
    { status: "abandoned", checks: [proposed] },
  );
  expect(proposedChecks(aRun({ todos: list }))).toEqual([{ index: 0, command: "npm test", mayRun: false }]);
});
