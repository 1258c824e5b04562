import { describe, expect, test } from "vitest";
import { type History, type HistoryGiven, history } from "../../testing/index.ts";
import type { Usage } from "../run/index.ts";
import { brake, brakeDeadline } from "./brake.ts";
import { DEFAULTS, type Limits } from "./limits.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
const LIMITS: Limits["brake"] = { ...DEFAULTS.brake, sameCalls: 3, idleAnswers: 4, stillAnswers: 6 };

const used = (input: number, cost = 0): Usage => ({ input, output: 0, cacheRead: 0, cacheWrite: 0, cost });

/** A run whose agent is at work on the first of two todos. */
const atWork = (given: HistoryGiven = {}): History =>
  history({ ...given, limits: { brake: LIMITS, ...given.limits } })
    .writes("a", "b")
    .says();
const limited = (budget: NonNullable<HistoryGiven["birth"]>["budget"]): History =>
  atWork({ birth: { budget: budget! } });

const perTodo = (budget: Limits["perTodo"]): History => atWork({ limits: { perTodo: budget } });

/** An answer that makes calls, and their results. */
function answers(it: History, calls: readonly string[], usage = used(100)): History {
  it.after(SECOND).tell({ type: "answer.seen", calls: calls.length, usage });
  for (const digest of calls) it.tell({ type: "call.seen", digest, tool: "read" });
  return it;
}
const repeats = (it: History, times: number, calls: (at: number) => readonly string[]): History => {
  for (let at = 0; at < times; at++) answers(it, calls(at));
  return it;
};
const looks = (it: History, workspace: string): History => it.tell({ type: "answer.seen", calls: 1, workspace });

/** What ended the turn: `reason how`, or nothing. */
const ended = ({ run }: History): string => {
  const { braked } = run.ledger.turn ?? {};
  return braked ? `${braked.reason} ${braked.how}` : "nothing";
};

