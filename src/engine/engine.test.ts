import { describe, expect, test } from "vitest";
import type { Trigger } from "../core/react/index.ts";
import { createFakeWorld, type FakeWorld, HOST_KINDS, type HostKind } from "../testing/index.ts";
import { speak } from "./index.ts";

const MINUTE = 60_000;
const KINDS = Object.keys(HOST_KINDS).filter((kind) => kind !== "tools") as HostKind[];
const COUNTDOWN = { limits: { countdownMs: 3_000 } };

const write = (...texts: readonly string[]): Trigger => ({
  type: "todos.write",
  write: { mode: "replace", todos: texts.map((text) => ({ text })) },
  by: "model",
});
const edit = (action: "start" | "complete", ...indices: readonly number[]): Trigger => ({
  type: "todos.edit",
  edit: { action, indices },
  by: "model",
});

/** How many nudges went out, by either way: as the answer of a held boundary, or as a turn that the host starts. */
const nudgesOf = ({ types }: FakeWorld) => types.filter((type) => type === "nudge.intended").length;

describe("every kind of host", () => {
  test.each(KINDS)("%s: open work goes on at once, in the way the host has", async (kind) => {
    const world = createFakeWorld({ kind });
    await world.tell(write("a"));
    const settling = world.settle();
    await world.clock.settle();
    const isAnswer = HOST_KINDS[kind].boundary !== "edge";
    expect(settling.now?.type).toBe(isAnswer ? "nudge" : "settled");
    expect(world.host.nudges.length).toBe(isAnswer ? 0 : 1);
    expect([nudgesOf(world), world.run.ledger.boundary?.status]).toEqual([1, "nudged"]);
  });

  test.each(KINDS)("%s: a finished run lets the boundary go and says why", async (kind) => {
    const world = createFakeWorld({ kind });
    await world.tell(write("a"));
    await world.tell({ type: "call.seen", digest: "c1" });
    await world.tell(edit("complete", 0));
    const { promise } = world.settle();
    expect(await promise).toMatchObject({ type: "settled", decision: { type: "stop", reason: "done_unproven" } });
    expect(world.host.notices).toMatchObject([{ type: "stopped", reason: "done_unproven" }]);
    expect(world.clock.pending).toBe(0);
  });

  const resident = KINDS.filter((kind) => HOST_KINDS[kind].resident);
  test.each(resident)(
    "%s: calls of the agent wait until what judges the work is kept, its model does not",
    async (kind) => {
      const kept = Promise.withResolvers<void>();
      const world = createFakeWorld({ kind, session: "s" });
      Object.assign(world.checks, { begin: () => kept.promise });
      await world.tell({ type: "turn.started", turn: "1", cause: "human" });
      let mayCall = false;
      const waiting = world.engine.begun("s").then(() => {
        mayCall = true;
      });
      await world.clock.settle();
      expect(mayCall).toBe(false);
      kept.resolve();
      await waiting;
    },
  );

  /** What becomes of a wait of a minute: slept through inside the boundary, by a timer, or left for others. */
  const WAITS = {
    print: "inside",
    terminal: "timer",
    rpc: "timer",
    idle: "timer",
    loop: "parked",
    hook: "parked",
  } as const;
  test.each(Object.entries(WAITS))("%s: a limit of the provider is %s", async (kind, way) => {
    const world = createFakeWorld({ kind: kind as HostKind });
    await world.tell(write("a"));
    const failure = { kind: "rate_limit", message: "429", resetAt: world.clock.now() + MINUTE } as const;
    const settling = world.settle({ outcome: "failed", failure });
    await world.clock.settle();
    expect(world.said).toBe("wait rate_limited");
    expect(settling.now?.type).toBe(way === "inside" ? undefined : "settled");
    expect(world.run.ledger.boundary?.status).toBe(way === "timer" ? "waiting" : "parked");
    await world.clock.advance(MINUTE - 1);
    expect(nudgesOf(world)).toBe(0);
    await world.clock.advance(MINUTE / 10 + 1); // a little later, so that not all come back at once
    expect(nudgesOf(world)).toBe(way === "parked" ? 0 : 1);
    expect(settling.now?.type).toBe(way === "inside" ? "nudge" : "settled");
    expect(world.host.nudges.length).toBe(way === "timer" ? 1 : 0);
  });

  test.each(KINDS)("%s: a boundary told twice is nudged once", async (kind) => {
    const world = createFakeWorld({ kind });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    world.settle({ turn: "t1" });
    const second = world.settle({ turn: "t1" });
    await world.clock.settle();
    expect(second.now?.type).toBe("settled");
    expect([nudgesOf(world), world.types.filter((type) => type === "turn.ended").length]).toEqual([1, 1]);
  });

  test("tools only: there is no boundary, and nothing is ever sent", async () => {
    const world = createFakeWorld({ kind: "tools" });
    const reply = await world.tell(write("a", "b"));
    expect(reply).toEqual({ type: "done", text: "Wrote 2 todos. 0/2 done, 2 remaining." });
    await world.clock.advance(10 * MINUTE);
    expect([world.host.nudges, world.types.includes("decision.made")]).toEqual([[], false]);
  });

  test("a late event of a hook leaves the wait to the supervisor that carries it", async () => {
    const supervisor = createFakeWorld({ kind: "idle", driver: "hook:s" });
    await supervisor.tell(write("a"));
    const failure = { kind: "rate_limit", message: "429", resetAt: supervisor.clock.now() + MINUTE } as const;
    supervisor.settle({ outcome: "failed", failure });
    await supervisor.clock.settle();
    await supervisor.another({ kind: "hook" }).tell({ type: "turn.ended", outcome: "failed", failure });
    expect(supervisor.run.ledger.boundary?.status).toBe("waiting");
    await supervisor.clock.advance(2 * MINUTE);
    expect(nudgesOf(supervisor)).toBe(1);
  });

  test("a process per event shares one claim, and cuts nothing off", async () => {
    const first = createFakeWorld({ kind: "hook", driver: "hook:s" });
    await first.tell(write("a"));
    const second = first.another();
    await second.tell({ type: "turn.started", turn: "t1", cause: "human" });
    const third = first.another();
    await third.settle({ turn: "t1" }).promise;
    expect(first.run.ledger.claim).toEqual({ driver: "hook:s", epoch: 1 });
    expect(first.types).not.toContain("turn.cut");
    expect(nudgesOf(first)).toBe(1);
  });
});

