import { expect, test } from "vitest";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { Trigger } from "../core/react/index.ts";
import { memoryStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS } from "../testing/index.ts";
import { createEngine, type Engine, type GuardRequest } from "./index.ts";

/** Guards and workspace states that are looked at for as long as the test likes. */
function slowEngine(): { engine: Engine; asked: GuardRequest[]; letLook: () => void } {
  const gate = Promise.withResolvers<void>();
  const asked: GuardRequest[] = [];
  const engine = createEngine({
    store: memoryStore(),
    host: createFakeHost(HOST_KINDS.print),
    clock: createFakeClock(),
    cwd: "/project",
    driver: "one",
    newRunId: () => "run",
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({ budget: {}, checks: [{ run: "npm test", by: "human" }], requirements: [] }),
    workspace: { observe: () => gate.promise.then(() => "state") },
    checks: {
      run: async () => [],
      guard: (request) => {
        asked.push(request);
        return gate.promise.then(() => `guard ${asked.length}`);
      },
    },
  });
  return { engine, asked, letLook: gate.resolve };
}

const write = (text: string): Trigger => ({
  type: "todos.write",
  write: { mode: "append", todos: [{ text, touches: ["test/**"] }] },
  by: "model",
});
const start: Trigger = { type: "todos.edit", edit: { action: "start", indices: [0] }, by: "model" };

test("what the agent does is taken in the order it is told, however long the looks take", async () => {
  const { engine, letLook } = slowEngine();
  const told = [
    engine.tell("s", write("a")),
    engine.tell("s", start),
    engine.tell("s", { type: "call.seen", digest: "d" }),
  ];
  expect(engine.run("s")).toBeUndefined();
  letLook();
  expect((await Promise.all(told)).map(({ type }) => type)).toEqual(["done", "done", "done"]);
  expect(engine.run("s")!.plan.todos.map(({ status }) => status)).toEqual(["in_progress"]);
  expect(engine.run("s")!.ledger.workspace).toBe("state");
});

test("the user's words wait for no look", async () => {
  const { engine, letLook } = slowEngine();
  letLook();
  await engine.tell("s", write("a"));
  const late = slowEngine();
  const pending = late.engine.tell("s", write("a"));
  expect(await late.engine.tell("s", { type: "human.hold", now: false })).toEqual({ type: "ignored", why: "no_run" });
  late.letLook();
  expect((await pending).type).toBe("done");
  expect(await engine.tell("s", { type: "human.hold", now: false })).toEqual({ type: "done", text: "held" });
});

test("the judge of a run is asked for with the one it has", async () => {
  const { engine, asked, letLook } = slowEngine();
  letLook();
  await engine.tell("s", write("a"));
  await engine.tell("s", start);
  await engine.tell("s", write("b"));
  expect(asked.map(({ before, session }) => [before, session])).toEqual([
    [undefined, "s"],
    ["guard 1", "s"],
    ["guard 2", "s"],
  ]);
  expect(engine.run("s")!.ledger.guards).toEqual({ run: "guard 1", t1: "guard 2", t2: "guard 3" });
});
