import { expect, test } from "vitest";
import type { Trigger } from "../core/react/index.ts";
import { createFakeWorld, type FakeWorld } from "../testing/index.ts";
import { speak } from "./index.ts";

const LIST: Trigger = { type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" };
const attach = (world: FakeWorld, session: string) =>
  speak(world.store.log, "run-1", { type: "run.bind", host: "fake", session }, world.clock.now());
const parkedFor = (world: FakeWorld): readonly unknown[] =>
  world.store.log
    .read("run-1", 0)
    .events.flatMap(({ event }) => (event.type === "wait.parked" && "waker" in event ? [event.waker] : []));

test("a countdown does not go along: it is parked for the session that the run was attached to, which takes it up", async () => {
  const world = createFakeWorld({ kind: "idle", limits: { countdownMs: 3_000 } });
  await world.tell(LIST);
  world.settle();
  await world.clock.advance(1_000);
  attach(world, "there");
  await world.clock.advance(60_000);
  expect([world.host.nudges, parkedFor(world)]).toEqual([
    [],
    ["the next event of the session it was attached to (there, fake)"],
  ]);

  const there = world.another({ session: "there", driver: "two" });
  there.engine.open("there", { goOn: true });
  await world.clock.advance(3_000);
  expect(there.host.nudges.map(({ boundary }) => boundary)).toEqual(["b1"]);
});

test("a turn of the session that the run has left is cut off, and what happens there is not the run's any more", async () => {
  const world = createFakeWorld({ kind: "idle" });
  await world.tell(LIST);
  await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
  await world.clock.settle();
  attach(world, "there");
  const before = world.store.log.last("run-1");
  expect(await world.tell({ type: "mode.changed", readOnly: true })).toEqual({ type: "ignored", why: "not_owner" });
  expect(await world.tell({ type: "human.hold", now: false })).toEqual({ type: "ignored", why: "no_run" });
  await world.settle({ turn: "t1" }).promise;
  expect([world.store.log.last("run-1"), world.host.nudges]).toEqual([before, []]);
  expect(world.another({ session: "there" }).run.ledger).toMatchObject({ boundary: { id: "b1", status: "parked" } });
});

test("a nudge on its way is taken back, so that the new session can send it", async () => {
  const world = createFakeWorld({ kind: "idle" });
  await world.tell(LIST);
  world.host.nudge = () => new Promise(() => {});
  world.settle();
  await world.clock.settle();
  expect(world.run.ledger.nudge?.status).toBe("intended");
  attach(world, "there");
  await world.clock.settle();
  const there = world.another({ session: "there", driver: "two" });
  there.engine.open("there", { goOn: true });
  await world.clock.settle();
  expect([world.host.nudges, there.host.nudges.map(({ boundary }) => boundary)]).toEqual([[], ["b1"]]);
});

test("a boundary that came of attaching is decided like any other, and keeps the minimum gap", async () => {
  const world = createFakeWorld({ kind: "idle", limits: { minimumGapMs: 20_000 } });
  await world.tell(LIST);
  world.settle();
  await world.clock.settle();
  await world.tell({ type: "turn.started", turn: "t2", cause: "nudge" });
  attach(world, "there");
  attach(world, "s");
  await world.clock.advance(19_000);
  expect(world.host.nudges.map(({ boundary }) => boundary)).toEqual(["b1"]);
  await world.clock.advance(2_000);
  expect(world.host.nudges.map(({ boundary }) => boundary)).toEqual(["b1", "b2"]);
});

test("attaching a run to the session it has changes nothing", async () => {
  const world = createFakeWorld({ kind: "idle", limits: { countdownMs: 3_000 } });
  await world.tell(LIST);
  world.settle();
  attach(world, "s");
  await world.clock.advance(4_000);
  expect([world.host.nudges.length, parkedFor(world)]).toEqual([1, []]);
});