describe("the countdown", () => {
  const COUNTING = ["print", "terminal", "rpc", "idle"] as const;

  test.each(COUNTING)("%s: it runs before the nudge, and only one runs", async (kind) => {
    const world = createFakeWorld({ kind, ...COUNTDOWN });
    await world.tell(write("a"));
    world.settle();
    await world.clock.advance(2_999);
    const status = HOST_KINDS[kind].resident ? "countdown" : "parked"; // a process that lives for one event may be gone at any time
    expect([nudgesOf(world), world.run.ledger.boundary?.status]).toEqual([0, status]);
    await world.tell({ type: "background.changed", agents: 0, awaited: 0 }); // an event in between starts no second one
    await world.clock.advance(1);
    expect([nudgesOf(world), world.types.filter((type) => type === "decision.made").length]).toEqual([1, 1]);
  });

  /** Queued words are the answer of a boundary that is held. */
  const ANSWERED: Record<string, string> = { idle: "settled", rpc: "settled", print: "words", terminal: "words" };
  const CANCELS: Record<string, readonly [Trigger, string]> = {
    "a key": [{ type: "human.interrupt", how: "key" }, "stop interrupted"],
    words: [{ type: "human.spoke" }, "continue todo"],
    "a hold": [{ type: "human.hold", now: false }, "stop held"],
    "words in the queue": [{ type: "words.queue", words: { id: "w", text: "Wait", kind: "steer" } }, "wait human"],
    "a question": [{ type: "question.opened", id: "q" }, "wait question"],
    "the switch": [{ type: "continuation.switch", on: false }, "stop disabled"],
    "a turn that the host began": [{ type: "turn.started", turn: "t9", cause: "host" }, "continue todo"],
  };
  test.each(
    Object.entries(CANCELS).flatMap(([how, [trigger, said]]) => COUNTING.map((kind) => ({ how, kind, trigger, said }))),
  )("$kind: $how cancels it", async ({ kind, trigger, said }) => {
    const world = createFakeWorld({ kind, ...COUNTDOWN });
    await world.tell(write("a"));
    const settling = world.settle();
    await world.clock.advance(1_000);
    await world.tell(trigger);
    await world.clock.advance(MINUTE);
    expect([world.said, world.host.nudges, settling.now?.type]).toEqual([
      said,
      [],
      said === "wait question" && kind === "print" ? undefined : said === "wait human" ? ANSWERED[kind] : "settled",
    ]);
    expect(world.types).not.toContain("nudge.intended");
  });

  test("a boundary told twice while it runs does not end it", async () => {
    const world = createFakeWorld({ kind: "print", ...COUNTDOWN });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    const first = world.settle({ turn: "t1" });
    await world.clock.advance(1_000);
    const second = world.settle({ turn: "t1" });
    await world.clock.advance(2_000);
    expect([first.now?.type, second.now?.type, nudgesOf(world)]).toEqual(["nudge", "settled", 1]);
  });

  test("everything is looked at again when it ends", async () => {
    const world = createFakeWorld({ kind: "print", ...COUNTDOWN }); // not resident: no process looks in between
    await world.tell(write("a"));
    const settling = world.settle();
    await world.clock.settle();
    speak(world.store.log, "run-1", { type: "human.hold", now: false }, world.clock.now());
    await world.clock.advance(3_000);
    expect([settling.now, world.said]).toMatchObject([{ type: "settled" }, "stop held"]);
    expect(nudgesOf(world)).toBe(0);
  });

  test("it runs anew when the user lets the run go again", async () => {
    const world = createFakeWorld({ kind: "idle", ...COUNTDOWN });
    await world.tell(write("a"));
    world.settle();
    await world.clock.advance(2_000);
    await world.tell({ type: "human.hold", now: false });
    await world.clock.advance(5_000);
    await world.tell({ type: "human.unhold" });
    await world.clock.advance(2_999);
    expect(nudgesOf(world)).toBe(0);
    await world.clock.advance(1);
    expect(nudgesOf(world)).toBe(1);
  });

  test("the minimum gap between two nudges is kept, and no boundary is lost in it", async () => {
    const world = createFakeWorld({ kind: "idle", limits: { minimumGapMs: 1_000 } });
    await world.tell(write("a"));
    world.settle();
    await world.clock.settle();
    await world.tell({ type: "turn.started", turn: "t2", cause: "nudge" });
    world.settle({ turn: "t2" });
    await world.clock.advance(999);
    expect(nudgesOf(world)).toBe(1);
    await world.clock.advance(1);
    expect(nudgesOf(world)).toBe(2);
  });
});