describe("what ends a turn", () => {
  test.each<[string, string, () => History]>([
    ["nothing happened yet", "nothing", () => atWork()],
    ["a hold while a tool runs", "held after_tool", () => atWork().tell({ type: "answer.seen", calls: 1 }).holds()],
    ["a hold while the model answers", "held now", () => answers(atWork(), ["c1"]).holds()],
    ["a hold after the last answer", "nothing", () => atWork().tell({ type: "answer.seen", calls: 0 }).holds()],
    [
      "a hold that says now, while a tool runs",
      "held now",
      () => atWork().tell({ type: "answer.seen", calls: 1 }).tell({ type: "human.hold", now: true }),
    ],
    ["a turn that you begin while the run is held", "nothing", () => answers(atWork().holds().ends().says(), ["c1"])],
    [
      "a todo that spends what it alone may use",
      "blocked after_tool",
      () => perTodo({ tokens: 100 }).tell({ type: "answer.seen", calls: 1, usage: used(100) }),
    ],
    [
      "a todo that is below it",
      "nothing",
      () => perTodo({ tokens: 101 }).tell({ type: "answer.seen", calls: 1, usage: used(100) }),
    ],
    [
      "a todo that was completed in the turn",
      "nothing",
      () =>
        perTodo({ tokens: 100 })
          .completes(0)
          .tell({ type: "answer.seen", calls: 1, usage: used(100) }),
    ],
    [
      "a todo that takes longer than it alone may",
      "blocked now",
      () =>
        answers(perTodo({ minutes: 1 }), ["c1"])
          .after(MINUTE)
          .tell({ type: "turn.check" }),
    ],
    ["tokens below the budget", "nothing", () => answers(limited({ tokens: 101 }), ["c1"])],
    [
      "an answer that spends the tokens: its calls are refused",
      "budget_tokens after_tool",
      () => limited({ tokens: 100 }).tell({ type: "answer.seen", calls: 1, usage: used(100) }),
    ],
    [
      "the last answer spends the tokens: the boundary decides",
      "nothing",
      () => limited({ tokens: 100 }).tell({ type: "answer.seen", calls: 0, usage: used(100) }),
    ],
    [
      "an answer under way spends the tokens",
      "budget_tokens now",
      () => limited({ tokens: 100 }).tell({ type: "answer.growing", usage: used(100) }),
    ],
    [
      "cost",
      "budget_cost after_tool",
      () => limited({ cost: 1 }).tell({ type: "answer.seen", calls: 1, usage: used(1, 1) }),
    ],
    [
      "cost with a model that has no price",
      "budget_cost after_tool",
      () => limited({ cost: 1 }).tell({ type: "answer.seen", calls: 1, unpriced: true }),
    ],
    [
      "no cost budget, and a model without a price",
      "nothing",
      () => limited({ tokens: 1000 }).tell({ type: "answer.seen", calls: 1, unpriced: true }),
    ],
    [
      "minutes while the model says nothing",
      "budget_minutes now",
      () =>
        answers(limited({ minutes: 1 }), ["c1"])
          .after(MINUTE)
          .tell({ type: "turn.check" }),
    ],
    [
      "minutes while a tool runs",
      "budget_minutes after_tool",
      () => limited({ minutes: 1 }).tell({ type: "answer.seen", calls: 1 }).after(MINUTE).tell({ type: "turn.check" }),
    ],
    [
      "minutes while a tool runs that does not end",
      "budget_minutes now",
      () =>
        limited({ minutes: 1 })
          .tell({ type: "answer.seen", calls: 1 })
          .after(MINUTE)
          .tell({ type: "turn.check" })
          .after(LIMITS.graceMs)
          .tell({ type: "turn.check" }),
    ],
    [
      "minutes that a question to you takes",
      "nothing",
      () =>
        limited({ minutes: 1 })
          .tell({ type: "answer.seen", calls: 1 })
          .tell({ type: "question.opened", id: "q" })
          .after(10 * MINUTE)
          .tell({ type: "turn.check" })
          .tell({ type: "question.closed", id: "q" })
          .tell({ type: "turn.check" }),
    ],
    ["the same call twice", "nothing", () => repeats(atWork(), 2, () => ["c"])],
    ["the same call three times", "no_progress now", () => repeats(atWork(), 3, () => ["c"])],
    ["the same call three times in one answer", "nothing", () => answers(atWork(), ["c", "c", "c"])],
    ["another call in between", "nothing", () => repeats(atWork(), 4, (at) => (at === 2 ? ["d"] : ["c"]))],
    [
      "the same call of our own tool",
      "no_progress now",
      () => {
        const it = atWork();
        for (let at = 0; at < 3; at++)
          it.tell({ type: "answer.seen", calls: 1 }).tell({ type: "call.seen", digest: "list", own: true });
        return it;
      },
    ],
    [
      "the same call, and the files change under it",
      "nothing",
      () => {
        const it = atWork();
        for (let at = 0; at < 5; at++)
          it.tell({ type: "answer.seen", calls: 1 }).tell({ type: "call.seen", digest: "c", workspace: `files ${at}` });
        return it;
      },
    ],
    ["alternating calls", "no_progress after_tool", () => repeats(atWork(), 7, (at) => [`c${at % 2}`])],
    [
      "a todo completed on the way",
      "nothing",
      () => repeats(repeats(atWork(), 4, (at) => [`c${at % 2}`]).completes(0), 3, (at) => [`c${at % 2}`]),
    ],
    ["new calls whose files were not looked at", "nothing", () => repeats(atWork(), 20, (at) => [`c${at}`])],
    [
      "new calls that change nothing",
      "no_progress after_tool",
      () =>
        looks(
          repeats(looks(atWork(), "files"), 7, (at) => [`c${at}`]),
          "files",
        ),
    ],
    [
      "new calls, and the files changed",
      "nothing",
      () =>
        looks(
          repeats(atWork(), 7, (at) => [`c${at}`]),
          "files",
        ),
    ],
    [
      "a silent model",
      "provider_error now",
      () => answers(atWork(), ["c1"]).after(LIMITS.silenceMs).tell({ type: "turn.check" }),
    ],
    [
      "a long tool",
      "nothing",
      () =>
        atWork()
          .tell({ type: "answer.seen", calls: 1 })
          .after(2 * LIMITS.silenceMs)
          .tell({ type: "turn.check" }),
    ],
    [
      "silence while the host compacts",
      "nothing",
      () =>
        atWork()
          .after(LIMITS.silenceMs - 1)
          .tell({ type: "compaction.began" })
          .after(MINUTE)
          .tell({ type: "turn.check" }),
    ],
    [
      "an answer that never ends",
      "no_progress now",
      () => {
        const it = answers(atWork(), ["c1"]);
        for (let at = 0; at <= LIMITS.answerMs; at += MINUTE)
          it.tell({ type: "answer.growing", usage: used(at) }).after(MINUTE);
        return it.tell({ type: "turn.check" });
      },
    ],
    [
      "switched off",
      "nothing",
      () => answers(atWork({ limits: { enabled: false }, birth: { budget: { tokens: 1 } } }), ["c1"]),
    ],
  ])("%s -> %s", (_situation, expected, given) => expect(ended(given())).toBe(expected));
});

