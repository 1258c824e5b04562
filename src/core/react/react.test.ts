import { describe, expect, test } from "vitest";
import { aWorkflow, startOf } from "../../../test/builders/workflow.ts";
import { aReceipt, aRun, type History, history, todos } from "../../testing/index.ts";
import { DEFAULTS } from "../continuation/index.ts";
import { type Envelope, evolve } from "../run/index.ts";
import type { WorkflowCommand } from "../workflow/index.ts";
import { react } from "./index.ts";

const MINUTE = 60_000;
const statuses = ({ run }: History) => run.plan.todos.map(({ status }) => status);
const CHECKED = { allowsCheck: () => true } as const;
const checked = { text: "a", check: "npm test" };
const NPM_TEST = aReceipt("t1", "npm test");
const FAILED = { ...NPM_TEST, status: "failed", exit: 1, tail: "expected 4 to be 5" } as const;

describe("the turn that pays", () => {
  const usage = { input: 60, output: 30, cacheRead: 500, cacheWrite: 10, cost: 0.5 };
  const perTodo = { limits: { perTodo: { tokens: 100 } } };

  test("the todo that a turn began with bears its cost, also when it is completed in it", () => {
    const it = history(perTodo).writes("a", "b").turn("human").completes(0).ends({ usage });
    expect(it.run.ledger.todoLedgers).toMatchObject({ t1: { tokens: 100, cost: 0.5 }, t2: { tokens: 0 } });
    expect(statuses(it)).toEqual(["completed", "not_started"]);
  });

  test("a todo whose own budget is spent is set aside, and the run continues with the rest", () => {
    const it = history(perTodo).writes("a", "b").turn("human").ends({ usage });
    expect(it.run.plan.todos[0]).toMatchObject({ status: "blocked", reason: "its own budget of tokens is spent" });
    expect([it.said, it.nudges.at(-1)?.text]).toEqual([
      "continue todo",
      expect.stringContaining("edit_todos start [1]"),
    ]);
  });

  test("a turn that is ended because of its todo's own budget stops nothing else", () => {
    const it = history(perTodo).writes("a", "b").turn("human").tell({ type: "answer.seen", calls: 1, usage });
    expect(it.run.ledger.turn?.braked).toMatchObject({
      reason: "blocked",
      detail: "[0] has spent its own budget of tokens",
    });
    it.ends({ outcome: "aborted" });
    expect([it.said, statuses(it), it.run.ledger.interrupt]).toEqual([
      "continue todo",
      ["blocked", "not_started"],
      undefined,
    ]);
  });

  test("the user's words do not free what was set aside, the user's unblock does, with a fresh budget", () => {
    const it = history(perTodo).writes("a").turn("human").ends({ usage }).says();
    expect(statuses(it)).toEqual(["blocked"]);
    it.tell({ type: "todos.human_edit", edit: { action: "unblock", indices: [0] } }).ends({
      usage: { ...usage, input: 0 },
    });
    expect(statuses(it)).toEqual(["not_started"]);
  });

  test("numbers that no provider should report are not counted", () => {
    const it = history()
      .writes("a")
      .turn("human")
      .ends({ usage: { ...usage, input: -60, cost: Number.NaN } });
    expect(it.run.ledger.spent).toMatchObject({ input: 0, output: 30, cost: 0 });
  });
});