describe("words from another process", () => {
  const elsewhere = (world: FakeWorld, trigger: Trigger) => speak(world.store.log, "run-1", trigger, world.clock.now());

  test("a word that comes together with a failure of the host is heard", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    await world.tell({ type: "human.hold", now: false });
    world.settle();
    await world.clock.settle();
    elsewhere(world, { type: "human.unhold" });
    await world.tell({ type: "host.failed", where: "a hook", message: "it threw" });
    expect(world.said).toBe("continue todo");
  });

  test("a hold told by a hook is decided at once, though its process never drove", async () => {
    const world = createFakeWorld({ kind: "hook", ...COUNTDOWN });
    await world.tell(write("a"));
    await world.settle().promise;
    await world.another().tell({ type: "human.hold", now: false });
    expect([world.said, world.run.ledger.claim.epoch]).toEqual(["stop held", 1]);
  });

  test("a hold that comes together with the echo of an older turn's end lets the held boundary go", async () => {
    const world = createFakeWorld({ kind: "print", ...COUNTDOWN });
    await world.tell(write("a"));
    for (const turn of ["t1", "t2"]) await world.tell({ type: "turn.started", turn, cause: "human" });
    const settling = world.settle({ turn: "t2" });
    await world.clock.settle();
    elsewhere(world, { type: "human.hold", now: false });
    const echo = world.settle({ turn: "t1" });
    await world.clock.settle();
    expect([settling.now?.type, echo.now?.type]).toEqual(["settled", "settled"]);
  });

  test("a hold is seen within 250 ms and cancels the countdown", async () => {
    const world = createFakeWorld({ kind: "idle", ...COUNTDOWN });
    await world.tell(write("a"));
    world.settle();
    await world.clock.advance(500);
    elsewhere(world, { type: "human.hold", now: false });
    await world.clock.advance(250);
    expect([world.said, world.host.notices]).toMatchObject(["stop held", [{ type: "stopped", reason: "held" }]]);
    await world.clock.advance(MINUTE);
    expect(nudgesOf(world)).toBe(0);
    elsewhere(world, { type: "human.unhold" });
    await world.clock.advance(250 + 3_000);
    expect(nudgesOf(world)).toBe(1);
  });

  test("a hold that says now ends what the agent is doing", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    elsewhere(world, { type: "human.hold", now: true });
    await world.clock.advance(250);
    expect(world.host.ends.map(({ how }) => how)).toEqual(["now"]);
    await world.clock.advance(1_000);
    expect(world.host.ends.map(({ how }) => how)).toEqual(["now"]);
  });

  test("queued words reach a run that stopped", async () => {
    const world = createFakeWorld({ kind: "idle", limits: { idleTurns: 0 } });
    await world.tell(write("a"));
    world.settle();
    await world.clock.settle();
    expect(world.said).toBe("stop no_progress");
    elsewhere(world, { type: "words.queue", words: { id: "w1", text: "Try again", kind: "steer" } });
    await world.clock.advance(250);
    expect(world.host.delivered).toEqual([{ id: "w1", text: "Try again", kind: "steer" }]);
    expect(world.types.filter((type) => type === "words.delivered" || type === "human.spoke")).toEqual([
      "words.delivered",
      "human.spoke",
    ]);
    await world.clock.advance(MINUTE);
    expect(world.host.delivered.length).toBe(1);
  });

  test("a message that no answer can carry stays queued, and goes out with the answer at the next boundary", async () => {
    const world = createFakeWorld({ kind: "hook", limits: { countdownMs: 60_000 } });
    await world.tell(write("a"));
    await world.settle().promise;
    elsewhere(world, { type: "words.queue", words: { id: "w1", text: "Try again", kind: "steer" } });
    for (const readOnly of [true, false]) {
      await world.tell({ type: "mode.changed", readOnly });
      await world.clock.settle();
    }
    expect([world.host.delivered, world.run.ledger.errors, world.run.ledger.boundary?.status]).toEqual([
      [],
      0,
      "parked",
    ]);
    await world.tell({ type: "turn.started", turn: "t2", cause: "host" });
    expect(await world.settle({ turn: "t2" }).promise).toMatchObject({ type: "words", words: [{ id: "w1" }] });
    expect(world.run.ledger.sending).toEqual(["w1"]); // the process that prints the answer says whether it went out
  });

  test("words for the end wait while work is open, and steering goes alone", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    await world.tell({ type: "words.queue", words: { id: "later", text: "Then this", kind: "follow-up" } });
    await world.tell({ type: "words.queue", words: { id: "now", text: "Not that", kind: "steer" } });
    world.settle({ turn: "t1" });
    await world.clock.settle();
    expect(world.host.delivered.map(({ id }) => id)).toEqual(["now"]);
    expect(world.run.ledger.words.map(({ id }) => id)).toEqual(["later"]);
  });

  test("words that the host did not take once are sent again by themselves", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    await world.tell({ type: "words.queue", words: { id: "w1", text: "One", kind: "steer" } });
    world.host.refuses = "the session is gone";
    world.settle({ turn: "t1" });
    await world.clock.advance(4_999);
    expect([world.host.delivered, world.run.ledger.errors, world.said]).toEqual([[], 1, "wait human"]);
    await world.clock.advance(1);
    expect([world.host.delivered.map(({ id }) => id), world.run.ledger.words]).toEqual([["w1"], []]);
  });

  test("words that the host would not take stay queued after so many tries, and the wait says who wakes it", async () => {
    const world = createFakeWorld({ kind: "idle", limits: { backoffTries: 0 } });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    await world.tell({ type: "words.queue", words: { id: "w1", text: "One", kind: "steer" } });
    world.host.refuses = "the session is gone";
    world.settle({ turn: "t1" });
    await world.clock.advance(MINUTE);
    expect([world.host.delivered, world.run.ledger.errors, world.run.ledger.boundary?.status]).toEqual([
      [],
      1,
      "parked",
    ]);
    await world.tell({ type: "words.queue", words: { id: "w2", text: "Two", kind: "steer" } });
    await world.clock.settle();
    expect(world.host.delivered.map(({ id }) => id)).toEqual(["w1", "w2"]);
  });

  test("nothing that the user said elsewhere is overtaken by what is told here", async () => {
    const world = createFakeWorld({ kind: "print" });
    await world.tell(write("a"));
    elsewhere(world, { type: "human.hold", now: false });
    expect(await world.settle().promise).toMatchObject({ decision: { reason: "held" } });
    expect(nudgesOf(world)).toBe(0);
  });
});

