import { describe, expect, test } from "vitest";
import { aReceipt, type History, history } from "../../testing/index.ts";

const CHECK = "npm test";
const allowed = { allowsCheck: () => true };
const text = ({ reply }: History): string =>
  reply.type === "done" ? reply.text : reply.type === "refused" ? reply.refusal.message : reply.type;
const thenStarts = (it: History, at: number, next: number): History =>
  it.tell({ type: "todos.edit", edit: { action: "complete", indices: [at], start: [next] }, by: "model" });

describe("an agent that knows the list is told what changed", () => {
  const WHOLE = "\n\n◇ [0] a\n– [1] b\n– [2] c";
  const three = () => history().says().writes("a", "b", "c").works();
  const SHORT = "Completed [0]. 1/3 done, 2 remaining. Next:\n– [1] b";

  test.each<[string, (it: History) => unknown, string]>([
    ["it wrote it", () => {}, SHORT],
    ["it edited it", (it) => it.starts(0), SHORT],
    ["it was told by a nudge", (it) => it.ends().nudged(), SHORT],
  ])("%s", (_what, happens, expected) => {
    const it = three();
    happens(it);
    expect(text(it.completes(0))).toBe(expected);
  });

  test.each<[string, (it: History) => unknown, string]>([
    [
      "its context was compacted",
      (it) => it.tell({ type: "compaction.began" }).tell({ type: "compaction.ended" }),
      WHOLE,
    ],
    ["another process took over", (it) => it.tell({ type: "run.open", driver: "two", goOn: false }), WHOLE],
    ["it moved to another session", (it) => it.tell({ type: "run.bind", host: "pi", session: "other" }), WHOLE],
    ["its turn was broken off", (it) => it.aborts().says(), WHOLE],
    [
      "you moved a todo",
      (it) => it.tell({ type: "todos.human_edit", edit: { action: "move", index: 1, to: 2 } }),
      "\n\n◇ [0] a\n– [1] c\n– [2] b",
    ],
    [
      "you added one",
      (it) => it.tell({ type: "todos.write", write: { mode: "append", todos: [{ text: "d" }] }, by: "human" }),
      `${WHOLE}\n– [3] d`,
    ],
    [
      "a subagent started one",
      (it) => it.tell({ type: "todos.edit", edit: { action: "start", indices: [2] }, by: "subagent" }),
      "\n\n◇ [0] a\n– [1] b\n● [2] c",
    ],
  ])("the whole list after that, once: %s", (_what, happens, whole) => {
    const it = three();
    happens(it);
    expect(text(it.completes(0))).toBe(`Completed [0]${whole}`);
    expect(text(it.starts(1))).not.toContain("[2]");
  });

  test("a subagent is told the whole list each time", () => {
    const it = three().tell({ type: "todos.edit", edit: { action: "start", indices: [0] }, by: "subagent" });
    expect(text(it)).toBe("Started [0]\n\n● [0] a\n– [1] b\n– [2] c");
  });

  test.each<[string, (it: History) => History, string]>([
    ["an index that is not there", (it) => it.completes(3), "out of range"],
    ["one that is abandoned", (it) => it.edits("abandon", 1).completes(1), "is abandoned"],
    ["one that is blocked", (it) => it.edits("block", 1).completes(1), "is blocked"],
  ])("a refusal shows the list: %s", (_what, asks, why) => {
    const said = text(asks(three()));
    expect(said).toContain(why);
    expect(said).toMatch(/\n\n– \[0\] a\n\S \[1\] b\n– \[2\] c$/);
  });
});

describe("one call completes a todo and starts the next", () => {
  const proven = () => history(allowed).says().writes({ text: "a", check: CHECK }, "b", "c").works();
  const statuses = ({ run }: History) => run.plan.todos.map(({ status }) => status);

  test("without a check at once", () => {
    const it = thenStarts(history().says().writes("a", "b").works(), 0, 1);
    expect([text(it), statuses(it)]).toEqual([
      "Completed [0], started [1]. 1/2 done, 1 remaining.\n● [1] b",
      ["completed", "in_progress"],
    ]);
  });

  test("with a check when it passed", () => {
    const it = thenStarts(proven(), 0, 1);
    expect([text(it), statuses(it)]).toEqual(["checking", ["not_started", "not_started", "not_started"]]);
    it.checked(aReceipt("t1", CHECK));
    expect([text(it), statuses(it)]).toEqual([
      "Completed [0]: 1 check passed, started [1]. 1/3 done, 2 remaining.\n● [1] b",
      ["completed", "in_progress", "not_started"],
    ]);
  });

  test("nothing where the check fails", () => {
    const it = thenStarts(proven(), 0, 1).checked(aReceipt("t1", CHECK, { status: "failed", exit: 1 }));
    expect([it.reply.type, statuses(it)]).toEqual(["refused", ["not_started", "not_started", "not_started"]]);
  });

  test("what you took off the list meanwhile is not started, and the list is told", () => {
    const it = thenStarts(proven(), 0, 1)
      .tell({ type: "todos.human_edit", edit: { action: "drop", indices: [1] } })
      .checked(aReceipt("t1", CHECK));
    expect([text(it), statuses(it)]).toEqual([
      "Completed [0]: 1 check passed\n\n✓ [0] a\n– [1] c",
      ["completed", "not_started"],
    ]);
  });

  test("its guard is taken for what it starts", () => {
    const it = proven();
    it.tell({
      type: "todos.edit",
      edit: { action: "block", indices: [1], start: [2], reason: "no key" },
      by: "model",
      guard: "g2",
    });
    expect(it.run.ledger.guards).toMatchObject({ t3: "g2" });
    expect(it.run.ledger.guards.t2).not.toBe("g2");
  });
});
