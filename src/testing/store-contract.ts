import assert from "node:assert/strict";
import type { Envelope, NewEvent } from "../core/run/index.ts";
import type { RunCard, Store } from "../engine/index.ts";

/** What a store under test gives the suite. What it cannot do it answers with the reason. */
export interface StoreSubject {
  /** A store with nothing in it. */
  readonly store: Store;
  /** A second, independent way to the same data: what another process would open. */
  readonly second: (() => Promise<Store>) | { readonly cannot: string };
  /** Overwrites the text of an event behind the store's back. */
  readonly damage: ((run: string, seq: number, text: string) => void) | { readonly cannot: string };
}

/** One promise of a store, and how it is checked. */
export interface Clause {
  readonly name: string;
  /** Throws when the promise is broken. */
  check(subject: StoreSubject): void | Promise<void>;
}

/** Why a clause cannot be checked on this subject. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** What every store promises. An implementation is done when each clause passes on a fresh subject. */
export const STORE_CONTRACT: readonly Clause[] = [
  {
    name: "an unknown run is empty",
    check({ store: { log, runs } }) {
      assert.deepEqual(log.read("r", 0), { events: [], unread: [], last: 0 });
      assert.equal(log.last("r"), 0);
      assert.equal(log.loadSnapshot("r"), undefined);
      assert.equal(runs.get("r"), undefined);
      assert.equal(runs.find("pi", "s"), undefined);
      assert.deepEqual(runs.list(), []);
      assert.equal(runs.remove("r"), false);
    },
  },
  {
    name: "events are numbered from 1 within their run and read back as they were",
    check({ store: { log } }) {
      const appended = append(log, "r", 0, event("a", { text: 'quotes " and \u0000 and 🙂' }), event("b"));
      append(log, "other", 0, event("c"));
      assert.deepEqual(numbers(appended), [1, 2]);
      assert.deepEqual(log.read("r", 0), { events: appended, unread: [], last: 2 });
      assert.deepEqual(numbers(log.read("other", 0).events), [1]);
      assert.equal(log.last("r"), 2);
    },
  },
  {
    name: "what was appended may be acted on, also where there is nothing",
    async check({ store: { log } }) {
      append(log, "r", 0, event("a"));
      await log.barrier?.("r");
      await log.barrier?.("unknown");
    },
  },
  {
    name: "time keeps its fraction and its size",
    check({ store: { log } }) {
      append(log, "r", 0, { ...event("a"), at: 1_790_000_000_123.5 }, { ...event("b"), at: 0 });
      assert.deepEqual(
        log.read("r", 0).events.map(({ at }) => at),
        [1_790_000_000_123.5, 0],
      );
    },
  },
  {
    name: "reading begins after a position and ends at a limit",
    check({ store: { log } }) {
      append(log, "r", 0, ...["a", "b", "c", "d"].map((name) => event(name)));
      assert.deepEqual(numbers(log.read("r", 2).events), [3, 4]);
      const page = log.read("r", 1, 2);
      assert.deepEqual([numbers(page.events), page.last], [[2, 3], 3]);
      assert.deepEqual(log.read("r", 4), { events: [], unread: [], last: 4 });
    },
  },
  {
    name: "a transaction sees what came after the position it knows",
    check({ store: { log } }) {
      append(log, "r", 0, event("a"), event("b"), event("c"));
      const seen = log.transact("r", 1, (tail) => ({ append: [event("d")], value: tail }));
      assert.deepEqual([numbers(seen.value.events), seen.value.last], [[2, 3], 3]);
      assert.deepEqual(numbers(seen.appended), [4]);
    },
  },
  {
    name: "a transaction that appends nothing writes nothing and gives its value",
    check({ store: { log } }) {
      const { value, appended } = log.transact("r", 0, () => ({ append: [], value: "seen" }));
      assert.deepEqual([value, appended, log.last("r")], ["seen", [], 0]);
    },
  },
  {
    name: "a body that throws leaves no trace, its error comes through, and the store goes on",
    check({ store: { log, runs } }) {
      append(log, "r", 0, event("a"));
      const mistake = new Error("mistake");
      const fails = () =>
        log.transact("r", 0, () => {
          throw mistake;
        });
      assert.throws(fails, (error) => error === mistake);
      assert.deepEqual(numbers(append(log, "r", 1, event("b"))), [2]);
      assert.deepEqual(runs.list(), []);
    },
  },
  {
    name: "events, card and binding are written together or not at all",
    check({ store: { log, runs } }) {
      const circle: Record<string, unknown> = {};
      circle.self = circle; // cannot be written as JSON
      const bad = event("bad", circle);
      assert.throws(() => log.transact("r", 0, () => ({ ...begin("r", "s"), append: [event("a"), bad] })));
      assert.deepEqual([log.last("r"), runs.get("r"), runs.find("pi", "s")], [0, undefined, undefined]);
    },
  },
  {
    name: "a transaction within a transaction is refused, and the outer one leaves no trace",
    check({ store: { log } }) {
      const inner = () => log.transact("r", 0, () => ({ append: [event("a")], value: 0 }));
      const outer = () => log.transact("r", 0, () => ({ append: [event("b")], value: inner() }));
      assert.throws(outer, /within a transaction/);
      assert.equal(log.last("r"), 0);
    },
  },
  {
    name: "which run a session has can be asked within a transaction",
    check({ store: { log, runs } }) {
      log.transact("r", 0, () => begin("r", "s"));
      const { value } = log.transact("other", 0, () => ({ append: [], value: runs.find("pi", "s")?.run }));
      assert.equal(value, "r");
    },
  },
  {
    name: "the card is replaced, and reads back with its summary",
    check({ store: { log, runs } }) {
      log.transact("r", 0, () => begin("r", "s"));
      const changed = { ...card("r", "s"), live: false, updated: 9, summary: { goal: "g", done: 1 } };
      log.transact("r", 1, () => ({ append: [event("b")], value: 0, card: changed }));
      assert.deepEqual(runs.get("r"), changed);
      assert.deepEqual(runs.list(), [changed]);
      append(log, "r", 2, event("c"));
      assert.deepEqual(runs.get("r"), changed);
    },
  },
  {
    name: "runs are listed by their last change, the newest first",
    check({ store: { log, runs } }) {
      for (const [run, updated] of Object.entries({ a: 5, b: 7, c: 5 }))
        log.transact(run, 0, () => ({ append: [event("x")], value: 0, card: { ...card(run, run), updated } }));
      assert.deepEqual(
        runs.list().map(({ run }) => run),
        ["b", "a", "c"],
      );
    },
  },
  {
    name: "a session belongs to the run bound last, and a card alone does not take it from another run",
    check({ store: { log, runs } }) {
      log.transact("old", 0, () => begin("old", "s"));
      log.transact("new", 0, () => begin("new", "s"));
      assert.equal(runs.find("pi", "s")?.run, "new");
      log.transact("old", 1, () => ({ append: [event("late")], value: 0, card: card("old", "s") }));
      assert.equal(runs.find("pi", "s")?.run, "new");
      log.transact("old", 2, () => ({ ...begin("old", "s"), append: [event("attached")] }));
      assert.equal(runs.find("pi", "s")?.run, "old");
      assert.equal(runs.find("opencode", "s"), undefined);
    },
  },
  {
    name: "one run may be found from several sessions",
    check({ store: { log, runs } }) {
      log.transact("r", 0, () => begin("r", "first"));
      log.transact("r", 1, () => begin("r", "second"));
      assert.deepEqual([runs.find("pi", "first")?.run, runs.find("pi", "second")?.run], ["r", "r"]);
    },
  },
  {
    name: "the newest snapshot is kept, an older one does not replace it, one of another version does",
    check({ store: { log } }) {
      append(log, "r", 0, event("a"), event("b"), event("c"));
      const newest = { seq: 3, version: 1, state: { todos: ["x"] } };
      log.saveSnapshot("r", newest);
      log.saveSnapshot("r", { seq: 2, version: 1, state: "older" });
      assert.deepEqual(log.loadSnapshot("r"), newest);
      log.saveSnapshot("r", { seq: 1, version: 2, state: "other" });
      assert.deepEqual(log.loadSnapshot("r"), { seq: 1, version: 2, state: "other" });
    },
  },
  {
    name: "a snapshot of a position that the log has not is not kept",
    check({ store: { log } }) {
      append(log, "r", 0, event("a"));
      log.saveSnapshot("r", { seq: 2, version: 1, state: "ahead" });
      log.saveSnapshot("gone", { seq: 1, version: 1, state: "nothing" });
      assert.deepEqual([log.loadSnapshot("r"), log.loadSnapshot("gone")], [undefined, undefined]);
    },
  },
  {
    name: "a removed run is gone with everything, and others stay",
    check({ store: { log, runs } }) {
      log.transact("r", 0, () => begin("r", "s"));
      log.transact("other", 0, () => begin("other", "t"));
      log.saveSnapshot("r", { seq: 1, version: 1, state: 1 });
      assert.equal(runs.remove("r"), true);
      assert.deepEqual([log.last("r"), log.loadSnapshot("r"), runs.get("r")], [0, undefined, undefined]);
      assert.equal(runs.find("pi", "s"), undefined);
      assert.equal(runs.find("pi", "t")?.run, "other");
      assert.equal(runs.remove("r"), false);
      log.transact("r", 0, () => ({ append: [event("again")], value: 0, card: card("r", "s") }));
      assert.equal(runs.find("pi", "s"), undefined); // the binding went too
    },
  },
  {
    name: "a run that was removed while in use is not written on without its beginning",
    check({ store: { log, runs } }) {
      append(log, "r", 0, event("a"), event("b"));
      runs.remove("r");
      assert.throws(() => append(log, "r", 2, event("c")), { code: "gone" });
      assert.equal(log.last("r"), 0);
    },
  },
  {
    name: "a damaged event is reported by position and skipped",
    check({ store: { log }, damage }) {
      if (typeof damage !== "function") throw new Skipped(damage.cannot);
      append(log, "r", 0, ...["a", "b", "c", "d", "e"].map((name) => event(name)));
      damage("r", 2, '{"type": "cut o');
      damage("r", 3, "[1, 2]");
      damage("r", 5, "null");
      const { events, unread, last } = log.read("r", 0);
      assert.deepEqual([numbers(events), unread.map(({ seq }) => seq), last], [[1, 4], [2, 3, 5], 5]);
      assert.ok(unread.every(({ status, problem }) => status === "damaged" && problem.length > 0));
      assert.deepEqual(numbers(append(log, "r", 0, event("f"))), [6]);
    },
  },
  {
    name: "an event that only a later version knows is reported by position and skipped",
    check({ store: { log } }) {
      const unknown = { type: "weather.changed" } as unknown as NewEvent["event"];
      append(log, "r", 0, event("a"), { ...event("later"), v: 1_000 }, { ...event("b"), event: unknown }, event("c"));
      const { events, unread, last } = log.read("r", 0);
      assert.deepEqual([numbers(events), last], [[1, 4], 4]);
      assert.deepEqual(
        unread.map(({ seq, status }) => [seq, status]),
        [
          [2, "newer"],
          [3, "newer"],
        ],
      );
    },
  },
  {
    name: "an event whose fields cannot be believed is damaged, not handed on",
    check({ store: { log } }) {
      append(log, "r", 0, event("a", { where: 7 }), event("b"));
      const { events, unread } = log.read("r", 0);
      assert.deepEqual([numbers(events), unread.map(({ status }) => status)], [[2], ["damaged"]]);
    },
  },
  {
    name: "what one connection wrote the other sees at once",
    async check({ store, second }) {
      if (typeof second !== "function") throw new Skipped(second.cannot);
      const other = await second();
      try {
        store.log.transact("r", 0, () => begin("r", "s"));
        assert.equal(other.log.last("r"), 1);
        assert.equal(other.runs.find("pi", "s")?.run, "r");
        append(other.log, "r", 1, event("b"));
        const { value } = store.log.transact("r", 1, (tail) => ({ append: [], value: numbers(tail.events) }));
        assert.deepEqual(value, [2]);
      } finally {
        other.close();
      }
    },
  },
  {
    name: "positions tell which runs moved and which are gone",
    check({ store: { log, runs } }) {
      log.transact("r", 0, () => begin("r", "s"));
      log.transact("other", 0, () => begin("other", "t"));
      append(log, "r", 1, event("b"));
      assert.deepEqual(
        runs.positions(),
        new Map([
          ["r", 2],
          ["other", 1],
        ]),
      );
      runs.remove("other");
      assert.deepEqual(runs.positions(), new Map([["r", 2]]));
    },
  },
  {
    name: "a write of another process is another number of writes, and nothing else is",
    async check({ store, second }) {
      if (typeof second !== "function") throw new Skipped(second.cannot);
      const other = await second();
      try {
        const before = store.runs.writes();
        assert.equal(store.runs.writes(), before);
        append(other.log, "r", 0, event("a"));
        assert.notEqual(store.runs.writes(), before);
      } finally {
        other.close();
      }
    },
  },
  {
    name: "what was written is there after closing and opening again",
    async check({ store, second }) {
      if (typeof second !== "function") throw new Skipped(second.cannot);
      const [stored] = append(store.log, "r", 0, event("a"));
      store.log.saveSnapshot("r", { seq: 1, version: 1, state: { kept: true } });
      store.close();
      store.close(); // twice is harmless
      const again = await second();
      try {
        assert.deepEqual(again.log.read("r", 0).events, [stored]);
        assert.deepEqual(again.log.loadSnapshot("r")?.state, { kept: true });
      } finally {
        again.close();
      }
    },
  },
];

const event = (name: string, more: object = {}): NewEvent => ({
  at: 1,
  by: "engine",
  v: 1,
  event: { type: "host.failed", where: name, message: "", ...more },
});

const card = (run: string, session: string): RunCard => ({
  run,
  host: "pi",
  session,
  cwd: "/project",
  live: true,
  began: 1,
  updated: 2,
  summary: null,
});

const begin = (run: string, session: string) => ({
  append: [event("began")],
  value: run,
  card: card(run, session),
  bind: { host: "pi", session },
});

const append = (log: Store["log"], run: string, after: number, ...events: readonly NewEvent[]): readonly Envelope[] =>
  log.transact(run, after, () => ({ append: events, value: undefined })).appended;

const numbers = (events: readonly Envelope[]): readonly number[] => events.map(({ seq }) => seq);