describe("one process drives", () => {
  async function twoDrivers() {
    const one = createFakeWorld({ kind: "idle", driver: "one", ...COUNTDOWN });
    await one.tell(write("a"));
    one.settle();
    await one.clock.advance(1_000);
    const two = one.another({ driver: "two" });
    two.engine.open("s", { goOn: true });
    return { one, two };
  }

  test("the one that lost it neither nudges nor writes", async () => {
    const { one, two } = await twoDrivers();
    await one.clock.advance(MINUTE);
    expect([one.host.nudges.length, two.host.nudges.length]).toEqual([0, 1]);
    expect(await one.tell({ type: "turn.started", turn: "x" })).toEqual({ type: "ignored", why: "not_driver" });
    expect(await one.tell(edit("complete", 0))).toEqual({ type: "ignored", why: "not_driver" });
    expect(one.run.ledger.claim).toEqual({ driver: "two", epoch: 2 });
  });

  test("it has no timer left but the one that looks", async () => {
    const { one, two } = await twoDrivers();
    await one.clock.advance(MINUTE);
    expect(one.clock.pending).toBe(2);
    two.engine.dispose();
    one.engine.dispose();
    expect(one.clock.pending).toBe(0);
  });

  test("the user may still speak there, and the driver acts on it", async () => {
    const { one, two } = await twoDrivers();
    await one.tell({ type: "human.hold", now: false });
    await one.clock.advance(MINUTE);
    expect([one.said, one.host.nudges, two.host.nudges]).toEqual(["stop held", [], []]);
    await one.tell({ type: "human.unhold" });
    await one.clock.advance(MINUTE);
    expect([one.host.nudges.length, two.host.nudges.length]).toEqual([0, 1]);
  });

  test("a process that never claimed the run only writes down what the user said", async () => {
    const one = createFakeWorld({ kind: "idle", driver: "one" });
    await one.tell(write("a"));
    await one.tell({ type: "human.hold", now: false });
    one.settle();
    await one.clock.settle();
    const two = one.another({ driver: "two" });
    await two.tell({ type: "human.unhold" });
    await two.clock.settle();
    expect([two.host.nudges, one.run.ledger.claim.driver]).toEqual([[], "one"]);
    await one.clock.advance(250);
    expect(one.host.nudges.length).toBe(1);
  });

  test("a claim of an earlier run of the session opens no later one", async () => {
    const one = createFakeWorld({ kind: "idle", driver: "one" });
    await one.tell(write("a"));
    const two = one.another({ driver: "two" });
    speak(one.store.log, "run-1", { type: "human.clear" }, one.clock.now());
    await two.tell(write("b"));
    await two.clock.settle();
    expect(one.run.ledger.claim).toEqual({ driver: "two", epoch: 1 });
    await one.clock.advance(250);
    await one.tell({ type: "human.hold", now: false });
    two.settle();
    await one.tell({ type: "human.unhold" });
    await one.clock.advance(250);
    expect([one.host.nudges, two.host.nudges.length]).toEqual([[], 1]);
  });
});

describe("a process dies", () => {
  test.each([
    [true, "continue todo"],
    [false, "stop held"],
  ])("an unhold that no process heard is heard by the next one that may continue (%s)", async (goOn, said) => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    await world.tell({ type: "human.hold", now: false });
    world.settle();
    await world.clock.settle();
    world.engine.dispose();
    speak(world.store.log, "run-1", { type: "human.unhold" }, world.clock.now());
    world.another({ driver: "two" }).engine.open("s", { goOn });
    expect(world.said).toBe(said);
  });

  async function cutOff(kind: HostKind) {
    const old = createFakeWorld({ kind, driver: "old", ...COUNTDOWN });
    await old.tell(write("a"));
    old.settle();
    await old.clock.advance(1_000);
    old.engine.dispose();
    return old.another({ driver: "new", limits: {} });
  }

  test("one that may start turns continues", async () => {
    const world = await cutOff("idle");
    world.engine.open("s", { goOn: true });
    await world.clock.advance(1_999);
    expect(world.host.nudges).toEqual([]);
    await world.clock.advance(1); // the countdown that the old one began
    expect([world.said, world.host.nudges.length]).toEqual(["continue todo", 1]);
  });

  test("one that may not shows it and waits for the user", async () => {
    const world = await cutOff("terminal");
    world.engine.open("s", { goOn: false });
    await world.clock.advance(MINUTE);
    await world.tell({ type: "background.changed", agents: 1, awaited: 0 });
    await world.tell({ type: "background.changed", agents: 0, awaited: 0 });
    await world.clock.advance(MINUTE);
    expect([world.host.nudges, world.run.ledger.boundary?.status]).toEqual([[], "parked"]);
    expect(world.host.notices).toEqual([
      {
        type: "text",
        text: "The run was cut off when its process ended. It waits for you: send a message, or unhold to continue.",
      },
    ]);
    await world.tell({ type: "human.unhold" });
    await world.clock.settle();
    expect([world.host.nudges.length, world.run.ledger.boundary?.status]).toEqual([1, "nudged"]);
  });

  async function intended(): Promise<FakeWorld> {
    const old = createFakeWorld({ kind: "idle", driver: "old" });
    await old.tell(write("a"));
    old.host.nudge = () => new Promise(() => {}); // the host never says whether it took it
    old.settle();
    await old.clock.settle();
    expect(old.run.ledger.nudge).toMatchObject({ id: "b1", status: "intended" });
    old.engine.dispose();
    return old.another({ driver: "new" });
  }

  test("a nudge that no session holds goes out again, under its id", async () => {
    const world = await intended();
    world.engine.open("s", { goOn: true, delivered: [] });
    await world.clock.settle();
    expect(world.host.nudges.map(({ id }) => id)).toEqual(["b1"]);
    expect(world.types.filter((type) => type.startsWith("nudge."))).toEqual([
      "nudge.intended",
      "nudge.withdrawn",
      "nudge.intended",
      "nudge.delivered",
    ]);
  });

  test("a turn that begins with a nudge shows that it went out, also to a process that takes the run over by it", async () => {
    const world = await intended();
    await world.tell({ type: "turn.started", turn: "t2", cause: "nudge", nudge: "b1" });
    await world.clock.settle();
    expect(world.types.filter((type) => type.startsWith("nudge."))).toEqual(["nudge.intended", "nudge.delivered"]);
    expect([world.host.nudges, world.run.ledger.turn?.id]).toEqual([[], "t2"]);
  });

  test("a nudge that the session holds is over: its turn was cut, and the next boundary has the next nudge", async () => {
    const world = await intended();
    world.engine.open("s", { goOn: true, delivered: ["b1"] });
    await world.clock.settle();
    expect(world.host.nudges.map(({ id }) => id)).toEqual(["b2"]);
    expect(world.types.filter((type) => type.startsWith("nudge.") || type === "turn.cut")).toEqual([
      "nudge.intended",
      "nudge.delivered",
      "turn.cut",
      "nudge.intended",
      "nudge.delivered",
    ]);
  });

  test("a turn that was cut is a boundary, and its late end changes nothing", async () => {
    const old = createFakeWorld({ kind: "idle", driver: "old" });
    await old.tell(write("a"));
    await old.tell({ type: "turn.started", turn: "t1", cause: "human" });
    old.engine.dispose();
    const world = old.another({ driver: "new" });
    world.engine.open("s", { goOn: true });
    await world.clock.settle();
    expect([world.said, nudgesOf(world)]).toEqual(["continue todo", 1]);
    expect(await world.tell({ type: "turn.ended", turn: "t1", outcome: "completed" })).toEqual({
      type: "ignored",
      why: "duplicate",
    });
  });

  test("what waited for the old process waits no more", async () => {
    const old = createFakeWorld({ kind: "idle", driver: "old" });
    await old.tell(write("a"));
    await old.tell({ type: "question.opened", id: "q" });
    await old.tell({ type: "background.changed", agents: 2, awaited: 1 });
    await old.tell({ type: "compaction.began" });
    await old.tell({ type: "recovery.began" });
    old.settle();
    await old.clock.settle();
    expect(old.said).toBe("wait question");
    old.engine.dispose();
    const world = old.another({ driver: "new" });
    world.engine.open("s", { goOn: true });
    await world.clock.settle();
    expect([world.said, world.host.nudges.length]).toEqual(["continue todo", 1]);
  });
});

