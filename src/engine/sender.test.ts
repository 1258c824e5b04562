import { beforeEach, expect, test } from "vitest";
import type { HostFact } from "../core/react/index.ts";
import { createFakeWorld, type FakeWorld } from "../testing/index.ts";
import type { Host } from "./index.ts";

type Answer = Awaited<ReturnType<NonNullable<Host["recheck"]>>>;

const COUNTDOWN = 2_000;
const ready = (...facts: readonly HostFact[]): Answer => ({ status: "ready", facts });
const BUSY: Answer = { status: "busy" };
const words = (id: string) => ({ type: "words.queue", words: { id, text: "Use tabs", kind: "steer" } }) as const;

let asked: number;
let stands: () => Promise<Answer>;
let world: FakeWorld;

/** A server whose agent stopped with an open todo; it says how the session stands when it is asked. */
beforeEach(async () => {
  asked = 0;
  stands = async () => ready();
  world = createFakeWorld({
    kind: "idle",
    limits: { countdownMs: COUNTDOWN },
    stands: () => {
      asked++;
      return stands();
    },
  });
  await world.tell({ type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
  world.settle({ turn: "t1" });
  await world.clock.advance(0);
});

const nudges = () => world.host.nudges.map(({ id }) => id);

test("the host is asked once, when the countdown is over", async () => {
  await world.clock.advance(COUNTDOWN - 1);
  expect([asked, nudges()]).toEqual([0, []]);
  await world.clock.advance(1);
  expect([asked, nudges(), world.types.slice(-2)]).toEqual([1, ["b1"], ["nudge.intended", "nudge.delivered"]]);
});

test("a busy session is asked again until it is not", async () => {
  stands = async () => BUSY;
  await world.clock.advance(COUNTDOWN);
  expect([nudges(), world.said, world.types.slice(-2)]).toEqual([
    [],
    "wait busy",
    ["nudge.withdrawn", "decision.made"],
  ]);
  await world.clock.advance(5_000 + COUNTDOWN);
  expect([asked, nudges()]).toEqual([2, []]);
  stands = async () => ready();
  await world.clock.advance(10_000 + COUNTDOWN);
  expect([asked, nudges()]).toEqual([3, ["b1"]]);
});

test("what changed keeps the nudge back", async () => {
  stands = async () => ready({ type: "mode.changed", readOnly: true });
  await world.clock.advance(60_000);
  expect([nudges(), world.said]).toEqual([[], "stop read_only"]);
});

test.each<[string, () => Promise<Answer>]>([
  ["fails", () => Promise.reject(new Error("no connection"))],
  ["keeps silent", () => new Promise(() => {})],
])("a host that %s is asked again", async (_how, answer) => {
  stands = answer;
  await world.clock.advance(COUNTDOWN + 30_000);
  expect([nudges(), world.types.includes("nudge.failed")]).toEqual([[], true]);
  stands = async () => ready();
  await world.clock.advance(60_000);
  expect(nudges()).toHaveLength(1);
});

test("an answer that comes after your hold sends nothing, and your unhold asks anew", async () => {
  const late = Promise.withResolvers<Answer>();
  stands = () => late.promise;
  await world.clock.advance(COUNTDOWN);
  await world.tell({ type: "human.hold", now: false });
  late.resolve(ready());
  await world.clock.advance(60_000);
  expect([nudges(), world.said]).toEqual([[], "stop held"]);
  stands = async () => ready();
  await world.tell({ type: "human.unhold" });
  await world.clock.advance(COUNTDOWN);
  expect(nudges()).toHaveLength(1);
});

test("a wait that begins while the host is asked has its own end", async () => {
  stands = () => new Promise(() => {});
  await world.clock.advance(COUNTDOWN);
  await world.tell({ type: "compaction.began" });
  stands = async () => ready();
  await world.clock.advance(120_000 + COUNTDOWN);
  expect(nudges()).toHaveLength(1);
});

test("words leave after the host was asked", async () => {
  await world.tell(words("w1"));
  await world.clock.advance(0);
  expect([asked, world.host.delivered.map(({ id }) => id)]).toEqual([1, ["w1"]]);
});

test("words for a busy session wait, and leave once when it is idle", async () => {
  stands = async () => BUSY;
  await world.tell(words("w1"));
  await world.clock.advance(0);
  expect([world.host.delivered, world.types.at(-2)]).toEqual([[], "words.failed"]);
  stands = async () => ready();
  await world.clock.advance(60_000);
  expect(world.host.delivered.map(({ id }) => id)).toEqual(["w1"]);
});

test("words for a session that you interrupted meanwhile stay queued", async () => {
  stands = async () => ready({ type: "human.interrupt", how: "abort" });
  await world.tell(words("w1"));
  await world.clock.advance(600_000);
  expect([world.host.delivered, world.said, world.run.ledger.words.length]).toEqual([[], "stop interrupted", 1]);
});

test("what the host said is old when it had to wait behind a look: it is asked again", async () => {
  const look = Promise.withResolvers<void>();
  world.workspace.slow = look.promise;
  void world.settle({ turn: "t1" }); // told twice
  await world.clock.advance(COUNTDOWN);
  expect([asked, nudges()]).toEqual([1, []]);
  stands = async () => BUSY;
  look.resolve();
  await world.clock.advance(0);
  expect([asked, nudges(), world.said]).toEqual([2, [], "wait busy"]);
});
