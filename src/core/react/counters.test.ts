// What counts, what does not, and what sets it back. Each row is there because a run once counted otherwise.
import { describe, expect, test } from "vitest";
import { aReceipt, type History, history } from "../../testing/index.ts";
import { DEFAULTS } from "../continuation/index.ts";
import { react } from "./index.ts";

const WAITED = 400_000; // longer than any backoff

/** A run whose turn failed so often in a row, each time after the wait was over. */
function failing(
  kind: "rate_limit" | "overload",
  times: number,
  from: History = history().writes("a").says(),
): History {
  for (let time = 0; time < times; time++) {
    from
      .fails(kind)
      .after(WAITED)
      .tell({ type: "timer.fired", boundary: from.run.ledger.boundary?.id ?? "" });
    if (time < times - 1) from.nudged();
  }
  return from;
}

describe("what became of a nudge is told by its own name", () => {
  const onTheSecond = () =>
    history()
      .writes("a")
      .says()
      .ends()
      .goesOn((it) => it.works());

  test("a late word of an older nudge changes nothing", () => {
    const run = onTheSecond();
    expect([run.run.ledger.nudge?.id, run.run.ledger.nudge?.status]).toEqual(["b2", "intended"]);
    for (const type of ["nudge.delivered", "nudge.failed"] as const) {
      run.tell({ type, nudge: "b1", message: "too late" });
      expect([run.reply, run.run.ledger.nudge?.status]).toEqual([{ type: "ignored", why: "duplicate" }, "intended"]);
    }
  });

  test("the end of an unknown turn says nothing about one on its way", () => {
    const run = onTheSecond();
    const before = run.envelopes.length;
    run.tell({ type: "turn.ended", outcome: "completed", turn: "from before the run" });
    const events = run.envelopes.slice(before).map(({ event }) => event);
    expect(events.map(({ type }) => type)).not.toContain("nudge.delivered");
    expect(events[0]).toMatchObject({ type: "turn.started", cause: "host" });
  });

  test("one that was delivered does not fail afterwards, nor is it delivered twice", () => {
    const run = onTheSecond().tell({ type: "nudge.delivered", nudge: "b2" });
    for (const type of ["nudge.delivered", "nudge.failed"] as const) {
      run.tell({ type, nudge: "b2", message: "too late" });
      expect([run.reply, run.run.ledger.nudge?.status]).toEqual([{ type: "ignored", why: "duplicate" }, "delivered"]);
    }
  });
});

describe("the windows of a rate limit", () => {
  const windows = DEFAULTS.rateLimitWindows;

  test("as many as are allowed are waited for, and not one more", () => {
    expect(failing("rate_limit", windows).said).toBe("continue todo");
    expect(failing("rate_limit", windows + 1).said).toBe("stop rate_limited");
  });

  test("a turn that went well begins the count anew", () => {
    const run = failing("rate_limit", windows).goesOn((it) => it.works());
    expect(run.run.ledger.failures).toEqual({ tries: 0, windows: 0 });
    run.nudged();
    expect(failing("rate_limit", windows, run).said).toBe("continue todo");
  });

  test("an overload is no window, and a window is a try", () => {
    expect(failing("overload", 2).run.ledger.failures).toEqual({ tries: 2, windows: 0 });
    expect(failing("rate_limit", 2).run.ledger.failures).toEqual({ tries: 2, windows: 2 });
  });
});

describe("an overloaded provider", () => {
  const limits = { backoffTries: 2 };

  test("is tried as often as allowed, and not once more", () => {
    expect(failing("overload", 2, history({ limits }).writes("a").says()).said).toBe("continue todo");
    expect(failing("overload", 3, history({ limits }).writes("a").says()).said).toBe("stop provider_error");
  });

  test("a nudge that the host did not take is such a try", () => {
    const run = history({ limits }).writes("a").says().ends();
    run.tell({ type: "nudge.failed", nudge: "b1", message: "busy" });
    expect([run.said, run.run.ledger.failures.tries]).toEqual(["wait host_failed", 1]);
  });
});

test("extend grants one more turn to wind down", () => {
  const run = history({ birth: { budget: { continuations: 1 } } })
    .writes("a")
    .says()
    .ends();
  run.goesOn((it) => it.works());
  expect(run.said).toBe("continue wind_down");
  run.goesOn((it) => it.works());
  expect(run.said).toBe("stop budget_continuations");
  run.tell({ type: "human.extend", budget: { continuations: 2 } });
  expect(run.said).toBe("continue todo");
  run.goesOn((it) => it.works());
  expect(run.said).toBe("continue wind_down");
});