describe("a nudge that the host would not take", () => {
  test("is tried again after the backoff, under another id", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    world.host.refuses = "busy";
    world.settle();
    await world.clock.settle();
    expect([world.said, world.host.nudges]).toEqual(["wait host_failed", []]);
    await world.clock.advance(4_999);
    expect(world.host.nudges).toEqual([]);
    await world.clock.advance(1);
    expect(world.host.nudges.map(({ id }) => id)).toEqual(["b1.1"]);
    expect(world.run.ledger.spent.continuations).toBe(0);
  });

  test("is given up after eight tries", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    world.host.nudge = () => Promise.reject(new Error("busy"));
    world.settle();
    await world.clock.advance(60 * MINUTE);
    expect(world.said).toBe("stop host_failed");
    expect(world.types.filter((type) => type === "nudge.failed").length).toBe(9);
  });

  test("a host that throws instead of rejecting is one that would not take it", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    world.host.nudge = () => {
      throw new Error("no such session");
    };
    await world.settle().promise;
    await world.clock.settle();
    expect([world.said, world.run.ledger.failures.tries]).toEqual(["wait host_failed", 1]);
  });
});

describe("a nudge that the host took back", () => {
  test("the turn continues, its calls start no second one, and its end is a boundary of its own", async () => {
    const world = createFakeWorld({ kind: "loop" });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    expect(await world.settle({ turn: "t1" }).promise).toMatchObject({ type: "nudge", nudge: { id: "b1" } });
    await world.tell({ type: "turn.resume", ended: "t1", turn: "t1.1", why: "a call followed" });
    await world.tell({ type: "call.seen", digest: "c1", turn: "t1.1" });
    expect([nudgesOf(world), world.run.ledger.turn?.id, world.run.ledger.activity]).toEqual([1, "t1.1", 1]);
    expect(await world.settle({ turn: "t1.1" }).promise).toMatchObject({ type: "nudge", nudge: { id: "b2" } });
  });

  test("words before late calls count as one turn: no turn of it was idle, and none is counted twice", async () => {
    const world = createFakeWorld({ kind: "loop" });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t0", cause: "human" });
    await world.settle({ turn: "t0" }).promise;
    for (let count = 1; count <= 6; count++) {
      const [turn, ended] = [`t${count}.1`, `t${count}`];
      await world.tell({ type: "turn.started", turn: ended, cause: "nudge" });
      expect(await world.settle({ turn: ended, text: "Shall I look?" }).promise).toMatchObject({ type: "nudge" });
      await world.tell({ type: "turn.resume", ended, turn, why: "a call followed" });
      await world.tell({ type: "turn.resume", ended, turn, why: "a call followed" });
      await world.tell({ type: "call.seen", digest: `c${count}`, turn });
      expect(await world.settle({ turn, text: "I looked." }).promise).toMatchObject({ type: "nudge" });
    }
    const { since, asked, spent, todoLedgers } = world.run.ledger;
    expect([since, asked, spent.continuations, todoLedgers.t1?.continuations]).toEqual([
      { nudged: 6, idle: 0, still: 6 },
      0,
      6,
      6,
    ]);
  });

  test("a run that stopped at such words continues with the call", async () => {
    const world = createFakeWorld({ kind: "loop", limits: { idleTurns: 1 } });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t0", cause: "human" });
    await world.settle({ turn: "t0" }).promise;
    await world.tell({ type: "turn.started", turn: "t1", cause: "nudge" });
    expect(await world.settle({ turn: "t1" }).promise).toMatchObject({ decision: { reason: "no_progress" } });
    await world.tell({ type: "turn.resume", ended: "t1", turn: "t1.1", why: "a call followed" });
    await world.tell({ type: "call.seen", digest: "c1", turn: "t1.1" });
    expect(await world.settle({ turn: "t1.1" }).promise).toMatchObject({ type: "nudge" });
  });

  test("what the user said before the words keeps its meaning: the work is taken up in the turn that continues", async () => {
    const world = createFakeWorld({ kind: "loop" });
    await world.tell(write("a"));
    await world.tell({ type: "human.interrupt", how: "abort" });
    await world.tell({ type: "human.spoke" });
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    expect(await world.settle({ turn: "t1" }).promise).toMatchObject({ decision: { reason: "interrupted" } });
    await world.tell({ type: "turn.resume", ended: "t1", turn: "t1.1", why: "a call followed" });
    await world.tell({ type: "call.seen", digest: "c1", turn: "t1.1" });
    expect(await world.settle({ turn: "t1.1" }).promise).toMatchObject({ type: "nudge" });
  });
});