describe("a turn whose budget was spent before it began", () => {
  const spent = () =>
    limited({ tokens: 100 })
      .tell({ type: "answer.seen", calls: 0, usage: used(100) })
      .ends();
  test("it is the last one, and gets a few answers", () => {
    const it = spent();
    expect(it.said).toBe("continue wind_down");
    it.nudged();
    repeats(it, LIMITS.windDownAnswers - 1, (at) => [`c${at}`]);
    expect(ended(it)).toBe("nothing");
    expect(ended(answers(it, ["more"]))).toBe("budget_tokens after_tool");
    expect(it.ends({ outcome: "aborted" }).said).toBe("stop budget_tokens");
  });
  test("raised in the middle, the budget limits it like any other turn", () => {
    const it = spent()
      .nudged()
      .tell({ type: "human.extend", budget: { tokens: 500 } });
    repeats(it, LIMITS.windDownAnswers - 1, (at) => [`c${at}`]);
    expect(ended(it)).toBe("nothing");
    expect(brakeDeadline(it.run, it.limits)).toBe(it.now + LIMITS.silenceMs);
    expect(ended(answers(it, ["more"]))).toBe("budget_tokens after_tool");
  });
  test("and some time", () => {
    const it = spent().nudged().after(LIMITS.windDownMs).tell({ type: "turn.check" });
    expect(ended(it)).toMatch(/^budget_tokens/);
  });
});

