import { describe, expect, test } from "vitest";
import { aPhase, aWorkflow, startOf } from "../../../test/builders/workflow.ts";
import { type History, history } from "../../testing/index.ts";
import type { StartCommand } from "../workflow/index.ts";
import type { Trigger } from "./index.ts";

const DUPLICATE = { type: "ignored", why: "duplicate" };
const NOTHING = { type: "ignored", why: "nothing_to_do" };

/** What a host reports about itself: it makes the run wait, told twice it changes nothing, and its end lets the run continue. */
const FACTS: readonly (readonly [string, string, Trigger, Trigger])[] = [
  ["a question", "wait question", { type: "question.opened", id: "q" }, { type: "question.closed", id: "q" }],
  ["a compaction", "wait compacting", { type: "compaction.began" }, { type: "compaction.ended" }],
  ["a recovery", "wait recovering", { type: "recovery.began" }, { type: "recovery.ended" }],
  [
    "an agent in the background",
    "wait background",
    { type: "background.changed", agents: 1, awaited: 0 },
    { type: "background.changed", agents: 0, awaited: 0 },
  ],
  [
    "an awaited command",
    "wait background",
    { type: "background.changed", agents: 0, awaited: 1 },
    { type: "background.changed", agents: 0, awaited: 0 },
  ],
  ["plan mode", "stop read_only", { type: "mode.changed", readOnly: true }, { type: "mode.changed", readOnly: false }],
];

describe.each(FACTS)("%s", (_what, expected, began, over) => {
  test(`${expected}, and when it is over it continues`, () => {
    const it = history().writes("a").tell(began).turn("human").ends();
    expect(it.said).toBe(expected);
    it.tell(over);
    if (expected.startsWith("wait")) expect(it.said).toBe("continue todo");
    expect(it.turn("human").ends().said).toBe("continue todo");
  });

  test("its end told twice, or without a beginning, is a duplicate", () => {
    expect(history().writes("a").tell(over).reply).toEqual(DUPLICATE);
    expect(history().writes("a").tell(began).tell(over).tell(over).reply).toEqual(DUPLICATE);
  });

  test("its beginning told twice changes nothing but a deadline", () => {
    const it = history().writes("a").tell(began);
    const { length } = it.envelopes;
    it.tell(began);
    if (it.reply.type === "ignored") expect([it.reply, it.envelopes.length]).toEqual([DUPLICATE, length]);
    expect(it.turn("human").ends().said).toBe(expected);
  });
});

describe("told twice", () => {
  const TWICE: readonly (readonly [string, Trigger, unknown])[] = [
    ["a hold", { type: "human.hold", now: false }, NOTHING],
    ["a switch", { type: "continuation.switch", on: false }, NOTHING],
    ["a turn", { type: "turn.started", turn: "t1", cause: "human" }, DUPLICATE],
    ["the same plan", { type: "plan.rebase", plan: { todos: [] } }, NOTHING],
    ["words", { type: "words.queue", words: { id: "w", text: "Do", kind: "steer" } }, NOTHING],
  ];
  test.each(TWICE)("%s", (_what, trigger, reply) => {
    const it = history().writes("a").tell(trigger);
    const { length } = it.envelopes;
    expect([it.tell(trigger).reply, it.envelopes.length]).toEqual([reply, length]);
  });

  test("binding a run to where it is cuts nothing off, to another session it does", () => {
    const it = history().writes("a").turn("human").tell({ type: "run.bind", host: "test", session: "s" });
    expect(it.run.ledger.turn?.id).toBe("turn-1");
    it.tell({ type: "run.bind", host: "test", session: "other" });
    expect([it.run.origin.session, it.run.ledger.turn]).toEqual(["other", undefined]);
  });

  test("an end that has a name of its own", () => {
    const it = history().writes("a").turn("human").ends({ end: "e1" }).nudged().ends({ end: "e1" });
    expect([it.reply, it.run.ledger.boundaries]).toEqual([DUPLICATE, 1]);
    expect(it.ends({ end: "e2" }).run.ledger.boundaries).toBe(2);
  });

  test("a hold that says now is heard again: you want it to stop at once", () => {
    const it = history().writes("a").turn("human").holds().tell({ type: "human.hold", now: true });
    expect(it.effects).toContainEqual(expect.objectContaining({ type: "turn.end", how: "now" }));
  });
});

