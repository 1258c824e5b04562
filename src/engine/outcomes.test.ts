import { expect, test } from "vitest";
import type { Trigger } from "../core/react/index.ts";
import { createFakeWorld } from "../testing/index.ts";

/** A host that waits at its boundary, where a nudge or words are about to leave. */
async function leaving(what: "nudge" | "words") {
  const world = createFakeWorld({ kind: "terminal", limits: { countdownMs: 0 } });
  Object.assign(world.store.log, { barrier: () => new Promise(() => {}) });
  await world.tell({ type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
  if (what === "words") await world.tell({ type: "words.queue", words: { id: "w", text: "Use tabs", kind: "steer" } });
  void world.settle({ turn: "t1" });
  await world.clock.advance(0);
  return world;
}

const ROWS: readonly (readonly ["nudge" | "words", Trigger, string])[] = [
  ["nudge", { type: "nudge.delivered", nudge: "b1" }, "nudge.delivered"],
  ["nudge", { type: "nudge.failed", nudge: "b1", message: "full" }, "nudge.failed"],
  ["nudge", { type: "nudge.withdraw", nudge: "b1", why: "you interrupted" }, "nudge.withdrawn"],
  ["words", { type: "words.delivered", ids: ["w"] }, "words.delivered"],
  ["words", { type: "words.failed", ids: ["w"], message: "full" }, "words.failed"],
];

test.each(ROWS)(
  "what became of a %s that a host tells is written down when the disk works again: %o",
  async (...row) => {
    const [what, outcome, written] = row;
    const world = await leaving(what);
    const { transact } = world.store.log;
    Object.assign(world.store.log, {
      transact: () => {
        throw new Error("disk full");
      },
    });
    await world.tell(outcome);
    Object.assign(world.store.log, { transact });
    expect(world.types).not.toContain(written);
    await world.clock.advance(5_000);
    expect(world.types).toContain(written);
  },
);