describe("what it says, and the moment before", () => {
  const detail = (it: History): string | undefined => it.run.ledger.turn?.braked?.detail;
  const check = { type: "turn.check" } as const;
  const toolRuns = (it: History): History => it.tell({ type: "answer.seen", calls: 1 });
  const alternating = (times: number) => repeats(atWork(), times, (at) => [`c${at % 2}`]);
  const unchanged = (times: number) =>
    looks(
      repeats(looks(atWork(), "files"), times, (at) => [`c${at}`]),
      "files",
    );
  const silent = (silenceMs: number) =>
    atWork({ limits: { brake: { ...LIMITS, silenceMs } } })
      .after(silenceMs)
      .tell(check);
  const spentAll = () =>
    limited({ tokens: 100 })
      .tell({ type: "answer.seen", calls: 0, usage: used(100) })
      .ends()
      .nudged();

  test.each<[string, string, string | undefined, () => History]>([
    ["a hold before anything was seen: a tool may run", "held after_tool", undefined, () => atWork().holds()],
    [
      "tokens",
      "budget_tokens after_tool",
      "1,234 of 1,000 tokens used",
      () => limited({ tokens: 1000 }).tell({ type: "answer.seen", calls: 1, usage: used(1234) }),
    ],
    [
      "cost",
      "budget_cost after_tool",
      "1.50 of 1 used",
      () => limited({ cost: 1 }).tell({ type: "answer.seen", calls: 1, usage: used(1, 1.5) }),
    ],
    [
      "a model without a price",
      "budget_cost after_tool",
      "the model has no known price, so its cost cannot be limited",
      () => limited({ cost: 1 }).tell({ type: "answer.seen", calls: 1, unpriced: true }),
    ],
    [
      "minutes",
      "budget_minutes after_tool",
      "1.00 of 1 minutes used",
      () =>
        toolRuns(limited({ minutes: 1 }))
          .after(MINUTE)
          .tell(check),
    ],
    [
      "minutes, and the tool does not end",
      "budget_minutes now",
      "1.00 of 1 minutes used",
      () =>
        toolRuns(limited({ minutes: 1 }))
          .after(MINUTE)
          .tell(check)
          .after(LIMITS.graceMs)
          .tell(check),
    ],
    [
      "a moment before the minutes are over",
      "nothing",
      undefined,
      () => toolRuns(limited({ minutes: 1 }).after(MINUTE - 1)),
    ],
    [
      "a moment before, and a question waits for you",
      "nothing",
      undefined,
      () =>
        toolRuns(limited({ minutes: 1 }))
          .after(MINUTE - 1)
          .tell({ type: "question.opened", id: "q" })
          .after(MINUTE)
          .tell(check),
    ],
    [
      "a last turn that does not end",
      "budget_tokens after_tool",
      "the last turn did not end in time",
      () => repeats(spentAll(), LIMITS.windDownAnswers, (at) => [`c${at}`]),
    ],
    [
      "the same call",
      "no_progress now",
      "read was called 3 times in a row with the same result",
      () => repeats(atWork(), 3, () => ["c"]),
    ],
    [
      "the same unknown call",
      "no_progress now",
      "the same tool was called 3 times in a row with the same result",
      () => {
        const it = atWork();
        for (let at = 0; at < 3; at++)
          it.tell({ type: "answer.seen", calls: 1 }).tell({ type: "call.seen", digest: "c" });
        return it;
      },
    ],
    ["as many answers without news as are allowed", "nothing", undefined, () => alternating(6)],
    ["one more", "no_progress after_tool", "5 answers in a row brought nothing new", () => alternating(7)],
    ["as many without a change as are allowed", "nothing", undefined, () => unchanged(5)],
    [
      "one more",
      "no_progress after_tool",
      "7 answers in a row changed no file and finished no todo",
      () => unchanged(6),
    ],
    [
      "a model that never says anything",
      "provider_error now",
      "the model sent nothing for 15 min",
      () => silent(15 * MINUTE),
    ],
    ["for 90 s", "provider_error now", "the model sent nothing for 90 s", () => silent(90 * SECOND)],
    ["for a moment", "provider_error now", "the model sent nothing for 2 s", () => silent(1_500)],
    ["for two minutes", "provider_error now", "the model sent nothing for 2 min", () => silent(2 * MINUTE)],
    [
      "silence while the host recovers",
      "nothing",
      undefined,
      () =>
        atWork()
          .after(LIMITS.silenceMs - 1)
          .tell({ type: "recovery.began" })
          .after(MINUTE)
          .tell(check),
    ],
  ])("%s -> %s: %s", (_situation, expected, says, given) => {
    const it = given();
    expect([ended(it), detail(it)]).toEqual([expected, says]);
  });

  test("an answer that never ends", () => {
    const it = answers(atWork(), ["c1"]);
    const begun = it.now;
    for (let at = 0; at < LIMITS.answerMs - 5 * MINUTE; at += MINUTE)
      it.tell({ type: "answer.growing", usage: used(at) }).after(MINUTE);
    const end = brakeDeadline(it.run, it.limits)!;
    expect(end).toBe(begun + LIMITS.answerMs);
    expect(brake(it.run, it.limits, end - 1)).toBeUndefined();
    expect(brake(it.run, it.limits, end)).toEqual({
      reason: "no_progress",
      how: "now",
      detail: "one answer did not end within 60 min",
    });
  });
});

