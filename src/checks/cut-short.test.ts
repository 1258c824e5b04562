import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../test/builders/eventually.ts";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { Trigger } from "../core/react/index.ts";
import { createEngine, type Engine } from "../engine/index.ts";
import { memoryStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, type FakeClock, HOST_KINDS } from "../testing/index.ts";
import { createChecks } from "./create-checks.ts";

let cwd: string;
let clock: FakeClock;
let engine: Engine;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "cut-short-"));
  clock = createFakeClock();
  engine = createEngine({
    store: memoryStore(),
    host: createFakeHost(HOST_KINDS.print),
    clock,
    cwd,
    checks: createChecks({ clock, env: { PATH: process.env.PATH } }),
    driver: "one",
    newRunId: () => "run",
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({ budget: {}, checks: [{ run: "echo $$ > pid; exec sleep 300", by: "human" }], requirements: [] }),
  });
});
afterEach(() => {
  engine.dispose();
  rmSync(cwd, { recursive: true, force: true });
});

const tell = (trigger: Trigger) => engine.tell("s", trigger);
const write: Trigger = { type: "todos.write", write: { mode: "append", todos: [{ text: "a" }] }, by: "model" };
const complete: Trigger = { type: "todos.edit", edit: { action: "complete", indices: [0] }, by: "model" };
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A check of five minutes that has begun, with the process it runs in. */
async function begun(): Promise<number> {
  return eventually(() => {
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
    expect(pid).toBeGreaterThan(0);
    return pid;
  });
}

const words: [string, Trigger][] = [
  ["a hold", { type: "human.hold", now: false }],
  ["an interrupt", { type: "human.interrupt", how: "key" }],
  ["words that are queued", { type: "words.queue", words: { id: "w", text: "wait", kind: "steer" } }],
  ["words that are said", { type: "human.spoke" }],
];

test.each(words)("%s cuts a check of five minutes in a call at once, and it is ended", async (_what, word) => {
  await tell({ type: "turn.started", turn: "t1", cause: "human" });
  await tell(write);
  const answer = tell(complete);
  const pid = await begun();
  await tell(word);
  expect(await answer).toMatchObject({ type: "refused", refusal: { code: "check_failed" } });
  expect(clock.now()).toBe(0);
  expect(engine.run("s")!.plan.todos[0]!.status).toBe("not_started");
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

test.each(words)("%s cuts a check of five minutes at a boundary at once, and it is ended", async (_what, word) => {
  await tell({ type: "turn.started", turn: "t1", cause: "human" });
  await tell(write);
  await tell({ type: "todos.human_edit", edit: { action: "done", indices: [0] } });
  void engine.settle("s", { type: "turn.ended", turn: "t1", outcome: "completed" });
  const pid = await begun();
  expect(engine.run("s")!.ledger.decision).toMatchObject({ type: "wait", reason: "verifying" });
  await tell(word);
  expect(clock.now()).toBe(0);
  expect(engine.run("s")!.ledger.verifying).toBeUndefined();
  await eventually(() => expect(isAlive(pid)).toBe(false));
});
