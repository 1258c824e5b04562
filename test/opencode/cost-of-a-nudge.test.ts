// What one nudge costs, counted on the real engine: decisions, texts and writes to the log.
import { beforeEach, expect, test, vi } from "vitest";
import type * as Decide from "../../src/core/continuation/decide.ts";
import type * as Nudge from "../../src/core/words/nudge.ts";
import type { Store } from "../../src/engine/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { createFakeWorld } from "../../src/testing/index.ts";
import { openFakeOpenCode } from "./fake-opencode.ts";

const cost = vi.hoisted(() => ({ decisions: 0, texts: 0, writes: 0 }));
beforeEach(() => void Object.assign(cost, { decisions: 0, texts: 0, writes: 0 }));

vi.mock("../../src/core/continuation/decide.ts", async (original) => {
  const real = await original<typeof Decide>();
  const decide: typeof real.decide = (...given) => {
    cost.decisions++;
    return real.decide(...given);
  };
  return { ...real, decide };
});
vi.mock("../../src/core/words/nudge.ts", async (original) => {
  const real = await original<typeof Nudge>();
  const nudgeText: typeof real.nudgeText = (...given) => {
    cost.texts++;
    return real.nudgeText(...given);
  };
  return { ...real, nudgeText };
});

/** From here on writes count. */
function counted(store: Store): Store {
  const { log } = store;
  const { transact } = log;
  return Object.assign(store, {
    log: Object.assign(log, {
      transact: (...given: Parameters<typeof transact>) => {
        cost.writes++;
        return transact.apply(log, given);
      },
    }),
  });
}

test("OpenCode: two decisions, one text, at most five writes", async () => {
  const fake = await openFakeOpenCode({ store: counted(memoryStore()) });
  try {
    await fake.human("go");
    await fake.list("completed", "pending");
    Object.assign(cost, { decisions: 0, texts: 0, writes: 0 });
    await fake.status("idle");
    await fake.wait(2_000);
    expect(fake.prompts).toHaveLength(1);
    expect(cost).toEqual({ decisions: 2, texts: 1, writes: 3 });
    await fake.prompted(fake.prompts[0]!.body.parts);
    expect(cost).toEqual({ decisions: 2, texts: 1, writes: 5 }); // that its turn began, and with which files
  } finally {
    await fake.close();
  }
});

test.each([
  ["terminal", { decisions: 2, texts: 1, writes: 3 }],
  ["hook", { decisions: 1, texts: 1, writes: 1 }],
] as const)("a host of the kind %s, which is answered at its boundary", async (kind, most) => {
  const world = createFakeWorld({ kind, limits: { countdownMs: kind === "hook" ? 0 : 2_000 } });
  counted(world.store);
  await world.tell({ type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
  Object.assign(cost, { decisions: 0, texts: 0, writes: 0 });
  const settling = world.settle({ turn: "t1" });
  await world.clock.advance(2_000);
  expect((await settling.promise).type).toBe("nudge");
  expect(cost).toEqual(most);
});
