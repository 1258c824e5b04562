import { expect, test } from "vitest";
import { history } from "../../testing/index.ts";
import { heldMessages, mirroredUpTo, PLAN_ENTRY, planEntries, planOnBranch } from "./session-state.ts";

const custom = (data: unknown, id = "e1") => ({ type: "custom", customType: PLAN_ENTRY, id, data });
const session = (...entries: readonly unknown[]) => ({ getBranch: () => entries, getEntries: () => entries }) as never;

/** What the session would hold of a run that lived so. */
function mirrored({ envelopes, run }: ReturnType<typeof history>): readonly unknown[] {
  return planEntries(run.id, envelopes).map((entry, at) => custom(JSON.parse(JSON.stringify(entry)), `e${at}`));
}

test("the branch tells the plan that the log tells", () => {
  const lived = history().writes("a", "b", "c").works().completes(0).edits("block", 1).write("append", "d").ends();
  const { plan, run, damaged } = planOnBranch(session(...mirrored(lived)));
  expect([plan, run, damaged]).toEqual([lived.run.plan, lived.run.id, []]);
});

test("only changes of the plan and where a run begins are copied", () => {
  const lived = history().writes("a").works().completes(0).ends();
  expect(planEntries("r", lived.envelopes).map(({ event }) => event)).toEqual([
    { type: "run.began" },
    expect.objectContaining({ type: "todos.written" }),
    expect.objectContaining({ type: "todo.completed" }),
  ]);
});

test("a new run begins with an empty list, or with the one it carries on", () => {
  const old = history().writes("a", "b").completes(0, 1);
  const fresh = history().writes("x");
  expect(planOnBranch(session(...mirrored(old), ...mirrored(fresh))).plan.todos.map(({ text }) => text)).toEqual(["x"]);
  const carrying = history({ birth: { carried: old.run.plan } }).write("append", "c");
  const texts = planOnBranch(session(...mirrored(old), ...mirrored(carrying))).plan.todos.map(({ text }) => text);
  expect(texts).toEqual(["a", "b", "c"]);
});

test.each([
  ["nothing", undefined],
  ["a word", "todos"],
  ["no event", { run: "r", seq: 1 }],
  ["an event of a later version", { run: "r", seq: 1, v: 9, at: 1, by: "model", event: { type: "todo.painted" } }],
  ["an event without what it needs", { run: "r", seq: 1, v: 1, at: 1, by: "model", event: { type: "todo.started" } }],
  [
    "an item that is none",
    {
      run: "r",
      seq: 1,
      v: 1,
      at: 1,
      by: "model",
      event: { type: "todos.written", mode: "replace", items: [null], order: ["t1"], dropped: [] },
    },
  ],
])("%s in an entry is reported, and the rest stands", (_what, data) => {
  const lived = history().writes("a", "b");
  const { plan, damaged } = planOnBranch(session(...mirrored(lived), custom(data, "broken")));
  expect([plan.todos.length, damaged]).toEqual([2, ["the entry broken of this session cannot be read"]]);
});

test("entries of others are none of our business", () => {
  const others = [
    { type: "message", message: {} },
    { type: "custom", customType: "other", data: 1 },
  ];
  expect(planOnBranch(session(...others))).toEqual({ plan: { todos: [] }, damaged: [] });
});

test("how far the log was copied is known by run, and held nudges by theirs", () => {
  const lived = history().writes("a").completes(0);
  const nudge = { type: "custom_message", details: { run: lived.run.id, nudge: "b1" } };
  const words = { type: "custom_message", details: { words: "w1" } };
  const all = session(...mirrored(lived), nudge, words, { type: "custom_message", details: { run: "x", nudge: "b9" } });
  expect([mirroredUpTo(all, lived.run.id), mirroredUpTo(all, "another")]).toEqual([lived.envelopes.length, 0]);
  expect(heldMessages(all, lived.run.id)).toEqual(["b1", "w1"]);
});
