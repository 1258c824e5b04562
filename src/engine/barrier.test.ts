import { beforeEach, expect, test } from "vitest";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { Trigger } from "../core/react/index.ts";
import { createFakeWorld, type FakeWorld, type HostKind } from "../testing/index.ts";
import type { Host } from "./index.ts";
import { speak } from "./speak.ts";

let safe: PromiseWithResolvers<void>;
let world: FakeWorld;

/** The agent stopped with an open todo, and what was written is not safe yet. */
async function begin(kind: HostKind, stands?: NonNullable<Host["recheck"]>) {
  safe = Promise.withResolvers();
  world = createFakeWorld({ kind, ...(stands && { stands }) });
  Object.assign(world.store.log, { barrier: () => safe.promise });
  await world.tell({ type: "todos.write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" });
  await world.tell({ type: "turn.started", turn: "t1", cause: "human" });
  const settling = world.settle({ turn: "t1" });
  await world.clock.advance(1_000);
  return settling;
}
const KINDS = ["idle", "terminal", "hook"] as const satisfies readonly HostKind[];
const WORDS: Trigger = { type: "words.queue", words: { id: "w1", text: "Use tabs", kind: "steer" } };

beforeEach(() => {
  safe = Promise.withResolvers();
});

test.each(KINDS)("%s: a nudge leaves when the log is safe, and not before", async (kind) => {
  const settling = await begin(kind);
  expect([world.types.at(-1), world.host.nudges]).toEqual(["nudge.intended", []]);
  if (kind !== "idle") expect(settling.now).toBeUndefined();
  safe.resolve();
  await world.clock.advance(0);
  if (kind === "idle") expect(world.host.nudges).toHaveLength(1);
  else expect(settling.now?.type).toBe("nudge");
});

test.each(KINDS)("%s: a hold that comes meanwhile keeps it back", async (kind) => {
  const settling = await begin(kind);
  await world.tell({ type: "human.hold", now: false });
  safe.resolve();
  await world.clock.advance(1_000);
  expect([world.said, world.host.nudges, settling.now?.type]).toEqual(["stop held", [], "settled"]);
  expect(world.types).toContain("nudge.withdrawn");
});

test.each(KINDS)("%s: so does one that another process wrote down, before this one looks", async (kind) => {
  const settling = await begin(kind);
  speak(world.store.log, world.run.id, { type: "human.hold", now: false }, world.clock.now());
  safe.resolve();
  await world.clock.advance(0);
  expect([world.host.nudges, settling.now?.type]).toEqual([[], "settled"]);
  expect(world.types).toContain("nudge.withdrawn");
});

test.each(KINDS)("%s: so does the end of the run", async (kind) => {
  const settling = await begin(kind);
  speak(world.store.log, world.run.id, { type: "human.clear" }, world.clock.now());
  safe.resolve();
  await world.clock.advance(0);
  expect([world.host.nudges, settling.now?.type, world.types.at(-1)]).toEqual([[], "settled", "run.ended"]);
});

test.each(KINDS)("%s: your queued message leaves first", async (kind) => {
  const settling = await begin(kind);
  speak(world.store.log, world.run.id, WORDS, world.clock.now());
  safe.resolve();
  await world.clock.advance(0);
  expect([world.host.nudges, world.types.includes("nudge.withdrawn")]).toEqual([[], true]);
  if (kind === "idle") expect(world.host.delivered).toHaveLength(1);
  else expect(settling.now?.type).not.toBe("nudge");
});

test.each(KINDS)("%s: your message keeps it back, before its turn is told", async (kind) => {
  const settling = await begin(kind);
  await world.tell({ type: "human.spoke" });
  safe.resolve();
  await world.clock.advance(1_000);
  expect([world.host.nudges, settling.now?.type]).toEqual([[], "settled"]);
  expect([world.types.at(-1), world.run.ledger.nudge]).toEqual(["nudge.withdrawn", undefined]);
});

test.each(KINDS)("%s: so does one that you sent in another process of the session", async (kind) => {
  const settling = await begin(kind);
  speak(world.store.log, world.run.id, { type: "human.spoke" }, world.clock.now());
  safe.resolve();
  await world.clock.advance(0);
  expect([world.host.nudges, settling.now?.type, world.types.at(-1)]).toEqual([[], "settled", "nudge.withdrawn"]);
});

