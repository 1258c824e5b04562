import { expect, test } from "vitest";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { Trigger } from "../core/react/index.ts";
import { memoryStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS } from "../testing/index.ts";
import { createEngine, type Store } from "./index.ts";

const write = (text: string): Trigger => ({
  type: "todos.write",
  write: { mode: "append", todos: [{ text }] },
  by: "model",
});

test("two processes that begin the run of one session at once begin one run, and both lists are in it", async () => {
  const elsewhere = memoryStore();
  await processOn(elsewhere, "first").tell("s", write("a"));
  const store = memoryStore();
  // The second has looked, found no run, and is about to write: just then the first one writes.
  const second = processOn(
    before(store, () => copyRun(elsewhere, store, "first-1")),
    "second",
  );
  expect(await second.tell("s", write("b"))).toMatchObject({ type: "done" });
  expect(store.runs.list().map(({ run }) => run)).toEqual(["first-1"]);
  expect(second.run("s")?.plan.todos.map(({ text }) => text)).toEqual(["a", "b"]);
});

function copyRun(from: Store, to: Store, run: string): void {
  const card = from.runs.get(run)!;
  to.log.transact(run, 0, () => ({ append: from.log.read(run, 0).events, value: undefined, card, bind: card }));
}

function processOn(store: Store, name: string) {
  const clock = createFakeClock();
  let births = 0;
  return createEngine({
    store,
    clock,
    host: createFakeHost(HOST_KINDS.hook),
    cwd: "/project",
    driver: "s",
    newRunId: () => `${name}-${++births}`,
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
}

/** A store on which another process is a moment faster, once. */
function before(store: Store, act: () => void): Store {
  let isOver = false;
  return {
    ...store,
    log: {
      ...store.log,
      transact: (run, after, body) => {
        if (!isOver) {
          isOver = true;
          act();
        }
        return store.log.transact(run, after, body);
      },
    },
  };
}