describe("checks that a complete asks for", () => {
  test("failing them leaves the item open; after five times it is set aside", () => {
    const it = history(CHECKED).writes(checked, "b").turn("human");
    for (let attempt = 1; attempt <= 4; attempt++) it.completes(0).checked(FAILED);
    expect([it.reply, statuses(it)]).toMatchObject([
      { type: "refused", refusal: { code: "check_failed" } },
      ["not_started", "not_started"],
    ]);
    it.completes(0).checked(FAILED);
    expect(it.run.plan.todos[0]).toMatchObject({ status: "blocked", reason: "its check failed too often" });
    it.tell({ type: "todos.human_edit", edit: { action: "unblock", indices: [0] } })
      .completes(0)
      .checked(FAILED);
    expect(statuses(it)).toEqual(["not_started", "not_started"]);
  });

  test("a result that comes after the user dropped the item completes nothing", () => {
    const it = history(CHECKED).writes(checked, "b").turn("human").completes(0);
    it.tell({ type: "todos.human_edit", edit: { action: "drop", indices: [0] } }).checked(NPM_TEST);
    expect(it.run.plan.todos.map(({ text, status }) => `${status} ${text}`)).toEqual(["not_started b"]);
  });

  test("a result of a round that is long over is told in vain", () => {
    const it = history(CHECKED).writes(checked).turn("human").completes(0).holds();
    it.tell({ type: "round.ended", round: "r1", receipts: [NPM_TEST] });
    expect([it.reply, statuses(it)]).toEqual([{ type: "ignored", why: "duplicate" }, ["not_started"]]);
  });

  test("one that fails at the end reopens what it disproves", () => {
    const it = history(CHECKED).writes(checked, "b").turn("human").works();
    it.completes(0).checked(NPM_TEST).completes(1).checked(FAILED);
    expect(statuses(it)).toEqual(["in_progress", "completed"]);
  });

  test("a check of the run that fails with a full list is a doubt, not a quiet end", () => {
    const many = Array.from({ length: 100 }, (_, index) => `n${index}`);
    const it = history({ birth: { checks: [{ run: "npm test", by: "human" }] } })
      .writes(...many)
      .turn("human")
      .works();
    const half = Array.from({ length: 50 }, (_, index) => index);
    it.completes(...half).completes(...half.map((index) => index + 50));
    it.checked(aReceipt("run", "npm test", { status: "failed" }))
      .ends()
      .checked(aReceipt("run", "npm test", { status: "failed" }));
    expect(it.said).toBe("stop done_with_doubt");
  });
});

describe("progress", () => {
  const nudges = (it: History) => it.run.ledger.since.nudged;

  test("what the model adds after its first list counts twenty times, then no more until the user speaks", () => {
    const it = history({ limits: { idleTurns: 100 } })
      .writes("first", "second")
      .ends();
    const addAndComplete = () =>
      it.goesOn(() => it.write("append", `more ${it.run.plan.todos.length}`).completes(it.run.plan.todos.length - 1));
    for (let turn = 1; turn <= 20; turn++) addAndComplete();
    expect(nudges(it)).toBe(0);
    addAndComplete();
    expect(nudges(it)).toBe(1);
    it.goesOn(() => it.completes(0)); // of the first list: counts
    expect(nudges(it)).toBe(0);
    it.says().ends();
    addAndComplete();
    expect(nudges(it)).toBe(0);
  });

  test("so do their checks", () => {
    const it = history({ ...CHECKED, limits: { idleTurns: 100 } })
      .writes("first")
      .ends();
    const addAndProve = () =>
      it.goesOn(() => {
        const index = it.run.plan.todos.length;
        it.write("append", { text: `more ${index}`, check: `npm run test-${index}` }).completes(index);
        it.checked(aReceipt(`t${index + 1}`, `npm run test-${index}`));
      });
    for (let turn = 1; turn <= 10; turn++) addAndProve(); // a check and a completion each
    expect(nudges(it)).toBe(0);
    addAndProve();
    expect(nudges(it)).toBe(1);
  });

  test("a todo completed a second time is no progress", () => {
    const it = history()
      .writes("a", "b")
      .ends()
      .goesOn((turn) => turn.completes(0));
    it.tell({ type: "todos.human_edit", edit: { action: "reopen", indices: [0] } });
    it.goesOn((turn) => turn.completes(0));
    expect(nudges(it)).toBe(1);
  });

  test("activity ends the idle count, a new state of the files the still count, neither the count of all", () => {
    const it = history().writes("a").ends().goesOn().goesOn();
    expect(it.run.ledger.since).toEqual({ nudged: 2, idle: 2, still: 2 });
    it.goesOn(() => it.works());
    expect(it.run.ledger.since).toEqual({ nudged: 3, idle: 0, still: 3 });
    it.nudged().ends({ workspace: "files-1" });
    expect(it.run.ledger.since).toEqual({ nudged: 4, idle: 0, still: 0 });
    it.nudged().ends({ workspace: "files-1" });
    expect(it.run.ledger.since).toEqual({ nudged: 5, idle: 1, still: 1 });
  });

  test("a call seen before is no activity, and turns of the user or of the host count for nothing", () => {
    const it = history().writes("a").ends().nudged();
    it.tell({ type: "call.seen", digest: "same" }).ends().nudged().tell({ type: "call.seen", digest: "same" }).ends();
    expect(it.run.ledger.since).toEqual({ nudged: 2, idle: 1, still: 2 });
    it.turn("host").ends().turn("human").ends();
    expect(it.run.ledger.since).toEqual({ nudged: 2, idle: 1, still: 2 });
  });

  test("a turn that failed is a failure, not a nudge that came to nothing", () => {
    const it = history().writes("a").ends().nudged().fails("overload");
    expect([it.run.ledger.since.nudged, it.run.ledger.failures]).toEqual([0, { tries: 1, windows: 0 }]);
    it.after(5_000).tell({ type: "timer.fired", boundary: "b2" }).nudged().ends();
    expect([it.run.ledger.since.nudged, it.run.ledger.failures]).toEqual([1, { tries: 0, windows: 0 }]);
  });
});