describe("rounds of checks", () => {
  const CHECKED = { birth: { checks: [{ run: "npm test", by: "human" }] } } as const;

  async function readyToComplete(kind: HostKind = "idle") {
    const world = createFakeWorld({ kind, ...CHECKED });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    await world.tell({ type: "call.seen", digest: "c1" });
    return world;
  }

  test("the complete that closes the list runs them inside the call", async () => {
    const world = await readyToComplete();
    const reply = world.tell(edit("complete", 0));
    await world.clock.settle();
    expect([world.checks.begun, world.run.plan.todos[0]?.status]).toEqual([[["npm test"]], "not_started"]);
    world.checks.pass();
    expect(await reply).toEqual({ type: "done", text: "Completed [0]: 1 check passed. 1/1 done, 0 remaining." });
    expect(await world.settle({ turn: "t1" }).promise).toMatchObject({ decision: { reason: "all_done" } });
    expect(world.checks.begun.length).toBe(1);
  });

  test("a check of the run that fails opens a todo, with the end of its output in the nudge", async () => {
    const world = await readyToComplete();
    const reply = world.tell(edit("complete", 0));
    await world.clock.settle();
    world.checks.fail(["npm test"], "expected 4 to be 5");
    expect(await reply).toMatchObject({ type: "done" });
    world.settle({ turn: "t1" });
    await world.clock.settle();
    expect(world.host.nudges[0]?.text).toContain("– [1] Make this check pass: npm test");
    expect(world.host.nudges[0]?.text).toContain("> expected 4 to be 5");
  });

  const CUTS: Record<string, Trigger> = {
    "a hold": { type: "human.hold", now: false },
    "an interrupt": { type: "human.interrupt", how: "key" },
    words: { type: "human.spoke" },
    "words in the queue": { type: "words.queue", words: { id: "w", text: "Stop", kind: "steer" } },
  };
  test.each(Object.entries(CUTS))("%s cut them short, and nothing was completed", async (_how, trigger) => {
    const world = await readyToComplete();
    const reply = world.tell(edit("complete", 0));
    await world.clock.settle();
    await world.tell(trigger);
    expect(await reply).toMatchObject({ type: "refused", refusal: { code: "check_failed" } });
    expect([world.checks.cut, world.run.plan.todos[0]?.status, world.run.ledger.verifying]).toEqual([
      1,
      "not_started",
      undefined,
    ]);
  });

  test("a hold from another process cuts them short", async () => {
    const world = await readyToComplete();
    const reply = world.tell(edit("complete", 0));
    await world.clock.settle();
    speak(world.store.log, "run-1", { type: "human.hold", now: false }, world.clock.now());
    await world.clock.advance(250);
    expect([await reply, world.checks.cut]).toMatchObject([{ type: "refused" }, 1]);
  });

  async function atTheEnd(given: { runsChecks?: boolean } = {}) {
    const world = createFakeWorld({ kind: "idle", ...CHECKED, ...given });
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    await world.tell({ type: "call.seen", digest: "c1" });
    await world.tell({ type: "todos.human_edit", edit: { action: "done", indices: [0] } });
    world.settle({ turn: "t1" });
    await world.clock.settle();
    return world;
  }

  test("a list that you finished is checked at the boundary, once", async () => {
    const world = await atTheEnd();
    expect([world.said, world.checks.begun]).toEqual(["wait verifying", [["npm test"]]]);
    world.checks.pass();
    await world.clock.settle();
    expect([world.said, world.checks.begun.length]).toEqual(["stop all_done", 1]);
  });

  test("held and let go, they run anew", async () => {
    const world = await atTheEnd();
    await world.tell({ type: "human.hold", now: false });
    expect([world.said, world.checks.cut]).toEqual(["stop held", 1]);
    await world.tell({ type: "human.unhold" });
    expect([world.said, world.checks.begun.length]).toEqual(["wait verifying", 2]);
    world.checks.pass();
    await world.clock.settle();
    expect(world.said).toBe("stop all_done");
  });

  test("what cannot run at all is not tried forever", async () => {
    const world = await atTheEnd();
    world.checks.break("no shell");
    await world.clock.settle();
    expect([world.said, world.checks.begun.length]).toEqual(["stop done_unproven", 1]);
  });

  test("what never ends is cut off at its deadline", async () => {
    const world = await atTheEnd();
    await world.clock.advance(60 * MINUTE);
    expect([world.said, world.checks.cut]).toEqual(["stop done_unproven", 1]);
  });

  test("where no checks are run, a todo is finished unproven", async () => {
    const world = await atTheEnd({ runsChecks: false });
    expect(world.said).toBe("stop done_unproven");
    const other = createFakeWorld({ ...CHECKED, runsChecks: false });
    await other.tell(write("a"));
    expect(await other.tell(edit("complete", 0))).toMatchObject({
      type: "done",
      text: "Completed [0]. 1/1 done, 0 remaining.\n? [0] a",
    });
  });
});