describe("a round of checks", () => {
  const checked = () =>
    history({ allowsCheck: () => true })
      .writes({ text: "a", check: "npm test" })
      .says()
      .works()
      .completes(0);

  test("ends with the process that ran it, and its late result changes nothing", () => {
    const run = checked();
    expect(run.run.ledger.verifying?.round).toBe("r1");
    run.tell({ type: "run.open", driver: "two", goOn: true });
    expect(run.run.ledger.verifying).toBeUndefined();
    run.tell({ type: "round.ended", round: "r1", receipts: [aReceipt("t1", "npm test")] });
    expect([run.reply, run.run.plan.todos[0]?.status]).toEqual([{ type: "ignored", why: "duplicate" }, "not_started"]);
  });

  test("that was cut short is no attempt; one that failed is", () => {
    const cut = checked().tell({
      type: "round.ended",
      round: "r1",
      receipts: [aReceipt("t1", "npm test", { status: "cut_short" })],
      cut: "the machine went to sleep",
    });
    expect(cut.run.ledger.todoLedgers.t1?.failedAttempts).toBe(0);
    const failed = checked().checked(aReceipt("t1", "npm test", { status: "failed" }));
    expect(failed.run.ledger.todoLedgers.t1?.failedAttempts).toBe(1);
  });

  test("may be run anew at the boundary where it was cut short", () => {
    const run = history({ birth: { checks: [{ run: "npm test", by: "human" }] } })
      .writes("a")
      .says()
      .works();
    run.completes(0);
    run.checked(aReceipt("run", "npm test", { workspace: "files-0" }));
    run.ends({ workspace: "files-1" });
    expect(run.said).toBe("wait verifying");
    run.holds().unholds();
    expect([run.said, run.run.ledger.verifying?.round]).toEqual(["wait verifying", "r3"]);
  });
});

describe("a turn that continues after all", () => {
  test("counts once: its end is forgotten with everything it counted", () => {
    const run = history().writes("a").says().ends().goesOn();
    const { since } = run.run.ledger;
    expect(since).toEqual({ nudged: 1, idle: 1, still: 1 });
    run.tell({ type: "turn.resume", ended: "turn-2", turn: "turn-2b", why: "a call followed" });
    expect(run.run.ledger.since).toEqual({ nudged: 0, idle: 0, still: 0 });
    run.ends();
    expect(run.run.ledger.since).toEqual({ nudged: 1, idle: 1, still: 1 });
  });

  test("a plain question that was none is not counted", () => {
    const run = history().writes("a").says().asks();
    expect(run.run.ledger.asked).toBe(1);
    run.tell({ type: "turn.resume", ended: "turn-1", turn: "turn-1b", why: "a call followed" });
    expect(run.run.ledger.asked).toBe(0);
  });
});

describe("unhold tries again what failed, with all its tries", () => {
  test("also a message that the host did not take", () => {
    const run = history({ limits: { backoffTries: 0 } })
      .writes("a")
      .says()
      .queues("m1")
      .ends();
    run.tell({ type: "words.failed", ids: ["m1"], message: "busy" });
    expect([run.run.ledger.unsent.tries, run.run.ledger.boundary?.status]).toEqual([1, "parked"]);
    run.holds().unholds();
    expect([run.run.ledger.unsent.tries, run.run.ledger.sending]).toEqual([0, ["m1"]]);
  });

  test("and a provider that was given up", () => {
    const run = failing("overload", 9);
    expect([run.said, run.run.ledger.failures.tries]).toEqual(["stop provider_error", 9]);
    run.unholds();
    expect([run.said, run.run.ledger.failures]).toEqual(["continue todo", { tries: 0, windows: 0 }]);
    run.nudged().fails("overload");
    expect([run.said, run.run.ledger.failures.tries]).toEqual(["wait backoff", 1]);
  });
});

describe("a message is handed over once", () => {
  const sent = () => history().writes("a").says().queues("m1").ends();
  const deliveries = ({ effects }: History) =>
    effects.flatMap((effect) => (effect.type === "words.deliver" ? [effect.ids] : []));

  test("whatever happens while it is on its way", () => {
    const run = sent();
    run.tell({ type: "mode.changed", readOnly: true }).tell({ type: "mode.changed", readOnly: false });
    run.queues("m2").tell({ type: "timer.fired", boundary: "b1" }).tell({ type: "log.moved" });
    expect([deliveries(run), run.run.ledger.sending]).toEqual([[["m1"]], ["m1"]]);
  });

  test("it can be neither changed nor taken back then, from any process", () => {
    const run = sent();
    for (const trigger of [
      { type: "words.edit", id: "m1", text: "other" },
      { type: "words.remove", id: "m1" },
    ] as const) {
      const { reply, events } = react(run.run, trigger, { now: 0, limits: DEFAULTS, role: "bystander" });
      expect([reply.type === "refused" && reply.refusal.code, events]).toEqual(["words_gone", []]);
    }
  });

  test("a process that takes over hears from the session whether it arrived", () => {
    const arrived = sent().tell({ type: "run.open", driver: "two", goOn: true, delivered: ["m1"] });
    expect([deliveries(arrived), arrived.run.ledger.words]).toEqual([[["m1"]], []]);
    const lost = sent().tell({ type: "run.open", driver: "two", goOn: true, delivered: [] });
    expect(deliveries(lost.after(WAITED).tell({ type: "timer.fired", boundary: "b1" }))).toEqual([["m1"], ["m1"]]);
  });

  test("the same process that opens its session again hears it, too", () => {
    const arrived = sent().tell({ type: "run.open", driver: "one", goOn: false, delivered: ["m1"] });
    expect(arrived.run.ledger.words).toEqual([]);
    const unsaid = sent().tell({ type: "run.open", driver: "one", goOn: false });
    expect(unsaid.run.ledger.sending).toEqual(["m1"]);
  });

  test("a run that is attached elsewhere takes it along", () => {
    const run = sent().tell({ type: "run.bind", host: "test", session: "s2" });
    expect([run.run.ledger.words.map(({ id }) => id), run.run.ledger.sending]).toEqual([["m1"], []]);
  });
});