describe("after an interrupt", () => {
  const WORKS: Record<string, (it: History) => unknown> = {
    "a call": (it) => it.works(),
    "a list edit": (it) => it.starts(0),
  };

  test.each(Object.entries(WORKS))("%s in the turn of your words continues the work", (_what, work) => {
    const it = history().writes("a").ends().interrupts().says();
    work(it);
    expect(it.run.ledger.interrupt).toBeUndefined();
  });

  test("a phase entered takes it up", () => {
    const {
      type: _type,
      now: _now,
      ...start
    } = startOf([aWorkflow("w", ["plan", "build"])]) as WorkflowCommand & { type: "start" };
    const it = history().tell({ type: "workflow.start", start }).turn("human").ends().interrupts().says();
    it.tell({ type: "workflow.step", action: "next", by: "model" }).ends();
    expect(it.said).toBe("continue phase");
  });

  test("a new state of the files takes it up", () => {
    const it = history().writes("a").ends().interrupts().says().ends({ workspace: "files-9" });
    expect(it.said).toBe("continue todo");
  });

  test("the same in a turn that the host began, or by a subagent, does not", () => {
    const it = history().writes("a", "b").ends().interrupts().turn("host").works().starts(0).ends();
    expect(it.said).toBe("stop interrupted");
    it.says()
      .tell({ type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "subagent" })
      .ends();
    expect(it.said).toBe("stop interrupted");
  });

  test("when the two talk again, words that wait are part of the talk: delivered once, at the end of that turn", () => {
    const it = history().writes("a").turn("human").aborts().says().queues("w1");
    const delivered = () => it.effects.filter(({ type }) => type === "words.deliver");
    expect(delivered()).toEqual([]);
    it.ends();
    expect([it.run.ledger.decision, delivered()]).toMatchObject([
      { type: "stop", reason: "interrupted" },
      [{ type: "words.deliver", ids: ["w1"] }],
    ]);
    it.queues("w2");
    expect(delivered().slice(1)).toEqual([{ type: "words.deliver", ids: ["w2"] }]);
  });

  test("words queued afterwards are heard, words queued before stay queued", () => {
    const it = history().writes("a").turn("human").queues("before").aborts().queues("after");
    expect(it.effects.filter(({ type }) => type === "words.deliver")).toEqual([
      { type: "words.deliver", ids: ["after"] },
    ]);
    expect([it.said, it.nudges]).toEqual(["stop interrupted", []]);
    it.tell({ type: "words.delivered", ids: ["after"] })
      .turn("human")
      .works()
      .ends();
    expect(it.run.ledger.interrupt).toBeUndefined();
  });

  test("a second interrupt counts anew", () => {
    const it = history().writes("a").ends().interrupts().says().interrupts().works().ends();
    expect(it.said).toBe("stop interrupted");
  });

  test("a late end of the aborted turn changes nothing", () => {
    const it = history().writes("a").turn("human").aborts().says().works().ends({ turn: "turn-1" });
    expect([it.reply, it.run.ledger.turn?.id]).toEqual([{ type: "ignored", why: "duplicate" }, "turn-2"]);
  });
});

