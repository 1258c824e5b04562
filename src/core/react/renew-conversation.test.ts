import { describe, expect, test } from "vitest";
import { type History, history } from "../../testing/index.ts";
import { DEFAULTS } from "../continuation/index.ts";
import { NOTES } from "../run/index.ts";

const fresh = (given: Partial<Parameters<typeof history>[0]> = {}) =>
  history({ limits: { context: { ...DEFAULTS.context, mode: "fresh" } }, ...given });
const renew = (it: History): string => {
  it.tell({ type: "conversation.renew" });
  return it.reply.type === "done" ? it.reply.text : it.reply.type;
};
const begun = () => fresh().writes("a", "b", "c").turn("human").starts(0).works();
const answer = (input: number) => ({
  type: "answer.seen" as const,
  calls: 1,
  usage: { input, output: 1, cacheRead: 0, cacheWrite: 0, cost: 0 },
});

describe("between two answers of a turn", () => {
  test("a todo ended: the next one begins with a briefing, and in the same turn", () => {
    const it = begun().completes(0);
    expect(renew(it)).toContain("Next action: edit_todos start [1]");
    expect(it.run.ledger).toMatchObject({
      turn: { id: "turn-1" },
      conversation: { number: 2, ended: [], why: "`context` is `fresh`, and [0] ended" },
      listKnown: true,
      spent: { continuations: 0 },
    });
  });

  test.each<[string, (it: History) => unknown]>([
    ["no todo ended", () => {}],
    ["everything is done", (it) => it.completes(0, 1, 2)],
    ["you put the run on hold", (it) => it.completes(0).holds()],
    ["you interrupted it", (it) => it.completes(0).interrupts()],
    ["a message of yours waits", (it) => it.completes(0).queues("w1")],
    ["a question is open", (it) => it.completes(0).tell({ type: "question.opened", id: "q" })],
    ["continuation was switched off", (it) => it.completes(0).tell({ type: "continuation.switch", on: false })],
    ["the turn is over", (it) => it.completes(0).ends()],
  ])("the conversation stays: %s", (_situation, act) => {
    const it = begun();
    act(it);
    expect([renew(it), it.run.ledger.conversation.number]).toEqual(["ignored", 1]);
  });

  test("why it stays is written down once for every todo that ended", () => {
    const it = history({ limits: { context: { mode: "fresh", every: 3, can: true } } }).writes("a", "b", "c", "d");
    it.turn("human").completes(0);
    renew(it);
    renew(it);
    it.completes(1);
    renew(it);
    const kept = it.envelopes.flatMap(({ event }) => (event.type === "conversation.kept" ? [event.why] : []));
    expect(kept).toEqual(["1 of 3 todos ended in this conversation", "2 of 3 todos ended in this conversation"]);
    it.completes(2);
    expect(renew(it)).toContain("Next action: edit_todos start [3]");
  });

  test("auto begins anew when what is sent again costs more than a briefing", () => {
    const it = history({ limits: { context: { ...DEFAULTS.context, mode: "auto" } } }).writes("a", "b", "c");
    it.turn("human").tell(answer(2_000)).completes(0);
    expect([renew(it), it.run.ledger.conversation.kept?.why]).toEqual([
      "ignored",
      expect.stringMatching(/holds 2,000/),
    ]);
    it.tell(answer(9_000)).completes(1);
    expect(renew(it)).toContain("Next action: edit_todos start [2]");
  });
});

describe("with a nudge", () => {
  const ended = () => begun().completes(0).ends();

  test("it is marked, and the conversation is a new one when it was taken", () => {
    const it = ended();
    expect(it.nudges.at(-1)).toMatchObject({ fresh: true, text: expect.stringContaining("A new conversation") });
    expect(it.run.ledger.conversation.number).toBe(1);
    expect(it.nudged().run.ledger.conversation).toMatchObject({ number: 2, ended: [] });
    expect(it.ends().nudges.at(-1)).not.toHaveProperty("fresh");
  });

  test("one that the host did not take leaves the conversation as it was", () => {
    const it = ended();
    it.tell({ type: "nudge.failed", nudge: it.run.ledger.nudge!.id, message: "gone" });
    expect(it.run.ledger.conversation).toMatchObject({ number: 1, ended: ["t1"] });
  });

  test("where only another process can begin one, nothing is sent and the boundary is parked", () => {
    const it = fresh({ renews: "process", waker: "a supervisor" }).writes("a", "b").turn("human").completes(0).ends();
    expect([it.nudges, it.run.ledger.boundary?.status]).toEqual([[], "parked"]);
  });

  test.each(["nudge", "process"] as const)("%s: the agent is told to end its turn, not in the last todo", (renews) => {
    const it = fresh({ renews }).writes("a", "b").turn("human").completes(0);
    expect(it.reply).toMatchObject({ text: expect.stringContaining("End your turn now") });
    it.completes(1);
    expect(it.reply).not.toMatchObject({ text: expect.stringContaining("End your turn now") });
  });
});

test("notes are kept with their todos, cut, and the oldest go", () => {
  const it = begun();
  const note = (text: string) =>
    it.tell({ type: "todos.edit", edit: { action: "start", indices: [0], note: text }, by: "model" });
  note(`first\nline ${"x".repeat(1_000)}`);
  expect(it.run.ledger.notes).toEqual([{ ids: ["t1"], text: expect.stringMatching(/^first line x+…$/) }]);
  expect(it.run.ledger.notes[0]!.text).toHaveLength(NOTES.characters);
  for (let at = 0; at < 30; at++) note(`note ${at}`);
  expect(it.run.ledger.notes).toHaveLength(NOTES.most);
  note("note 29");
  expect(it.run.ledger.notes.at(-1)).toEqual({ ids: ["t1"], text: "note 29" });
});
