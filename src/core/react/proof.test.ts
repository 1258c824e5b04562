import { describe, expect, test } from "vitest";
import { aReceipt, type History, type HistoryGiven, history } from "../../testing/index.ts";
import { listOf } from "../view/index.ts";
import type { SeenCommand } from "./trigger.ts";

const CHECK = "npm test -- sum";
/** A list whose item carries a check that the model proposed. */
const proposed = (given: HistoryGiven = {}): History =>
  history(given).says().writes({ text: "Implement sum", check: CHECK }).works();
const ran = (run: History, command: SeenCommand, workspace?: string): History =>
  run.tell({
    type: "call.seen",
    digest: `d${command.line}${command.passed}`,
    command,
    ...(workspace && { workspace }),
  });
const ends = (run: History, workspace = "w1"): string => run.ends({ workspace }).said;

describe("a check that the model proposes", () => {
  test("does not run by itself: the item is finished unproven", () => {
    const run = proposed().completes(0);
    expect(run.reply.type).toBe("done");
    expect(ends(run)).toBe("stop done_unproven");
  });

  test("runs where a rule of the user allows it", () => {
    const run = proposed({ allowsCheck: (line) => line === CHECK }).completes(0);
    expect(run.reply.type).toBe("checking");
    expect(ends(run.checked(aReceipt("t1", CHECK, { workspace: "w1" })))).toBe("stop all_done");
  });

  test.each([
    ["failed before the work", "stop all_done", "failed"],
    ["could not start before the work", "stop all_done", "not_runnable"],
    ["passed before the work, too", "stop done_unproven", "passed"],
    ["had no end before the work", "stop done_unproven", "timed_out"],
    ["was never tried before the work", "stop done_unproven", undefined],
  ] as const)("and that fits a pattern, but no rule names it, and that %s: %s", (_situation, expected, first) => {
    const run = proposed({ allowsCheck: () => "pattern" }).completes(0);
    const receipt = aReceipt("t1", CHECK, { workspace: "w1", ...(first && { first }) });
    expect(ends(run.checked(receipt))).toBe(expected);
    if (expected === "stop all_done") return;
    run.tell({ type: "human.accept", checks: "run" });
    expect(run.said).toBe("stop all_done");
  });

  test("and that shows nothing takes nothing from what your own check shows", () => {
    const birth = { checks: [{ run: "make", by: "human" } as const] };
    const run = proposed({ allowsCheck: () => "pattern", birth }).completes(0);
    const receipts = [
      aReceipt("t1", CHECK, { workspace: "w1", first: "passed" }),
      aReceipt("run", "make", { workspace: "w1" }),
    ];
    expect(ends(run.checked(...receipts))).toBe("stop all_done");
    expect(listOf(run.run).todos[0]?.standing).toBe("proven");
  });

  test("runs when the user accepted it while the item was open", () => {
    const run = proposed().tell({ type: "human.accept" }).completes(0);
    expect(run.reply.type).toBe("checking");
  });

  test("stays a proposal when the user accepts what is done already", () => {
    const run = proposed();
    run.tell({ type: "todos.edit", edit: { action: "abandon", indices: [0], reason: "no" }, by: "model" });
    expect(ends(run)).toBe("stop done_with_doubt");
    run.tell({ type: "human.accept" });
    expect(run.said).toBe("stop done_accepted");
  });
});

describe("the agent's own run of a check is feedback and no proof", () => {
  test.each<[string, string, (run: History) => History]>([
    ["of exactly that command", "stop done_unproven", (run) => ran(run, { line: CHECK, passed: true }, "w1")],
    ["with blanks around it", "stop done_unproven", (run) => ran(run, { line: ` ${CHECK}\n`, passed: true }, "w1")],
    ["of another command", "stop done_unproven", (run) => ran(run, { line: `${CHECK} || true`, passed: true }, "w1")],
    ["that failed", "stop done_unproven", (run) => ran(run, { line: CHECK, passed: false }, "w1")],
    ["before something changed", "stop done_unproven", (run) => ran(run, { line: CHECK, passed: true }, "w0")],
    [
      "that passed, then failed",
      "stop done_unproven",
      (run) => ran(ran(run, { line: CHECK, passed: true }, "w1"), { line: CHECK, passed: false }, "w1"),
    ],
  ])("%s: %s", (_what, expected, act) => expect(ends(act(proposed()).completes(0))).toBe(expected));

  test("is a receipt of its own kind", () => {
    const run = ran(proposed(), { line: CHECK, passed: true, output: "1 passed, password=hunter2-hunter2" }, "w1");
    expect(run.run.ledger.receipts[`t1 ${CHECK}`]).toMatchObject({
      status: "observed",
      workspace: "w1",
      tail: "1 passed, password=[redacted]",
    });
  });

  test("counts for nothing where we run the check ourselves", () => {
    const run = ran(proposed({ allowsCheck: () => true }), { line: CHECK, passed: true }, "w1");
    expect(run.run.ledger.receipts).toEqual({});
    expect(run.completes(0).reply.type).toBe("checking");
  });
});

test("the time of checks at a boundary is counted, that of checks in a turn is the turn's", () => {
  const check = { run: "make", by: "human" } as const;
  const run = history({ birth: { checks: [check] } })
    .writes("a")
    .says()
    .works();
  run.completes(0).checked(aReceipt("run", "make", { durationMs: 5000, workspace: "w1" }));
  run.after(1000);
  expect(ends(run, "w2")).toBe("wait verifying");
  expect(run.run.ledger.spent.activeMs).toBe(1000);
  run.checked(aReceipt("run", "make", { durationMs: 7000, workspace: "w2" }));
  expect(run.run.ledger.spent.activeMs).toBe(8000);
});

test("after a limit a run comes back a little after the reset, each at its own time, and always at the same", () => {
  const resumeAt = (run: string): number => {
    const limited = history({ birth: { run } })
      .says()
      .writes("a")
      .fails("rate_limit", { resetAt: 1_000 + 3_600_000 });
    const { decision } = limited.run.ledger;
    return decision?.type === "wait" ? decision.until! : Number.NaN;
  };
  const times = ["a", "b", "c", "d", "e"].map(resumeAt);
  for (const time of times) {
    expect(time).toBeGreaterThanOrEqual(3_601_000);
    expect(time).toBeLessThanOrEqual(3_631_000);
  }
  expect(new Set(times).size).toBe(5);
  expect(["a", "b", "c", "d", "e"].map(resumeAt)).toEqual(times);
});

test("what agents of the run use counts for its budget, and for the item at hand", () => {
  const usage = { input: 600, output: 300, cacheRead: 9000, cacheWrite: 100, cost: 0.5 };
  const run = history({ birth: { budget: { tokens: 1000 } } })
    .writes("a", "b")
    .says()
    .starts(1)
    .works();
  run.tell({ type: "usage.seen", usage });
  expect(run.run.ledger.spent).toMatchObject({ input: 600, cacheRead: 9000, cost: 0.5, activeMs: 0, continuations: 0 });
  expect(run.run.ledger.todoLedgers.t1).toMatchObject({ tokens: 1000, cost: 0.5, continuations: 0 });
  expect(run.run.ledger.turn?.braked).toMatchObject({ reason: "budget_tokens" });
  expect(run.ends().said).toBe("stop budget_tokens");
  expect(run.tell({ type: "human.extend", budget: { tokens: 500 } }).said).toBe("continue todo");
});