describe("what the user accepted", () => {
  const doubtful = () => history().writes("a", "b").turn("human").works().completes(0).edits("abandon", 1).ends();

  test("is no doubt any more", () => {
    expect(doubtful().said).toBe("stop done_with_doubt");
    expect(doubtful().tell({ type: "human.accept" }).said).toBe("stop done_accepted");
  });

  test("is not what the agent does afterwards", () => {
    const it = history().writes("a").turn("human").tell({ type: "human.accept" }).completes(0).ends();
    expect(it.said).toBe("stop done_with_doubt");
  });
});

describe("the user's words", () => {
  test("free what was blocked, reset the counters and leave the budgets", () => {
    const it = history({ birth: { budget: { continuations: 9 } } })
      .writes("a")
      .ends()
      .goesOn()
      .goesOn((turn) => turn.edits("block", 0));
    it.says();
    expect(statuses(it)).toEqual(["not_started"]);
    expect(it.run.ledger).toMatchObject({ since: { nudged: 0, idle: 0, still: 0 }, spent: { continuations: 2 } });
  });

  test("queued twice are queued once; changed or removed before they go; gone afterwards", () => {
    const it = history().writes("a").turn("human").queues("w1").queues("w1").queues("w2");
    it.tell({ type: "words.edit", id: "w1", text: "Other words" }).tell({ type: "words.remove", id: "w2" }).ends();
    expect(it.effects).toContainEqual({ type: "words.deliver", ids: ["w1"] });
    it.tell({ type: "words.delivered", ids: ["w1"] }).tell({ type: "words.delivered", ids: ["w1"] });
    expect(it.reply).toEqual({ type: "ignored", why: "nothing_to_do" });
    expect(it.envelopes.filter(({ event }) => event.type === "human.spoke")).toHaveLength(1);
    expect(it.tell({ type: "words.edit", id: "w1", text: "Too late" }).reply).toMatchObject({
      type: "refused",
      refusal: { code: "words_gone" },
    });
  });

  test("a budget is extended by something", () => {
    const it = history({ birth: { budget: { tokens: 10 } } })
      .writes("a")
      .tell({ type: "human.extend", budget: { tokens: -5 } });
    expect([it.reply, it.run.ledger.budget]).toMatchObject([
      { type: "refused", refusal: { code: "bad_budget" } },
      { tokens: 10 },
    ]);
  });
});

describe("news about a nudge", () => {
  test("that it failed after it went out is not believed", () => {
    const it = history().writes("a").ends().tell({ type: "nudge.delivered", nudge: "b1" });
    it.tell({ type: "nudge.failed", nudge: "b1", message: "late" });
    expect([it.reply, it.run.ledger.nudge?.status]).toEqual([{ type: "ignored", why: "duplicate" }, "delivered"]);
  });

  test("a parked wait is decided anew when something changed it, and by nothing else", () => {
    const it = history()
      .writes("a")
      .fails("overload")
      .tell({ type: "wait.parked", boundary: "b1", waker: "the next event" });
    const { length } = it.envelopes;
    it.tell({ type: "timer.fired", boundary: "b1" }).tell({ type: "mode.changed", readOnly: false });
    expect([it.envelopes.length, it.run.ledger.boundary?.status]).toEqual([length, "parked"]);
    it.after(5_000).tell({ type: "timer.fired", boundary: "b1" });
    expect([it.said, it.run.ledger.boundary?.status]).toEqual(["continue todo", "nudged"]);
  });

  test("a boundary that was nudged is not parked any more", () => {
    const it = history().writes("a").ends().tell({ type: "wait.parked", boundary: "b1", waker: "nobody" });
    expect([it.reply, it.run.ledger.boundary?.status]).toEqual([{ type: "ignored", why: "nothing_to_do" }, "nudged"]);
  });
});

describe("a plain question", () => {
  test("twice in a row stops, also when calls were made in between", () => {
    expect(history().writes("a").asks().nudged().works().asks().said).toBe("stop question");
  });
  test("progress or a turn without one in between begins anew", () => {
    expect(history().writes("a", "b").asks().nudged().completes(0).asks().said).toBe("continue question");
    expect(history().writes("a").asks().nudged().works().ends().nudged().asks().said).toBe("continue question");
  });
});