describe("a host that ended within a turn", () => {
  const LEFT: Trigger = { type: "host.left" };
  const hasLeft = (it: History) => it.run.ledger.left !== undefined;

  test("has left, told once, and nothing is decided by it", () => {
    const it = history().writes("a").turn("human").tell(LEFT);
    const { decision, turn, interrupt } = it.run.ledger;
    expect([hasLeft(it), decision, turn?.id, interrupt]).toEqual([true, undefined, "turn-1", undefined]);
    expect(it.tell(LEFT).reply).toEqual(NOTHING);
  });

  test.each<[string, (it: History) => History, boolean]>([
    ["is back with its next turn", (it) => it.turn("human"), false],
    ["is back with the late end of the turn", (it) => it.ends(), false],
    ["is back with a word of the model", (it) => it.writes("b"), false],
    ["is not back because the human speaks elsewhere", (it) => it.holds(), true],
    [
      "does not matter when another takes the run over",
      (it) => it.tell({ type: "run.open", driver: "d2", goOn: true }),
      false,
    ],
  ])("%s", (_what, then, expected) => {
    expect(hasLeft(then(history().writes("a").turn("human").tell(LEFT)))).toBe(expected);
  });

  test.each<[string, string, () => History]>([
    ["the turn that ran", "turn-1", () => history().writes("a").turn("human")],
    [
      "the turn after a nudge whose beginning was not seen",
      "after-b1",
      () => history().writes("a").turn("human").ends(),
    ],
    ["an unknown turn", "lost-b0", () => history().writes("a")],
  ])("is back with its next turn, and cut off is %s: %s", (_which, expected, given) => {
    const it = given().tell(LEFT).tell({ type: "turn.started", turn: "another", cause: "human" });
    const cut = it.envelopes.flatMap(({ event }) => (event.type === "turn.cut" ? [event.turn] : []));
    expect([cut, it.run.ledger.turn?.id]).toEqual([[expected], "another"]);
  });

  test("at a boundary nothing is cut off by its end", () => {
    const it = history().writes("a").turn("human").ends({ outcome: "aborted" });
    expect([it.tell(LEFT).reply, hasLeft(it)]).toEqual([NOTHING, false]);
  });
});

describe("one batch of calls", () => {
  const write = (mode: "replace" | "append" | "insert", batch?: string, text = `${mode} in ${batch}`): Trigger => ({
    type: "todos.write",
    write: { mode, todos: [{ text }], ...(mode === "insert" && { index: 0 }) },
    by: "model",
    ...(batch && { batch }),
  });
  const edit = (batch?: string, action: "start" | "complete" = "start"): Trigger => ({
    type: "todos.edit",
    edit: { action, indices: [0] },
    by: "model",
    ...(batch && { batch }),
  });
  const BATCHES: readonly (readonly [string, readonly Trigger[], string])[] = [
    ["an insert alone", [write("insert", "1")], "done"],
    ["an edit after an append", [write("append", "1"), edit("1")], "done"],
    ["a start after a replace", [write("replace", "1"), edit("1")], "done"],
    ["another edit after a replace", [write("replace", "1"), edit("1", "complete")], "list_moved"],
    ["an edit after a replace in which the item stayed", [write("replace", "1", "a"), edit("1", "complete")], "done"],
    ["an edit after an insert", [write("insert", "1"), edit("1")], "list_moved"],
    ["an insert after a replace", [write("replace", "1"), write("insert", "1")], "list_moved"],
    ["an append after a replace", [write("replace", "1"), write("append", "1")], "done"],
    ["an edit in the next batch", [write("replace", "1"), edit("2")], "done"],
    ["where the host tells no batches", [write("replace"), edit()], "done"],
  ];
  test.each(BATCHES)("%s", (_what, triggers, expected) => {
    const it = history().writes("a", "b");
    for (const trigger of triggers) it.tell(trigger);
    expect(it.reply.type === "refused" ? it.reply.refusal.code : it.reply.type).toBe(expected);
  });
});

