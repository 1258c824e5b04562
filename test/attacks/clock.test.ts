import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Trigger } from "../../src/core/react/index.ts";
import { openRun } from "../../src/engine/index.ts";
import { openStore } from "../../src/store/index.ts";
import { createFakeWorld, type FakeWorld, startScriptedModel } from "../../src/testing/index.ts";
import fc from "../builders/properties.ts";
import { aPlace } from "../e2e/agent/tildone.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Step =
  | { readonly do: "pass"; readonly ms: number }
  /** The time of day is set, or the machine sleeps. */
  | { readonly do: "move"; readonly ms: number }
  | {
      readonly do: "turn" | "call" | "same" | "end" | "fail" | "speak" | "ask" | "background" | "compact" | "takeover";
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      ms: fc.integer({ min: 1, max: 1200 }).map((halves) => halves * 500),
    }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      // Far from what counts as a correction, also in sum.
      ms: fc
        .oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: -1000, max: -1 }))
        .map((tens) => tens * 10 * SECOND),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom<Exclude<Step, { ms: number }>["do"]>(
        "turn",
        "call",
        "same",
        "end",
        "fail",
        "speak",
        "ask",
        "background",
        "compact",
        "takeover",
      ),
    }),
    weight: 8,
  },
);

/** What a run comes to, in everything that does not depend on what o'clock it is. */
async function live(kind: "idle" | "terminal" | "print", steps: readonly Step[], isMoved: boolean) {
  const given = {
    kind,
    limits: { countdownMs: 3 * SECOND, minimumGapMs: 20 * SECOND },
    birth: { budget: { minutes: 60 } },
  };
  let world: FakeWorld = createFakeWorld(given);
  await world.clock.advance(100 * HOUR);
  await world.tell({ type: "todos.write", by: "model", write: { mode: "replace", todos: [{ text: "a" }] } } as Trigger);
  let turn = 0;
  let drivers = 0;
  for (const each of steps) await take(each);
  const { spent, turn: running, boundary, decision, failures } = world.run.ledger;
  return {
    types: world.types.filter((type) => type !== "clock.moved"),
    spent: Math.round(spent.activeMs),
    braked: running?.braked?.reason,
    status: boundary?.status,
    decision: decision && { ...decision, until: undefined },
    failures,
  };

  async function take(each: Step): Promise<void> {
    switch (each.do) {
      case "pass":
        return world.clock.advance(each.ms);
      case "move":
        if (!isMoved) return;
        if (each.ms > 0) await world.clock.jump(each.ms);
        else world.clock.stepBack(-each.ms);
        return;
      case "turn":
        await world.tell({ type: "turn.started", turn: `t${++turn}`, cause: "human" });
        break;
      case "speak":
        await world.tell({ type: "human.spoke" });
        break;
      case "call":
        await world.tell({ type: "call.seen", digest: `c${world.types.length}` });
        break;
      case "same":
        await world.tell({ type: "call.seen", digest: "again" });
        break;
      case "ask":
        await world.tell({
          type: world.run.ledger.questions.length > 0 ? "question.closed" : "question.opened",
          id: "q",
        });
        break;
      case "background":
        await world.tell({ type: "background.changed", agents: 1, awaited: 0 });
        break;
      case "compact":
        await world.tell({ type: "compaction.began" });
        break;
      case "end":
      case "fail":
        if (!world.run.ledger.turn) await world.tell({ type: "turn.started", turn: `t${++turn}`, cause: "nudge" });
        world.settle(each.do === "end" ? {} : { outcome: "failed", failure: { kind: "overload", message: "529" } });
        break;
      case "takeover":
        world.engine.dispose();
        world = world.another({ ...given, driver: `d${++drivers}` });
        world.engine.open("s", { goOn: true });
    }
    await world.clock.settle();
  }
}

describe("the time of day is set, or the machine sleeps", () => {
  test.each(["idle", "terminal", "print"] as const)(
    "and a run on a host of the kind %s comes to the same",
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
          expect(await live(kind, steps, true)).toEqual(await live(kind, steps, false));
        }),
        { seed: 17, numRuns: 80 },
      );
    },
    180_000,
  );

  test("a reset that the provider named is a time of day", async () => {
    const world = createFakeWorld({ kind: "idle" });
    await world.clock.advance(100 * HOUR);
    await world.tell({
      type: "todos.write",
      by: "model",
      write: { mode: "replace", todos: [{ text: "a" }] },
    } as Trigger);
    const resetAt = world.clock.now() + 5 * HOUR;
    world.settle({ outcome: "failed", failure: { kind: "rate_limit", message: "429", resetAt } });
    await world.clock.settle();
    await world.clock.jump(6 * HOUR); // slept through
    await world.clock.advance(10 * MINUTE);
    expect(world.types).toContain("nudge.intended");
  });
});

/** `tildone run` in a process whose time of day is what a file says. */
async function timed(act: (set: (ms: number) => void) => Parameters<typeof startScriptedModel>[0], ...flags: string[]) {
  await using place = aPlace();
  const file = join(dirname(place.project), "off-by");
  const set = (ms: number) => writeFileSync(file, String(ms));
  set(0);
  Object.assign(place.env, {
    CLOCK_OFF_BY: file,
    NODE_OPTIONS: `--import ${resolve("test/attacks/shifted-clock.mjs")}`,
  });
  mkdirSync(place.env.TILDONE_HOME, { recursive: true });
  writeFileSync(join(place.env.TILDONE_HOME, "config.yaml"), "continuation: { minimumGap: 4s }\n");
  const provider = await startScriptedModel(act(set));
  const began = performance.now();
  const { code, out, err } = await place.tildone(
    ...["run", "go", "--base-url", `${provider.url}/v1`, "--model", "scripted", ...flags],
  );
  await provider.close();
  expect(err).toBe("");
  const store = await openStore({ path: place.database });
  const { run: id } = store.runs.list()[0]!;
  const log = store.log.read(id, 0).events;
  const { run } = openRun(store.log, id);
  store.close();
  return { code, out, log, run, tookMs: performance.now() - began };
}

const LIST = { calls: [["write_todos", { mode: "replace", todos: [{ text: "a" }] }]] } as const;
const DONE = { calls: [["edit_todos", { action: "complete", indices: [0] }]] } as const;

describe("in a real process", () => {
  test("set back an hour, the gap between two nudges is as long as it is", async () => {
    const { log, run, tookMs } = await timed((set) => (_request, count) => {
      if (count === 3) setTimeout(() => set(-HOUR), 1_000);
      return count === 1 ? LIST : count < 4 ? { text: "Later." } : count === 4 ? DONE : { text: "done" };
    });
    expect(log.filter(({ event }) => event.type === "nudge.delivered")).toHaveLength(2);
    expect(log.filter(({ event }) => event.type === "clock.moved")).toHaveLength(1);
    expect(run.ledger.decision?.type).toBe("stop");
    expect(tookMs).toBeLessThan(40_000);
  });

  test("set forward an hour, it spends no minutes and ends no silence", async () => {
    const { log, run } = await timed(
      (set) => (_request, count) => {
        if (count === 2) set(HOUR);
        return count === 1
          ? LIST
          : count === 2
            ? { calls: [["bash", { command: "echo 1" }]] }
            : count === 3
              ? DONE
              : { text: "done" };
      },
      ...["--max-minutes", "30", "--approval", "yolo"],
    );
    expect(log.filter(({ event }) => event.type === "turn.braked")).toEqual([]);
    expect(run.status).toBe("ended");
    expect(run.ledger.spent.activeMs).toBeLessThan(10 * MINUTE);
  });
});