describe("a run from outside", () => {
  test("before its birth and after its end it answers, and changes nothing", () => {
    const context = { now: 0, limits: DEFAULTS, role: "driver" } as const;
    expect(react(aRun({ status: "unborn" }), { type: "human.spoke" }, context).reply).toEqual({
      type: "ignored",
      why: "no_run",
    });
    const ended = aRun({ status: "ended", todos: todos("completed") });
    expect(react(ended, { type: "turn.started", turn: "t" }, context)).toEqual({
      events: [],
      effects: [],
      reply: { type: "ignored", why: "run_ended" },
      run: ended,
    });
  });

  test("every event bears who it came from and when", () => {
    const it = history().after(MINUTE).writes("a").turn("human").holds();
    expect(it.envelopes.map(({ by, at, v, event }) => `${by} ${at} v${v} ${event.type}`)).toEqual([
      "engine 61000 v1 run.began",
      "engine 61000 v1 run.claimed",
      "model 61000 v1 todos.written",
      "host 61000 v1 turn.started",
      "human 61000 v1 human.held",
      "engine 61000 v1 turn.braked",
    ]);
  });

  test("an id that is none of ours does not spoil the ones to come", () => {
    const it = history().tell({
      type: "plan.rebase",
      plan: { todos: todos({ id: "foreign", text: "a" }, { id: "t7", text: "b" }) },
    });
    it.write("append", "c");
    expect(it.run.plan.todos.map(({ id }) => id)).toEqual(["foreign", "t7", "t8"]);
    const written = {
      type: "todos.written",
      mode: "append",
      items: todos({ id: "x-y", text: "d" }),
      order: ["x-y"],
      dropped: [],
    } as const;
    const after = evolve(it.run, { seq: 9, at: 9, by: "model", v: 1, event: written });
    expect(after.ledger.nextTodoId).toBe(9);
  });
});

test("a supervisor takes up what the hooks of its own driver had to park", () => {
  const failure = { kind: "rate_limit", message: "try again later" } as const;
  const parked = history()
    .writes("a")
    .turn("human")
    .tell({ type: "turn.ended", outcome: "failed", failure })
    .tell({ type: "wait.parked", boundary: "b1", waker: "a supervisor" });
  const { driver } = parked.run.ledger.claim;
  const hook = parked.tell({ type: "run.open", driver, goOn: false });
  expect(hook.run.ledger.boundary?.status).toBe("parked");
  const { run } = hook.tell({ type: "run.open", driver, goOn: true });
  expect(run.ledger).toMatchObject({ decision: { reason: "rate_limited" }, boundary: { status: "waiting" } });
});

test("a run that was born in a turn, which its process took with it, waits for the user", () => {
  const born = history().writes("a").queues("w1").tell({ type: "run.open", driver: "two", goOn: false });
  expect(born.run.ledger.boundary).toMatchObject({ status: "parked", forHuman: true });
  expect(born.effects.map(({ type }) => type)).toEqual(["human.tell"]);
  expect(born.unholds().effects.at(-1)).toEqual({ type: "words.deliver", ids: ["w1"] });
});

test("a word said before the run was left to the user does not wake it", () => {
  const { run, now } = history().writes("a").turn("human").tell({ type: "run.open", driver: "two", goOn: false });
  const unheld: Envelope = { seq: 9, at: now, by: "human", v: 1, event: { type: "human.unheld" } };
  const open = { type: "run.open", driver: "three", goOn: false } as const;
  const { run: after } = react(run, open, { now, limits: DEFAULTS, role: "driver", epoch: 0, foreign: [unheld] });
  expect(after.ledger).toMatchObject({ claim: { driver: "three" }, boundary: { status: "parked", forHuman: true } });
});

test("a plan's list comes with what was done before, in one step; no other list does", () => {
  const write = { mode: "replace", todos: [{ text: "a" }, { text: "b" }] } as const;
  const planned = history().tell({ type: "todos.write", by: "plan", write, standing: ["done", "open"] });
  expect(planned.run.plan.todos.map(({ status }) => status)).toEqual(["completed", "not_started"]);
  expect(planned.run.ledger.todoLedgers.t1?.completedByHuman).toBe(true);
  const claimed = history().tell({ type: "todos.write", by: "model", write, standing: ["done"] });
  expect(claimed.run.plan.todos.map(({ status }) => status)).toEqual(["not_started", "not_started"]);
});