type Stands = Awaited<ReturnType<NonNullable<Host["recheck"]>>>;
const ready = async (): Promise<Stands> => ({ status: "ready", facts: [] });
const busy = async (): Promise<Stands> => ({ status: "busy" });

test.each<[string, () => Promise<Stands>, string, string]>([
  ["works by now", busy, "nudge.withdrawn", "wait busy"],
  [
    "is read-only by now",
    async () => ({ status: "ready", facts: [{ type: "mode.changed", readOnly: true }] }),
    "nudge.withdrawn",
    "stop read_only",
  ],
  ["cannot be asked any more", () => Promise.reject(new Error("gone")), "nudge.failed", "wait host_failed"],
])("a session that %s gets no nudge", async (_how, later, event, said) => {
  let stands = ready;
  await begin("idle", () => stands());
  expect(world.types.at(-1)).toBe("nudge.intended");
  stands = later;
  safe.resolve();
  await world.clock.advance(3_000);
  expect([world.host.nudges, world.types.includes(event), world.said]).toEqual([[], true, said]);
});

test("what a host still says and the run has waited out keeps nothing back", async () => {
  await begin("idle", async () => ({
    status: "ready",
    facts: [{ type: "background.changed", agents: 1, awaited: 0 }],
  }));
  safe.resolve();
  await world.clock.advance(3_000);
  expect([world.host.nudges, world.said]).toEqual([[], "wait background"]);
  await world.clock.advance(DEFAULTS.deadlineMs.background + 3_000);
  expect(world.host.nudges).toHaveLength(1);
});

test("words for a session that works by now stay queued", async () => {
  let stands = ready;
  await begin("idle", () => stands());
  await world.tell({ type: "human.hold", now: false });
  safe.resolve();
  await world.clock.advance(0);
  safe = Promise.withResolvers();
  await world.tell(WORDS);
  await world.tell({ type: "human.unhold" });
  await world.clock.advance(0);
  stands = busy;
  safe.resolve();
  await world.clock.advance(0);
  expect([world.host.delivered, world.types.at(-2), world.run.ledger.words.length]).toEqual([[], "words.failed", 1]);
});

test("words that were taken back while they waited, and sent again, leave once", async () => {
  await begin("idle");
  await world.tell({ type: "human.hold", now: false });
  safe.resolve();
  await world.clock.advance(0);
  safe = Promise.withResolvers();
  await world.tell(WORDS);
  await world.tell({ type: "human.unhold" });
  await world.clock.advance(0);
  const { host } = world.run.origin;
  for (const session of ["there", "s"])
    speak(world.store.log, world.run.id, { type: "run.bind", host, session }, world.clock.now());
  await world.clock.advance(60_000);
  expect(world.host.delivered).toEqual([]);
  safe.resolve();
  await world.clock.advance(60_000);
  expect(world.host.delivered).toHaveLength(1);
});

test.each(KINDS)("%s: nothing leaves a session whose run went to another one", async (kind) => {
  const settling = await begin(kind);
  const { host } = world.run.origin;
  speak(world.store.log, world.run.id, { type: "run.bind", host, session: "another" }, world.clock.now());
  safe.resolve();
  await world.clock.advance(0);
  expect([world.host.nudges, settling.now?.type]).toEqual([[], "settled"]);
});

test.each(KINDS)("%s: a log that does not get safe is a nudge that did not leave", async (kind) => {
  const settling = await begin(kind);
  safe.reject(new Error("the others are gone"));
  await world.clock.advance(0);
  expect([world.host.nudges, settling.now?.type, world.types.includes("nudge.failed")]).toEqual([[], "settled", true]);
});

test.each(["idle", "terminal"] as const)("%s: words leave when the log is safe, and not before", async (kind) => {
  await begin(kind);
  safe.resolve();
  await world.clock.advance(0);
  await world.tell({ type: "nudge.delivered", nudge: "b1" });
  await world.tell({ type: "turn.started", turn: "t2", cause: "nudge" });
  await world.tell(WORDS);
  safe = Promise.withResolvers();
  const settling = world.settle({ turn: "t2" });
  await world.clock.advance(0);
  expect([world.host.delivered, world.run.ledger.sending]).toEqual([[], ["w1"]]);
  safe.resolve();
  await world.clock.advance(0);
  if (kind === "idle") expect(world.host.delivered).toHaveLength(1);
  else expect(settling.now).toMatchObject({ type: "words", words: [{ id: "w1" }] });
});