describe("when it rings although nothing happens", () => {
  const due = (it: History): number | undefined => {
    const at = brakeDeadline(it.run, it.limits);
    return at === undefined ? undefined : at - it.now;
  };
  test.each<[string, number | undefined, () => History]>([
    ["no turn", undefined, () => history().writes("a")],
    ["silence", LIMITS.silenceMs, () => atWork()],
    ["minutes come first", MINUTE, () => limited({ minutes: 1 })],
    ["minutes while a tool runs", MINUTE, () => limited({ minutes: 1 }).tell({ type: "answer.seen", calls: 1 })],
    ["the minutes of the todo alone", MINUTE, () => perTodo({ minutes: 1 })],
    [
      "what the todo used in earlier turns and in this one counts",
      3 * MINUTE - MINUTE - SECOND,
      () => answers(perTodo({ minutes: 3 }).after(MINUTE).ends().nudged(), ["c1"]),
    ],
    ["a tool runs, and nothing limits it", undefined, () => atWork().tell({ type: "answer.seen", calls: 1 })],
    [
      "silence, where an answer may take less",
      2 * LIMITS.answerMs,
      () => atWork({ limits: { brake: { ...LIMITS, silenceMs: 2 * LIMITS.answerMs } } }),
    ],
    [
      "a tool that has to end",
      LIMITS.graceMs,
      () => limited({ minutes: 1 }).tell({ type: "answer.seen", calls: 1 }).after(MINUTE).tell({ type: "turn.check" }),
    ],
    [
      "the rest of the last turn",
      LIMITS.windDownMs - SECOND,
      () =>
        answers(
          limited({ tokens: 100 })
            .tell({ type: "answer.seen", calls: 0, usage: used(100) })
            .ends()
            .nudged(),
          ["c1"],
        ),
    ],
    ["a question waits for you", undefined, () => limited({ minutes: 1 }).tell({ type: "question.opened", id: "q" })],
    ["the last answer is in", undefined, () => limited({ minutes: 1 }).tell({ type: "answer.seen", calls: 0 })],
  ])("%s", (_situation, expected, given) => expect(due(given())).toBe(expected));

  test("then the brake speaks, and not a moment before", () => {
    for (const it of [atWork(), limited({ minutes: 1 }), answers(limited({ minutes: 1 }), ["c1"])]) {
      const at = brakeDeadline(it.run, it.limits)!;
      expect(brake(it.run, it.limits, at - 1)).toBeUndefined();
      expect(brake(it.run, it.limits, at)).toBeDefined();
    }
  });
});