describe("runs of a session", () => {
  test("the next list after a finished one is a new run", async () => {
    const world = createFakeWorld();
    await world.tell(write("a"));
    await world.tell({ type: "call.seen", digest: "c1" });
    await world.tell(edit("complete", 0));
    await world.settle().promise;
    await world.tell(write("b"));
    expect([world.run.id, world.run.origin.parent, world.run.plan.todos.map(({ text }) => text)]).toEqual([
      "run-2",
      "run-1",
      ["b"],
    ]);
  });

  const append = (text: string): Trigger => ({
    type: "todos.write",
    write: { mode: "append", todos: [{ text }] },
    by: "model",
  });

  test("a finished list continues when todos are appended to it; a cleared one never comes back", async () => {
    const world = createFakeWorld();
    await world.tell(write("a"));
    await world.tell({ type: "call.seen", digest: "c1" });
    await world.tell(edit("complete", 0));
    await world.settle().promise;
    await world.tell(append("b"));
    expect(world.run.plan.todos.map(({ text }) => text)).toEqual(["a", "b"]);
    await world.tell({ type: "human.clear" });
    await world.tell(append("c"));
    expect(world.run.plan.todos.map(({ text }) => text)).toEqual(["c"]);
  });

  test("a list that was refused begins nothing, and the finished run stays to be seen", async () => {
    const world = createFakeWorld();
    expect(await world.tell(write("a", "a"))).toMatchObject({ type: "refused", refusal: { code: "text_repeated" } });
    expect(world.engine.run("s")).toBeUndefined();
    await world.tell(write("a"));
    await world.tell({ type: "human.clear" });
    await world.tell(write("b", "b"));
    expect(world.engine.run("s")?.id).toBe("run-1");
  });

  test("a list written after the run was cleared elsewhere begins a new one", async () => {
    const world = createFakeWorld();
    await world.tell(write("a"));
    speak(world.store.log, "run-1", { type: "human.clear" }, 0);
    expect(await world.tell(write("b"))).toMatchObject({ type: "done" });
    expect(world.run.id).toBe("run-2");
  });

  test("a run that was removed is forgotten", async () => {
    const world = createFakeWorld({ kind: "idle", ...COUNTDOWN });
    await world.tell(write("a"));
    world.settle();
    await world.clock.settle();
    world.store.runs.remove("run-1");
    await world.clock.advance(MINUTE);
    expect([world.engine.run("s"), world.host.nudges, world.clock.pending]).toEqual([undefined, [], 0]);
    await world.tell(write("b"));
    expect(world.engine.run("s")?.plan.todos.map(({ text }) => text)).toEqual(["b"]);
  });

  test("a run that was attached elsewhere leaves the session", async () => {
    const world = createFakeWorld({ kind: "idle", ...COUNTDOWN });
    await world.tell(write("a"));
    world.settle();
    await world.clock.settle();
    speak(world.store.log, "run-1", { type: "run.bind", host: "fake", session: "other" }, world.clock.now());
    await world.clock.advance(MINUTE);
    expect([world.engine.run("s"), world.host.nudges]).toEqual([undefined, []]);
    const other = world.another({ session: "other", driver: "two" });
    other.engine.open("other", { goOn: true });
    await other.clock.advance(3_000);
    expect(other.host.nudges.length).toBe(1);
  });

  test("what the agent does in the turn that the run was born in is seen", async () => {
    const world = createFakeWorld();
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    await world.tell(write("a"));
    await world.tell({ type: "call.seen", digest: "c1", turn: "t1" });
    await world.tell(edit("complete", 0));
    expect(await world.settle({ turn: "t1" }).promise).toMatchObject({ decision: { reason: "done_unproven" } });
  });

  test("files that were there before the run do not count as work", async () => {
    const world = createFakeWorld();
    await world.tell(write("a"));
    await world.clock.settle();
    await world.tell(edit("complete", 0));
    expect(await world.settle().promise).toMatchObject({ decision: { reason: "done_with_doubt" } });
  });

  test("files that changed in the turn are its work, also when the list is written after them", async () => {
    const world = createFakeWorld();
    await world.tell(write("a"));
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    await world.clock.settle();
    world.workspace.state = "files-1";
    await world.tell({ type: "todos.write", write: { mode: "append", todos: [{ text: "b" }] }, by: "model" });
    await world.tell(edit("complete", 0, 1));
    expect(await world.settle({ turn: "t1" }).promise).toMatchObject({ decision: { reason: "done_unproven" } });
  });
});

describe("while we look at what a turn left", () => {
  const BEGINNINGS: Record<string, Trigger> = {
    "the human speaks": { type: "human.spoke" },
    "the next turn begins": { type: "turn.started", turn: "t2", cause: "human" },
  };
  test.each(Object.entries(BEGINNINGS).flatMap(([what, trigger]) => KINDS.map((kind) => ({ what, trigger, kind }))))(
    "$kind: $what, and nothing is sent after that",
    async ({ kind, trigger }) => {
      const world = createFakeWorld({ kind });
      await world.tell(write("a"));
      await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
      const look = Promise.withResolvers<void>();
      world.workspace.slow = look.promise;
      const settling = world.settle({ turn: "t1" });
      await world.clock.settle();
      const told = world.tell(trigger);
      await world.clock.settle();
      look.resolve();
      await told;
      await world.clock.advance(MINUTE);
      expect([settling.now?.type, nudgesOf(world), world.host.nudges]).toEqual(["settled", 0, []]);
      expect([world.types.includes("turn.ended"), world.run.ledger.boundary]).toEqual([true, undefined]);
    },
  );
});

