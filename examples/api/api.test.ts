// The examples of docs/reference/api.md do what they say.
import { expect, test, vi } from "vitest";

vi.setConfig({ testTimeout: 300_000 }); // the first import of a door loads all of it

test("the pure core: the log alone says everything", async () => {
  const { rebuilt, stepwise, sentences } = await import("./tildone.decide.ts");
  expect(stepwise).toEqual(rebuilt);
  expect(rebuilt.plan.todos.map(({ text }) => text)).toEqual(["write the grammar", "document it"]);
  expect(sentences([{ type: "human.held", now: false }], rebuilt)).toHaveLength(1);
});

test("the engine in a host of your own", async () => {
  const { byHand, stopped, wait } = await import("./tildone.engine.ts");
  const engine = byHand();
  const write = { mode: "replace", todos: [{ text: "a" }] } as const;
  await engine.tell("s", { type: "todos.write", by: "model", write });
  await engine.tell("s", { type: "turn.started", turn: "t1", cause: "human" });
  expect(await stopped(engine, "s")).toContain("todos are open");
  expect(wait).toEqual({ by: "timer" });
  engine.dispose();
});

test("one hook", async () => {
  const { on, ours, yours } = await import("./tildone-hooks.ts");
  expect(await on({ event: "session.idle", sessionId: "s" })).toMatch(/^counting_down: /);
  expect([ours[0]!.status, yours.status]).toEqual(["not_started", "completed"]);
  await on({ event: "session.deleted", sessionId: "s" });
});

test("calls and approvals", async () => {
  const { main, ends, sameFile } = await import("./tildone-scheduler.calls.ts");
  expect((await main()).map(({ status }) => status)).toEqual(["success"]);
  expect([ends[0]![0], ends[1]![0], sameFile]).toEqual([true, false, true]);
});

test("fakes, personas and contracts", async () => {
  const { alone, inAWorld, questions, run, tryStore } = await import("./tildone-testing.ts");
  expect(run.plan.todos).toHaveLength(2);
  expect(questions.length).toBeGreaterThan(50);
  expect(await inAWorld()).not.toBe("");
  expect(await tryStore()).toEqual([]);
  expect(await alone()).toBe(true);
});