describe("what becomes of a turn that we ended", () => {
  const types = (it: History) => it.envelopes.map(({ event }) => event.type);

  test.each(["aborted", "failed", "completed"] as const)(
    "%s: it stops for our reason, not as an interrupt",
    (outcome) => {
      const it = limited({ tokens: 100 }).tell({ type: "answer.seen", calls: 1, usage: used(100) });
      it.ends({ outcome, ...(outcome === "failed" && { failure: { kind: "other", message: "aborted" } as const }) });
      expect([it.said, types(it).includes("human.interrupted"), it.run.ledger.interrupt]).toEqual([
        "stop budget_tokens",
        false,
        undefined,
      ]);
    },
  );

  test("a silent provider failed, and is tried again", () => {
    const it = answers(atWork(), ["c1"]).after(LIMITS.silenceMs).tell({ type: "turn.check" });
    expect(it.ends({ outcome: "aborted" }).said).toBe("wait backoff");
  });

  test("an abort of yours is still yours", () =>
    expect(answers(atWork(), ["c1"]).aborts().said).toBe("stop interrupted"));

  test("a raised budget lets it continue", () => {
    const it = limited({ tokens: 100 })
      .tell({ type: "answer.seen", calls: 1, usage: used(100) })
      .aborts();
    expect(it.tell({ type: "human.extend", budget: { minutes: 5 } }).said).toBe("stop budget_tokens");
    expect(it.tell({ type: "human.extend", budget: { tokens: 500 } }).said).toBe("continue todo");
  });

  test("a process that died in between leaves the reason behind", () => {
    const it = limited({ tokens: 100 }).tell({ type: "answer.seen", calls: 1, usage: used(100) });
    expect(it.tell({ type: "run.open", driver: "two", goOn: true }).said).toBe("stop budget_tokens");
  });

  test("it is told once; an agent that continues all the same hears it again", () => {
    const it = limited({ tokens: 100 }).tell({ type: "answer.seen", calls: 1, usage: used(100) });
    it.tell({ type: "call.seen", digest: "c1" });
    expect(types(it).filter((type) => type === "turn.braked")).toHaveLength(1);
    expect(it.reply).toMatchObject({
      type: "done",
      brake: { reason: "budget_tokens", how: "after_tool", detail: "100 of 100 tokens used" },
    });
  });

  const ends = (it: History) => it.effects.flatMap((effect) => (effect.type === "turn.end" ? [effect.how] : []));

  test("an answer after the call that was to be its last ends it at once", () => {
    const it = limited({ tokens: 100 }).tell({ type: "answer.seen", calls: 1, usage: used(100) });
    expect(ends(it.tell({ type: "call.seen", digest: "c1" }))).toEqual(["after_tool"]);
    expect(ends(it.tell({ type: "answer.seen", calls: 1 }))).toEqual(["after_tool", "now"]);
  });

  test("a hold also ends a turn that was not announced, and none where the agent has settled", () => {
    expect(ends(history().writes("a").holds())).toEqual(["after_tool"]);
    expect(ends(history().writes("a").tell({ type: "human.hold", now: true }))).toEqual(["now"]);
    expect(ends(history().writes("a").says().ends().holds())).toEqual([]);
    expect(ends(history().writes("a").says().ends().tell({ type: "human.hold", now: true }))).toEqual(["now"]);
  });
});

describe("what is spent", () => {
  test("is the sum of the answers; the end of the turn adds only what goes beyond", () => {
    const it = answers(answers(atWork(), ["c1"], used(300)), ["c2"], used(200));
    expect(it.run.ledger.spent.input).toBe(500);
    expect(it.ends({ usage: used(600) }).run.ledger.spent).toMatchObject({ input: 600, estimated: 0 });
    expect(it.run.ledger.todoLedgers.t1?.tokens).toBe(600);
  });
  test("an answer under way is estimated, and gives way to what it came to", () => {
    const it = atWork()
      .after(MINUTE)
      .tell({ type: "answer.growing", usage: used(5_000) });
    expect(it.run.ledger.spent).toMatchObject({ input: 5_000, estimated: 5_000 });
    it.after(MINUTE).tell({ type: "answer.growing", usage: used(9_000) });
    expect(it.run.ledger.spent).toMatchObject({ input: 9_000, estimated: 9_000 });
    it.tell({ type: "answer.seen", calls: 0, usage: used(7_000) });
    expect(it.run.ledger.spent).toMatchObject({ input: 7_000, estimated: 0 });
  });
  test("one that was cut stays an estimate, beside what the turn tells", () => {
    const it = answers(atWork(), ["c1"], used(300)).tell({
      type: "answer.seen",
      cut: true,
      estimated: true,
      usage: used(50),
    });
    expect(it.ends({ outcome: "aborted", usage: used(300) }).run.ledger.spent).toMatchObject({
      input: 350,
      estimated: 50,
    });
  });
  test("time counts as it passes, without waits for you", () => {
    const it = answers(atWork(), ["c1"]).after(MINUTE).tell({ type: "question.opened", id: "q" }).after(MINUTE);
    expect(it.run.ledger.spent.activeMs).toBe(MINUTE + SECOND);
    it.tell({ type: "question.closed", id: "q" }).after(MINUTE).ends();
    expect(it.run.ledger.spent.activeMs).toBe(2 * MINUTE + SECOND);
  });
});
