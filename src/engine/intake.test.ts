import { expect, test } from "vitest";
import type { Trigger } from "../core/react/index.ts";
import { createFakeWorld, type FakeWorld, type HostKind } from "../testing/index.ts";
import type { Checkpoints } from "./index.ts";
import { speak } from "./speak.ts";

const list = (text: string): Trigger => ({
  ...{ type: "todos.write", write: { mode: "replace", todos: [{ text }] }, by: "model" },
});
const began = (turn: string): Trigger => ({ type: "turn.started", turn, cause: "human" });
const KINDS = ["idle", "terminal", "print", "hook"] as const satisfies readonly HostKind[];

/** An agent that stopped, and a look at its files that takes long. */
async function looking(kind: HostKind) {
  const world = createFakeWorld({ kind });
  await world.tell(list("a"));
  await world.tell(began("t1"));
  const look = Promise.withResolvers<void>();
  world.workspace.slow = look.promise;
  const settling = world.settle({ turn: "t1" });
  await world.clock.advance(0);
  return { world, look, settling };
}

/** You clear the run, and another process begins the next one in the session. */
async function follow(world: FakeWorld): Promise<FakeWorld> {
  speak(world.store.log, world.run.id, { type: "human.clear" }, world.clock.now());
  const other = world.another({ driver: "two" });
  void other.tell(list("b"));
  await world.clock.advance(1_000); // a process that stays looks at the log meanwhile
  return other;
}

test.each(["idle", "terminal", "print"] as const)(
  "%s: a turn does not wait for the end that it overtook",
  async (kind) => {
    const { world, settling } = await looking(kind);
    void world.tell(began("t2"));
    await world.clock.advance(0);
    expect([world.run.ledger.turn?.id, settling.now?.type]).toEqual(["t2", "settled"]);
  },
);

test.each(KINDS)("%s: the end of a turn is not told to the run after its own", async (kind) => {
  const { world, look, settling } = await looking(kind);
  const other = await follow(world);
  const { types } = other;
  look.resolve();
  await world.clock.advance(10_000);
  expect([other.types, other.run.ledger.claim.driver, settling.now?.type]).toEqual([types, "two", "settled"]);
});

test.each(KINDS)("%s: nor is it by the turn that overtakes it", async (kind) => {
  const { world, settling } = await looking(kind);
  const other = await follow(world);
  void world.tell({ type: "human.spoke" });
  await world.clock.advance(0);
  expect([other.types.includes("turn.ended"), settling.now?.type]).toEqual([false, "settled"]);
});

test.each(["idle", "terminal", "print"] as const)(
  "%s: nor a turn from before the run that another process began",
  async (kind) => {
    const world = createFakeWorld({ kind });
    const look = Promise.withResolvers<void>();
    world.workspace.slow = look.promise;
    const told = [world.tell({ type: "workflow.step", action: "next", by: "model" }), world.tell(began("t1"))];
    const other = world.another({ driver: "two" });
    await other.tell(list("b"));
    const { types } = other;
    look.resolve();
    await world.clock.advance(0);
    expect([other.types, await Promise.all(told)]).toEqual([types, [NO_RUN, NO_RUN]]);
    await world.tell({ type: "turn.ended", turn: "t1", outcome: "completed" });
    expect(other.run.ledger.claim.driver).toBe("one");
  },
);

test("but what comes after the list that begins a run is told to that run", async () => {
  const world = createFakeWorld({ kind: "idle" });
  await world.tell(list("a"));
  const look = Promise.withResolvers<void>();
  world.workspace.slow = look.promise;
  void world.tell(began("t1"));
  await world.clock.advance(0);
  const told = [world.tell(list("b")), world.tell(began("t2"))];
  const settling = world.settle({ turn: "t2" });
  await world.tell({ type: "human.clear" });
  look.resolve();
  await world.clock.advance(0);
  expect((await Promise.all(told)).map(({ type }) => type)).toEqual(["done", "done"]);
  expect([world.run.plan.todos[0]?.text, world.types.includes("turn.ended"), settling.now?.type]).toEqual([
    ...["b", true],
    "settled",
  ]);
});

test("nor the beginning of a turn that a hook kept waiting for a checkpoint, nor what the agent did in it", async () => {
  const slow = Promise.withResolvers<void>();
  let taken = 0;
  const take: Checkpoints["take"] = async ({ id }) => {
    if (++taken > 1) await slow.promise;
    const checkpoint = { id, tree: id, facts: "f", changed: { files: 0, added: 0, removed: 0 }, ms: 1 };
    return { status: "taken", checkpoint };
  };
  const world = createFakeWorld({ kind: "hook", checkpoints: { take } });
  await world.tell(list("a"));
  const told = [world.tell(began("t1")), world.tell({ type: "question.opened", id: "q1" })];
  await world.clock.advance(0);
  const other = await follow(world);
  slow.resolve();
  await world.clock.advance(0);
  expect(await Promise.all(told)).toEqual([NO_RUN, NO_RUN]);
  expect(other.types).toContain("todos.written");
  for (const type of ["turn.started", "question.opened"]) expect(other.types).not.toContain(type);
});

const NO_RUN = { type: "ignored", why: "no_run" };
