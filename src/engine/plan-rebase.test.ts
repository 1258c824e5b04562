import { expect, test } from "vitest";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { Envelope, Plan } from "../core/run/index.ts";
import { memoryStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS } from "../testing/index.ts";
import { createEngine, type Engine, type Store } from "./index.ts";

function openEngine(store: Store): Engine {
  let runs = store.runs.list().length;
  return createEngine({
    store,
    host: createFakeHost(HOST_KINDS.print),
    clock: createFakeClock(1000),
    cwd: "/work",
    driver: "one",
    newRunId: () => `run-${++runs}`,
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
}

const write = (...texts: readonly string[]) =>
  ({
    type: "todos.write",
    write: { mode: "replace", todos: texts.map((text) => ({ text })) },
    by: "model",
  }) as const;

const planOf = (engine: Engine, session: string): Plan => engine.run(session)!.plan;
const statuses = (engine: Engine, session: string) =>
  planOf(engine, session).todos.map(({ text, status }) => `${status} ${text}`);

test("a branch with open work begins a run in a session that has none, and names the run it was forked from", async () => {
  const engine = openEngine(memoryStore());
  await engine.tell("old", write("a", "b"));
  await engine.tell("old", { type: "human.hold", now: false });
  await engine.tell("new", { type: "plan.rebase", plan: planOf(engine, "old"), parent: "run-1" });
  const forked = engine.run("new")!;
  expect([forked.id, forked.status, forked.origin.parent, forked.ledger.held]).toEqual([
    "run-2",
    "live",
    "run-1",
    false,
  ]);
  expect(statuses(engine, "new")).toEqual(["not_started a", "not_started b"]);
  await engine.tell("new", { type: "todos.write", write: { mode: "append", todos: [{ text: "c" }] }, by: "model" });
  expect(planOf(engine, "new").todos.map(({ id }) => id)).toEqual(["t1", "t2", "t3"]);
});

test("a finished list that came with its branch is shown and carried on, not driven", async () => {
  const engine = openEngine(memoryStore());
  await engine.tell("old", write("a"));
  await engine.tell("old", { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" });
  await engine.tell("new", { type: "plan.rebase", plan: planOf(engine, "old"), parent: "run-1" });
  expect([engine.run("new")!.status, statuses(engine, "new")]).toEqual(["ended", ["completed a"]]);
  await engine.tell("new", { type: "todos.write", write: { mode: "append", todos: [{ text: "b" }] }, by: "model" });
  expect([engine.run("new")!.status, statuses(engine, "new")]).toEqual(["live", ["completed a", "not_started b"]]);
});

test("going back to open work after the run is over begins a new one; an empty branch begins nothing", async () => {
  const engine = openEngine(memoryStore());
  await engine.tell("s", { type: "plan.rebase", plan: { todos: [] } });
  expect(engine.run("s")).toBeUndefined();
  await engine.tell("s", write("a"));
  const open = planOf(engine, "s");
  await engine.tell("s", { type: "human.clear" });
  await engine.tell("s", { type: "plan.rebase", plan: { todos: [] } });
  expect([engine.run("s")!.id, engine.run("s")!.status]).toEqual(["run-1", "ended"]);
  await engine.tell("s", { type: "plan.rebase", plan: open });
  expect([engine.run("s")!.id, engine.run("s")!.origin.parent, statuses(engine, "s")]).toEqual([
    "run-2",
    "run-1",
    ["not_started a"],
  ]);
});

test("watchers get every event once, in the order of the log, also those of other processes", async () => {
  const store = memoryStore();
  const engine = openEngine(store);
  const seen: Envelope[] = [];
  engine.watch((_session, _run, events) => seen.push(...events));
  await engine.tell("s", write("a"));
  const foreign = { at: 1, by: "host", v: 1, event: { type: "host.failed", where: "here", message: "no" } } as const;
  store.log.transact("run-1", 0, () => ({ append: [foreign], value: undefined }));
  await engine.settle("s", { type: "turn.ended", outcome: "completed" });
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  expect(seen.map(({ event }) => event.type)).toContain("host.failed");
  expect(seen.length).toBe(store.log.last("run-1"));
});