describe("an error of ours never traps the host", () => {
  test("files that cannot be read are no state, and counted", async () => {
    const world = createFakeWorld();
    await world.tell(write("a"));
    await world.clock.settle();
    world.workspace.breaks = "too many files";
    expect(await world.settle().promise).toMatchObject({ type: "nudge" });
    expect(world.run.ledger.errors).toBe(1);
  });

  test("a log that cannot be written when a timer fires is shown and tried again", async () => {
    const world = createFakeWorld({ kind: "idle", ...COUNTDOWN });
    await world.tell(write("a"));
    world.settle();
    await world.clock.settle();
    const { transact } = world.store.log;
    world.store.log.transact = () => {
      throw new Error("database is locked");
    };
    await world.clock.advance(3_000);
    expect(world.host.notices).toEqual([
      { type: "text", text: "tildone could not record what happened: database is locked" },
    ]);
    world.store.log.transact = transact;
    await world.clock.advance(5_000);
    expect(nudgesOf(world)).toBe(1);
  });

  test("what became of a nudge is recorded as soon as the log can be written again", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    const { transact } = world.store.log;
    world.host.nudge = async () => {
      world.store.log.transact = () => {
        throw new Error("database is locked");
      };
      throw new Error("not now");
    };
    world.settle();
    await world.clock.settle();
    expect([world.types.at(-1), world.host.notices.length]).toEqual(["nudge.intended", 1]);
    world.store.log.transact = transact;
    await world.clock.advance(5_000);
    expect(world.said).toBe("wait host_failed");
  });

  test("a host that holds the boundary gets its nudge, also when that cannot be recorded", async () => {
    const world = createFakeWorld({ kind: "terminal", ...COUNTDOWN });
    await world.tell(write("a"));
    const settling = world.settle();
    await world.clock.settle();
    const { transact } = world.store.log;
    world.store.log.transact = (...given) => {
      world.store.log.transact = () => {
        throw new Error("database is locked");
      };
      return transact(...given);
    };
    await world.clock.advance(3_000);
    expect([settling.now?.type, world.types.at(-1)]).toEqual(["nudge", "nudge.intended"]);
    world.store.log.transact = transact;
    await world.clock.advance(5_000);
    expect(world.types.at(-1)).toBe("nudge.delivered");
  });
});

describe("a clock that is set back", () => {
  const HOUR = 60 * MINUTE;

  test("leaves a countdown as long as it is", async () => {
    const world = createFakeWorld({ kind: "idle", ...COUNTDOWN });
    await world.tell(write("a"));
    world.settle();
    await world.clock.advance(1_000);
    world.clock.stepBack(HOUR);
    await world.clock.advance(1_999);
    expect(nudgesOf(world)).toBe(0);
    await world.clock.advance(1);
    expect(nudgesOf(world)).toBe(1);
  });

  test("makes the gap between two nudges no longer than one gap", async () => {
    const world = createFakeWorld({ kind: "idle", limits: { minimumGapMs: 20_000 } });
    await world.tell(write("a"));
    world.settle();
    await world.clock.settle();
    await world.tell({ type: "turn.started", turn: "t2", cause: "nudge" });
    world.clock.stepBack(HOUR);
    world.settle({ turn: "t2" });
    await world.clock.advance(20_000);
    expect(nudgesOf(world)).toBe(2);
  });

  test("lets what failed be tried again when the backoff is over, or sooner", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    world.settle({ outcome: "failed", failure: { kind: "overload", message: "529" } });
    await world.clock.settle();
    expect(world.said).toBe("wait backoff");
    world.clock.stepBack(HOUR);
    await world.clock.advance(5_000);
    expect(nudgesOf(world)).toBe(1);
  });

  test("lets words that the host did not take be sent again", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    await world.tell({ type: "words.queue", words: { id: "w1", text: "One", kind: "steer" } });
    world.host.refuses = "busy";
    world.settle();
    await world.clock.settle();
    world.clock.stepBack(HOUR);
    await world.clock.advance(5_000);
    expect(world.host.delivered.map(({ id }) => id)).toEqual(["w1"]);
  });
});

test("what became of a nudge is told to the run that sent it, not to the next one in the session", async () => {
  const world = createFakeWorld({ kind: "idle" });
  const sending = Promise.withResolvers<void>();
  world.host.nudge = () => sending.promise;
  await world.tell(write("a"));
  world.settle();
  await world.clock.settle();
  expect(world.run.ledger.nudge).toMatchObject({ id: "b1", status: "intended" });
  await world.tell({ type: "human.clear" });
  await world.tell(write("b"));
  world.host.nudge = () => new Promise(() => {});
  world.settle();
  await world.clock.settle();
  sending.resolve();
  await world.clock.settle();
  expect([world.run.id, world.run.ledger.nudge]).toMatchObject(["run-2", { id: "b1", status: "intended" }]);
});

describe("what is in the log is carried out", () => {
  test("also when its fold cannot be kept", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    world.store.log.saveSnapshot = () => {
      throw new Error("disk full");
    };
    await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
    for (let call = 0; call < 300; call++) await world.tell({ type: "call.seen", digest: `c${call}`, turn: "t1" });
    world.settle({ turn: "t1" });
    await world.clock.settle();
    expect(world.host.nudges.length).toBe(1);
  });

  test("also when a listener throws, or there is nothing to show it on", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.tell(write("a"));
    world.engine.watch(() => {
      throw new Error("the widget is gone");
    });
    world.host.show = () => {
      throw new Error("the screen is gone");
    };
    world.settle();
    await world.clock.settle();
    expect(world.host.nudges.length).toBe(1);
  });
});
