import { describe, expect, test } from "vitest";
import type { CallEvent } from "../core/call/index.ts";
import type { Trigger } from "../core/react/index.ts";
import { createFakeWorld } from "../testing/index.ts";
import type { CheckpointRequest, CheckpointResult } from "./ports.ts";

const write: Trigger = { type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" };
const answered = (outcome: "once" | "denied"): Trigger => {
  const approval = { call: "1", tool: "bash", what: "make", because: "it asks", askedAt: 1, endsAt: 2 };
  const events: readonly CallEvent[] = [
    { type: "approval.requested", approval },
    { type: "approval.answered", call: "1", outcome, words: "" },
  ];
  return { type: "calls.journal", events };
};

/** A store of checkpoints that answers when it is let. */
function aWorld(briefMs?: number) {
  const asked: CheckpointRequest[] = [];
  let lets = Promise.resolve();
  const take = async (request: CheckpointRequest): Promise<CheckpointResult> => {
    asked.push(request);
    await lets;
    const changed = { files: 0, added: 0, removed: 0 };
    return { status: "taken", checkpoint: { id: request.id, tree: `tree:${request.id}`, facts: "f", changed, ms: 1 } };
  };
  const world = createFakeWorld({ checkpoints: { take, ...(briefMs !== undefined && { briefMs }) } });
  const moments = () =>
    world.store.log
      .read(world.run.id, 0)
      .events.flatMap(({ event }) => (event.type === "checkpoint.taken" ? [event.moment] : []));
  return { world, asked, moments, holdBack: (until: Promise<void>) => (lets = until) };
}

test("a call that you approved waits until the files are recorded", async () => {
  const { world, moments, holdBack } = aWorld();
  await world.tell(write);
  await world.tell(answered("denied"));
  expect(moments()).toEqual(["list"]);
  const recorded = Promise.withResolvers<void>();
  holdBack(recorded.promise);
  let runs = false;
  const telling = world.tell(answered("once")).then(() => {
    runs = true;
  });
  await world.clock.settle();
  expect(runs).toBe(false);
  recorded.resolve();
  await telling;
  expect(moments()).toEqual(["list", "call"]);
});

test("a call does not wait for a checkpoint that takes long", async () => {
  const { world, moments, holdBack } = aWorld();
  await world.tell(write);
  const recorded = Promise.withResolvers<void>();
  holdBack(recorded.promise);
  const telling = world.tell(answered("once"));
  await world.clock.settle();
  await world.clock.advance(3_000);
  await telling;
  expect(moments()).toEqual(["list"]);
  recorded.resolve();
  await world.clock.settle();
  expect(moments()).toEqual(["list", "call"]);
});

describe("a process that ends with its answer", () => {
  const untaken = (world: ReturnType<typeof aWorld>["world"]) =>
    world.store.log
      .read(world.run.id, 0)
      .events.flatMap(({ event }) => (event.type === "checkpoints.unavailable" ? [event.why] : []));

  test("waits once for a checkpoint that takes long, and the next one does not begin it again", async () => {
    const { world, asked, moments, holdBack } = aWorld(3_000);
    holdBack(new Promise(() => {}));
    const telling = world.tell(write);
    await world.clock.settle();
    await world.clock.advance(3_000);
    await telling;
    await world.tell({ type: "todos.edit", edit: { action: "start", indices: [0] }, by: "model" });
    expect(untaken(world)).toEqual(["recording the files takes longer than a hook may wait"]);
    expect([moments(), asked.length]).toEqual([[], 1]);
    const next = world.another();
    await next.tell({ type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" });
    expect(asked).toHaveLength(1);
  });
});
