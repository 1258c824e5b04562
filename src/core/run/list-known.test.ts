import { expect, test } from "vitest";
import { type History, history } from "../../testing/index.ts";

const sentOn = (it: History) => it.turn("human").ends().nudged();

test.each<[string, (it: History) => unknown, boolean]>([
  ["the agent wrote it", () => {}, true],
  ["the agent edits it", (it) => it.starts(0), true],
  ["the agent speaks, calls tools and stops", (it) => it.turn("human").works().ends(), true],
  ["the agent edits it after you did, and is told all of it", (it) => it.tell(MOVES).starts(0), true],
  ["a turn is broken off, maybe before the agent read a result", (it) => it.turn("human").starts(0).aborts(), false],
  ["the human edits it", (it) => it.tell(MOVES), false],
  ["a subagent edits it", (it) => it.tell(COMPLETES), false],
  ["the human writes it", (it) => it.tell({ ...WRITES, by: "human" }), false],
  ["it comes from a plan", (it) => it.tell({ ...WRITES, by: "plan" }), false],
  ["the engine opens an item again", (it) => it.edits("block", 0).says(), false],
  ["its memory was summed up", (it) => it.tell({ type: "compaction.began" }).tell({ type: "compaction.ended" }), false],
  ["another process took over", (it) => it.tell({ type: "run.open", driver: "two", goOn: false }), false],
  ["it moved to another session", (it) => it.tell({ type: "run.bind", host: "pi", session: "other" }), false],
  ["it is told by a nudge afterwards", (it) => sentOn(it.tell(MOVES)), true],
  ["the agent writes it afterwards", (it) => it.tell(MOVES).writes("c"), true],
])("whether the list is known: %s", (_what, happens, known) => {
  const it = history().writes("a", "b");
  happens(it);
  expect(it.run.ledger.listKnown).toBe(known);
});

test("a nudge that shows no list tells nothing of it", () => {
  const it = history().goal("Ship it").ends();
  expect(it.nudged().run.ledger.listKnown).toBe(false);
});

const MOVES = { type: "todos.human_edit", edit: { action: "move", index: 0, to: 1 } } as const;
const COMPLETES = { type: "todos.edit", edit: { action: "start", indices: [0] }, by: "subagent" } as const;
const WRITES = { type: "todos.write", write: { mode: "append", todos: [{ text: "c" }] } } as const;
