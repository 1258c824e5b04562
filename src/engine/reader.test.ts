import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { NewEvent } from "../core/run/index.ts";
import { memoryStore, openStore } from "../store/index.ts";
import { history } from "../testing/index.ts";
import { createReader, type Drivers, type Store } from "./index.ts";

const NOBODY: Drivers = { of: () => [], note: () => () => {} } as unknown as Drivers;
const ORIGIN = { host: "a-host", session: "s", cwd: "/p" };

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe.each(["memory", "sqlite"])("a reader of a %s store", (kind) => {
  let store: Store;
  const folder = mkdtempSync(join(tmpdir(), "tildone-reader-"));
  beforeEach(async () => {
    store = kind === "memory" ? memoryStore() : await openStore({ path: join(folder, `${crypto.randomUUID()}.db`) });
    const append = history()
      .writes("one", "two")
      .envelopes.map(({ seq: _, ...rest }) => rest) as readonly NewEvent[];
    const card = { run: "run-1", ...ORIGIN, live: true, began: 1, updated: 5, summary: {} };
    store.log.transact("run-1", 0, () => ({ append, value: 0, card, bind: ORIGIN }));
  });
  afterEach(() => store.close());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const reader = () =>
    createReader(
      store,
      NOBODY,
      () => 9,
      () => ({ endsNoTurn: true }),
    );

  test("gives cards, a view with what is known besides the log, and the log", async () => {
    expect((await reader().cards()).map(({ run }) => run)).toEqual(["run-1"]);
    const { view, seen, run } = (await reader().read("run-1"))!;
    expect(seen).toEqual({ now: 9, heardAt: 5, isGone: false, endsNoTurn: true });
    expect([run.plan.todos.length, view.count.text, view.state.word]).toEqual([2, "0/2 done", "working"]);
    const rows = await all(reader().entries("run-1"));
    expect(rows.length).toBe(store.log.last("run-1"));
    expect(await all(reader().entries("run-1", rows.length))).toEqual([]);
  });

  test("tells a report that grows with the log, reading each event once", async () => {
    const own = reader();
    expect((await own.report("run-1"))?.total).toBe(2);
    expect(await own.report("run-2")).toBeUndefined();
    const last = store.log.last("run-1");
    const held: NewEvent = { at: 6, by: "human", v: 1, event: { type: "human.held", now: false } };
    store.log.transact("run-1", last, () => ({ append: [held], value: 0 }));
    const reads: number[] = [];
    const spied = {
      ...store,
      log: {
        ...store.log,
        read: (...of: Parameters<Store["log"]["read"]>) => {
          reads.push(of[1]);
          return store.log.read(...of);
        },
      },
    };
    const other = createReader(
      spied,
      NOBODY,
      () => 9,
      () => ({}),
    );
    const first = await other.report("run-1");
    expect(first?.events.at(-1)?.type).toBe("human.held");
    reads.length = 0;
    expect(await other.report("run-1")).toEqual(first);
    expect(reads.every((after) => after === last + 1)).toBe(true);
    store.runs.remove("run-1");
    expect(await other.report("run-1")).toBeUndefined();
  });

  test("knows no run of another name, and writes nothing", async () => {
    const before = store.log.last("run-1");
    expect(await reader().read("run-2")).toBeUndefined();
    expect(await all(reader().entries("run-2"))).toEqual([]);
    expect(store.log.last("run-1")).toBe(before);
  });
});
