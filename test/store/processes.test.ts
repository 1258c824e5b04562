import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Envelope } from "../../src/core/run/index.ts";
import { openStore } from "../../src/store/index.ts";
import { createWriters, type Runtime } from "./writers.ts";

/** Seconds, on a machine that does nothing else. */
const AT_MOST = 120_000;

test.each<[string, readonly Runtime[], number]>([
  ["8 processes of Node", Array<Runtime>(8).fill("node"), 500],
  ["2 processes of Node and 2 of Bun", ["node", "bun", "node", "bun"], 200],
])(
  "%s append to one run at once: none lost, none doubled, order per process kept",
  async (_who, runtimes, count) => {
    await using writers = await createWriters();
    const started = runtimes.map((runtime, index) => writers.start(runtime, `writer-${index}`, count));
    const ends = await Promise.all(started.map(({ ended }) => ended));
    expect(ends).toEqual(started.map(() => ({ code: 0, errors: "" })));

    const events = await readAll(writers.path);
    expect(events.map(({ seq }) => seq)).toEqual(upTo(runtimes.length * count));
    expect(byWriter(events)).toEqual(Object.fromEntries(started.map(({ name }) => [name, upTo(count)])));
  },
  AT_MOST,
);

test(
  "200 kills during appends: no acknowledged event is lost, and the store opens every time",
  async () => {
    await using writers = await createWriters();
    const random = randomFrom(20_260_731);
    const kept: Record<string, number> = {};
    const acknowledged: Record<string, number> = {};
    for (let round = 0; round < 25; round++) {
      const lives = upTo(8).map((index) => liveAndDie(`writer-${round}-${index}`, 1 + Math.floor(random() * 25)));
      await Promise.all(lives);
    }

    for (const [writer, numbers] of Object.entries(byWriter(await readAll(writers.path)))) {
      expect(numbers, `${writer} without gaps`).toEqual(upTo(numbers.length));
      kept[writer] = numbers.length;
    }
    const lost = Object.entries(acknowledged).filter(([writer, number]) => (kept[writer] ?? 0) < number);
    expect(lost).toEqual([]);
    expect(Object.keys(acknowledged)).toHaveLength(200);
    expect(integrityOf(writers.path)).toBe("ok");

    /** Killed as soon as so many events are acknowledged: while it appends the next one, and others theirs. */
    async function liveAndDie(name: string, events: number): Promise<void> {
      const writer = writers.start("node", name, 100_000, (number) => number >= events && writer.kill());
      const { code, errors } = await writer.ended;
      expect([code, errors]).toEqual([null, ""]);
      acknowledged[name] = writer.acknowledged;
      const store = await openStore({ path: writers.path });
      expect(store.log.last("run")).toBeGreaterThanOrEqual(writer.acknowledged);
      store.close();
    }
  },
  AT_MOST,
);

async function readAll(path: string): Promise<readonly Envelope[]> {
  const store = await openStore({ path });
  const { events, unread } = store.log.read("run", 0);
  store.close();
  expect(unread).toEqual([]);
  return events;
}

function byWriter(events: readonly Envelope[]): Record<string, number[]> {
  const numbers: Record<string, number[]> = {};
  for (const { event } of events) {
    if (event.type !== "nudge.withdrawn") continue;
    numbers[event.nudge] ??= [];
    numbers[event.nudge]!.push(Number(event.why));
  }
  return numbers;
}

function integrityOf(path: string): unknown {
  const database = new DatabaseSync(path);
  const answer = database.prepare("PRAGMA integrity_check").get()?.integrity_check;
  database.close();
  return answer;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The same numbers in every run of the test. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