describe("a subagent", () => {
  const mirror: Trigger = { type: "todos.mirror", items: [{ text: "its own", status: "not_started" }], by: "subagent" };

  test("has a list of its own, which is not the list of the run", () => {
    const it = history().writes("a").tell(mirror);
    expect([it.reply, it.run.plan.todos.length]).toMatchObject([
      { type: "refused", refusal: { code: "not_allowed" } },
      1,
    ]);
  });

  test("may edit", () => {
    const it = history()
      .writes("a")
      .tell({ type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "subagent" });
    expect(it.run.plan.todos[0]?.status).toBe("completed");
  });
});

describe("a host's own list that completes what was abandoned", () => {
  const mirror = (...items: readonly ["a" | "b", "completed" | "abandoned"][]): Trigger => ({
    type: "todos.mirror",
    items: items.map(([text, status]) => ({ text, status })),
    by: "model",
  });

  test("is judged like any completion", () => {
    const abandoned = () => history().says().writes("a").edits("abandon", 0);
    const doubted = abandoned()
      .tell(mirror(["a", "completed"]))
      .ends();
    expect(doubted.said).toBe("stop done_with_doubt");
    expect(doubted.run.ledger.decision).toMatchObject({ detail: "[0] was completed without any work seen" });
    expect(
      abandoned()
        .works()
        .tell(mirror(["a", "completed"]))
        .ends().said,
    ).toBe("stop done_unproven");
  });

  test("is no word of yours, even if another completed it first", () => {
    const it = history().says().writes("a").works();
    it.tell({ type: "todos.human_edit", edit: { action: "done", indices: [0] } });
    expect(it.run.ledger.todoLedgers.t1?.completedByHuman).toBe(true);
    it.tell(mirror(["a", "abandoned"])).tell(mirror(["a", "completed"]));
    expect(it.run.ledger.todoLedgers.t1?.completedByHuman).toBe(false);
  });

  test("has dropped nothing when the finished item goes", () => {
    const it = history().says().writes("a", "b").edits("abandon", 0).works();
    it.tell(mirror(["a", "completed"], ["b", "completed"])).tell(mirror(["b", "completed"]));
    expect([it.run.plan.todos.length, it.run.ledger.abandoned]).toEqual([1, []]);
  });
});

describe("a phase that forbids writing", () => {
  const READ_ONLY = { tools: { rule: "except", tools: ["@write"] } } as const;
  const inPhase = (): History => {
    const {
      type: _type,
      now: _now,
      ...start
    } = startOf([aWorkflow("w", [aPhase("look", READ_ONLY), "build"])]) as StartCommand;
    return history().tell({ type: "workflow.start", start, workspace: "before" }).turn("human");
  };
  const step = (it: History, action: "next" | "cancel" | "status", workspace: string): History =>
    it.tell({ type: "workflow.step", action, by: "model", workspace });

  test("is left with the files as they were, and not otherwise", () => {
    expect(step(inPhase(), "next", "before").reply.type).toBe("done");
    expect(step(inPhase(), "next", "after").reply.type).toBe("refused");
  });

  test("and asking for something else in between forgives nothing", () => {
    const it = step(step(inPhase(), "cancel", "after"), "status", "after");
    expect(step(it, "next", "after").reply.type).toBe("refused");
  });
});
