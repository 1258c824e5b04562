import { describe, expect, test } from "vitest";
import { aReceipt, type History, history } from "../../testing/index.ts";
import type { Check } from "../todo/index.ts";
import type { Writer } from "./trigger.ts";

const check: Check = { run: "npm test", by: "human" };
const given = { birth: { checks: [check] } };

function write(run: History, guard: string | undefined, ...texts: readonly string[]): History {
  return run.tell({
    type: "todos.write",
    write: { mode: "append", todos: texts.map((text) => ({ text, touches: [`test/${text}`] })) },
    by: "model",
    ...(guard !== undefined && { guard }),
  });
}
const edit = (
  run: History,
  action: "start" | "complete",
  index: number,
  guard?: string,
  by: Writer = "model",
): History =>
  run.tell({
    type: "todos.edit",
    edit: { action, indices: [index] },
    by,
    ...(guard !== undefined && { guard }),
  });

describe("what is guarded", () => {
  test("an item from when it was written, anew from when it is started; the run from its first list", () => {
    const run = write(history(given), "g1", "a", "b");
    expect(run.run.ledger.guards).toEqual({ run: "g1", t1: "g1", t2: "g1" });
    edit(run, "start", 1, "g2");
    write(run, "g3", "c");
    expect(run.run.ledger.guards).toEqual({ run: "g1", t1: "g1", t2: "g2", t3: "g3" });
    expect(run.run.ledger.guard).toBe("g3");
  });

  test("nothing, where nothing is protected; an item written before that, from the first guard on", () => {
    const run = write(history(given), undefined, "a");
    expect(run.run.ledger.guards).toEqual({});
    write(run, "g1", "b");
    expect(run.run.ledger.guards).toEqual({ run: "g1", t1: "g1", t2: "g1" });
  });

  test("nothing, when the edit is refused", () => {
    const run = write(history(given), "g1", "a");
    edit(run, "start", 7, "g2");
    expect(run.reply.type).toBe("refused");
    expect(run.run.ledger.guards.t1).toBe("g1");
  });

  test("an item's touches are declared from its start, or from its completion; not before, and for good", () => {
    const run = write(history(), undefined, "a", "b", "c");
    expect(run.run.ledger.declared).toEqual([]);
    edit(run, "start", 0);
    edit(run, "complete", 1);
    run.tell({ type: "todos.human_edit", edit: { action: "drop", indices: [0] } });
    expect(run.run.ledger.declared).toEqual(["test/a", "test/b"]);
  });
});

describe("a completion that is suspect", () => {
  const doubt = { suspect: true, doubt: "test/a was modified without being declared" };
  const receipt = (more: object = {}) => aReceipt("run", "npm test", { workspace: "w1", ...more });
  const completed = (more: object): History => {
    const run = write(history(given).says(), "g1", "a").works();
    return edit(run, "complete", 0).checked(receipt(more));
  };

  test("counts as completed, and the agent is told at once", () => {
    const run = completed(doubt);
    expect(run.run.plan.todos[0]!.status).toBe("completed");
    expect(run.reply).toMatchObject({
      type: "done",
      text: expect.stringContaining("test/a was modified without being declared"),
    });
  });

  test("is told again in the next nudge, while there is other work", () => {
    const run = write(history(given).says(), "g1", "a", "b").works();
    run.tell({ type: "todos.human_edit", edit: { action: "done", indices: [1] } });
    edit(run, "complete", 0).checked(receipt(doubt));
    write(run, undefined, "c").ends();
    expect(run.nudges.at(-1)!.text).toMatch(
      /^The run's check is suspect\..*\n> test\/a was modified without being declared$/m,
    );
  });

  test("ends with doubt, until the user accepts it", () => {
    const run = completed(doubt).ends({ workspace: "w1" });
    expect([run.said, run.run.ledger.decision]).toEqual([
      "stop done_with_doubt",
      expect.objectContaining({ detail: "the run's check is suspect: test/a was modified without being declared" }),
    ]);
    run.tell({ type: "human.accept" });
    expect(run.said).toBe("stop done_accepted");
  });

  test("or until it is undone: the checks run again, since the workspace is another", () => {
    const run = completed(doubt).ends({ workspace: "w2" });
    expect(run.said).toBe("wait verifying");
    run.checked(receipt({ workspace: "w2" }));
    expect(run.said).toBe("stop all_done");
  });

  test("one that was cleared is as good as any", () => {
    const run = completed({ suspect: false, doubt: "changed, but passes with the old content too" });
    expect(run.ends({ workspace: "w1" }).said).toBe("stop all_done");
  });

  test("what the user accepted before does not cover it", () => {
    const run = write(history(given).says(), "g1", "a").works();
    run.tell({ type: "human.accept" });
    edit(run, "complete", 0).checked(receipt(doubt)).ends({ workspace: "w1" });
    expect(run.said).toBe("stop done_with_doubt");
  });

  test("accepting it does not cover what was changed since", () => {
    const run = completed(doubt);
    run.tell({ type: "human.accept" }).ends({ workspace: "w2" });
    run.checked(receipt({ suspect: true, doubt: "test/b was modified without being declared", workspace: "w2" }));
    expect(run.said).toBe("stop done_with_doubt");
  });

  test("accepting it covers the round that finds it again", () => {
    const run = completed(doubt).ends({ workspace: "w1" });
    run.tell({ type: "human.spoke" }).turn("human").ends({ workspace: "w2" });
    run.checked(receipt({ ...doubt, workspace: "w2" }));
    expect(run.said).toBe("stop done_with_doubt");
    run.tell({ type: "human.accept" });
    expect(run.said).toBe("stop done_accepted");
  });
});
