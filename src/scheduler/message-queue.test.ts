import { expect, test } from "vitest";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { QueuedWords } from "../core/run/index.ts";
import { createEngine, type Host, speak } from "../engine/index.ts";
import { memoryStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS } from "../testing/index.ts";
import { createMessageQueue } from "./message-queue.ts";

/** A host that takes words, or refuses them `refusals` times first. */
function aQueue(refusals = 0, slowly: Promise<void> = Promise.resolve()) {
  const seen: string[][] = [];
  let refused = 0;
  const host: Host = {
    ...createFakeHost(HOST_KINDS.idle),
    deliver: async (_session, words: readonly QueuedWords[]) => {
      if (refused++ < refusals) throw new Error("busy");
      await slowly;
      seen.push(words.map(({ text }) => text));
    },
  };
  const store = memoryStore();
  const clock = createFakeClock(1_000);
  const engine = createEngine({
    store,
    host,
    clock,
    cwd: "/repo",
    driver: "one",
    newRunId: () => "run-1",
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
  let ids = 0;
  const queue = createMessageQueue(engine, "s", () => `w${++ids}`);
  const begin = async () => {
    await engine.tell("s", { type: "todos.write", write: { mode: "replace", todos: [{ text: "work" }] }, by: "model" });
    await engine.tell("s", { type: "turn.started", turn: "t1", cause: "human" });
  };
  const end = (turn = "t1") => engine.settle("s", { type: "turn.ended", turn, outcome: "completed" });
  return { queue, engine, store, clock, seen, begin, end };
}

test("words wait for the boundary and arrive in order, edited and removed as the user wished", async () => {
  const { queue, begin, end, seen } = aQueue();
  await begin();
  await queue.add("  one ");
  await queue.add("two");
  await queue.add("three");
  expect(await queue.edit("w2", "two, better")).toEqual({ ok: true, id: "w2" });
  expect(await queue.remove("w3")).toEqual({ ok: true, id: "w3" });
  expect(seen).toEqual([]);
  await end();
  expect(seen).toEqual([["one", "two, better"]]);
  expect(queue.list()).toEqual([]);
});

test("what was delivered can be neither edited nor removed", async () => {
  const { queue, begin, end } = aQueue();
  await begin();
  await queue.add("one");
  await end();
  expect(await queue.edit("w1", "else")).toMatchObject({ ok: false, code: "words_gone" });
  expect(await queue.remove("w1")).toMatchObject({ ok: false, code: "words_gone" });
});

test("what is on its way can be neither edited nor removed", async () => {
  const slow = Promise.withResolvers<void>();
  const { queue, begin, end, seen, clock } = aQueue(0, slow.promise);
  await begin();
  await queue.add("one");
  await end();
  expect(await queue.edit("w1", "else")).toMatchObject({ ok: false, code: "words_gone" });
  expect(await queue.remove("w1")).toMatchObject({ ok: false, code: "words_gone" });
  slow.resolve();
  await clock.settle();
  expect(seen).toEqual([["one"]]);
});

test("what is to follow waits for the end of the work, and comes before the run counts as done", async () => {
  const { queue, engine, begin, end, seen } = aQueue();
  await begin();
  await queue.add("and then the docs", "follow-up");
  await queue.add("first this");
  await end();
  expect(seen).toEqual([["first this"]]);
  await engine.tell("s", { type: "turn.started", turn: "t2", cause: "human" });
  await engine.tell("s", { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" });
  await end("t2");
  expect(seen).toEqual([["first this"], ["and then the docs"]]);
  expect(engine.run("s")?.status).toBe("live");
});

test("words queued during the last turn are delivered before the run counts as done", async () => {
  const { queue, engine, begin, end, seen } = aQueue();
  await begin();
  await engine.tell("s", { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" });
  await queue.add("one more thing");
  await end();
  expect(seen).toEqual([["one more thing"]]);
  expect(engine.run("s")?.status).toBe("live");
});

test("words that the host refused stay queued and are not lost", async () => {
  const { queue, engine, begin, end, seen, clock } = aQueue(1);
  await begin();
  await queue.add("one");
  await end();
  await clock.settle();
  expect([seen, queue.list().map(({ text }) => text)]).toEqual([[], ["one"]]);
  await queue.add("two");
  await clock.advance(10_000);
  expect(seen.flat()).toEqual(["one", "two"]);
  expect(engine.run("s")?.ledger.words).toEqual([]);
});

test("words from another process are in the same queue", async () => {
  const { queue, store, begin, clock } = aQueue();
  await begin();
  await queue.add("here");
  const words = { id: "x1", text: "there", kind: "steer" } as const;
  speak(store.log, "run-1", { type: "words.queue", words }, clock.now());
  await clock.advance(250);
  expect(queue.list().map(({ text }) => text)).toEqual(["here", "there"]);
});

test("everything can be taken back as one text", async () => {
  const { queue, begin } = aQueue();
  await begin();
  await queue.add("one");
  await queue.add("two", "follow-up");
  expect(await queue.takeBack()).toBe("one\n\ntwo");
  expect([queue.list(), await queue.takeBack()]).toEqual([[], ""]);
});

test.each([
  ["blank words", "  \n", "blank"],
  ["words without a run", "hello", "no_run"],
])("%s are refused", async (_what, text, code) => {
  const { queue } = aQueue();
  expect(await queue.add(text)).toMatchObject({ ok: false, code });
});
