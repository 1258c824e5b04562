import { expect, test } from "vitest";
import { DEFAULTS } from "../core/continuation/index.ts";
import { type Envelope, FOLD_VERSION, fold } from "../core/run/index.ts";
import { memoryStore } from "../store/index.ts";
import { history } from "../testing/index.ts";
import { KEEP_OFTEN, openRun } from "./open-run.ts";
import { record } from "./recorder.ts";

const RUN = "run-1";

/** A log longer than two pages. */
function longLog(): readonly Envelope[] {
  const run = history().writes("one", "two").turn("human");
  while (run.envelopes.length < 2_500) run.works();
  return run.ends().envelopes;
}

function storeWith(events: readonly Envelope[]) {
  const store = memoryStore();
  store.log.transact(RUN, 0, () => ({ append: events, value: undefined }));
  return store;
}

test("a long log opens to its whole fold, and keeps it", () => {
  const events = longLog();
  const { log } = storeWith(events);
  expect(openRun(log, RUN)).toEqual({ run: fold(events), seq: events.length });
  expect(log.loadSnapshot(RUN)?.seq).toBe(events.length);
});

test("processes that live for one event keep it more often", () => {
  const { log } = storeWith(longLog().slice(0, 100));
  openRun(log, RUN, KEEP_OFTEN);
  expect(log.loadSnapshot(RUN)?.seq).toBe(100);
});

test("opening continues from the kept fold", () => {
  const events = longLog();
  const { log } = storeWith(events);
  const half = events.slice(0, 1_000);
  log.saveSnapshot(RUN, { seq: 1_000, version: FOLD_VERSION, state: { ...fold(half), goal: "from the snapshot" } });
  expect(openRun(log, RUN)).toEqual({ run: { ...fold(events), goal: "from the snapshot" }, seq: events.length });
});

test("a kept fold of another version is as good as none", () => {
  const events = longLog();
  const { log } = storeWith(events);
  log.saveSnapshot(RUN, { seq: 1_000, version: FOLD_VERSION + 1, state: { goal: "of another version" } });
  expect(openRun(log, RUN).run).toEqual(fold(events));
});

test("a short log opens without keeping anything", () => {
  const { log } = storeWith(longLog().slice(0, 10));
  openRun(log, RUN);
  expect(log.loadSnapshot(RUN)).toBeUndefined();
});

test("a word to an older run leaves the session with the run that has it", () => {
  const store = storeWith(history().writes("one").envelopes);
  const context = { now: 1, limits: DEFAULTS, role: "bystander" } as const;
  const bindTo = { type: "run.bind", host: "test", session: "s" } as const;
  const older = record(store.log, RUN, openRun(store.log, RUN), bindTo, context).known;
  expect(store.runs.find("test", "s")?.run).toBe(RUN);
  const events = history({ birth: { run: "run-2" } }).writes("two").envelopes;
  store.log.transact("run-2", 0, () => ({ append: events, value: 0 }));
  record(store.log, "run-2", openRun(store.log, "run-2"), bindTo, context);
  record(store.log, RUN, older, { type: "human.hold", now: false }, context);
  expect(store.runs.find("test", "s")?.run).toBe("run-2");
});
