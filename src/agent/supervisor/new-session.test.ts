import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dialectOf } from "../../../test/builders/hook-hosts.ts";
import { openTildone, type Tildone } from "../../compose/index.ts";
import type { Run } from "../../core/run/index.ts";
import { type Host, openRun } from "../../engine/index.ts";
import { answerHook } from "../../hooks/index.ts";
import { openStore } from "../../store/index.ts";
import { createFakeHost, HOST_KINDS } from "../../testing/index.ts";
import { betweenProcesses } from "./between-processes.ts";

// A host that names its sessions itself: its hooks hear of a new one before the supervisor does.
const HOST = "codex";
let home: string;
const env = () => ({ TILDONE_HOME: home, TILDONE_CONTEXT: "fresh", TILDONE_COUNTDOWN: "0", PATH: process.env.PATH });

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "new-session-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function open(host: Host): Promise<Tildone> {
  const opened = await openTildone({ host, cwd: home, env: env(), home, goal: "Fix it", driver: `${HOST}:one` });
  if (!opened.ok) throw new Error(opened.problems.join(" "));
  return opened.tildone;
}

/** A list of two, of which the agent completed so many before it stopped; what the supervisor starts next. */
async function stopsAfter(completed: number) {
  const { engine, dispose } = await open({ ...createFakeHost(HOST_KINDS.hook), name: HOST });
  const listed = (done: number) =>
    [0, 1].map((at) => ({ text: `todo ${at}`, status: at < done ? ("completed" as const) : ("not_started" as const) }));
  await engine.tell("one", { type: "goal.set" });
  await engine.tell("one", { type: "turn.started", turn: "1", cause: "human" });
  for (const done of [0, completed])
    await engine.tell("one", { type: "todos.mirror", items: listed(done), by: "model" });
  dispose();
  const program = { adapter: "hook" } as const;
  return betweenProcesses({ outcome: "completed" }, { session: "one", open, name: HOST, program, onWait: () => {} });
}

/** The host begins a session of its own and tells its hook of the prompt. */
async function begins(session: string, prompt: string, more: Readonly<Record<string, string>>): Promise<void> {
  const input = JSON.stringify({ session_id: session, cwd: home, prompt, turn_id: "2", permission_mode: "default" });
  await answerHook(
    { dialect: dialectOf(HOST), event: "prompt", input, env: { ...env(), ...more }, home, now: () => 0 },
    () => {},
  );
}

async function runs(): Promise<readonly Run[]> {
  const store = await openStore({ path: join(home, "tildone.db") });
  try {
    return store.runs.list().map(({ run }) => openRun(store.log, run).run);
  } finally {
    store.close();
  }
}

test("the run is bound before its briefing is heard, and the turn is the nudge's", async () => {
  const next = await stopsAfter(1);
  expect(next).toMatchObject({ type: "prompt", fresh: true });
  await begins("two", next.type === "prompt" ? next.text : "", { TILDONE_CONTINUES: "one" });
  const [run, ...others] = await runs();
  expect(others).toEqual([]);
  expect(run!.origin.session).toBe("two");
  expect(run!.ledger.turn).toMatchObject({ id: "2" });
  expect(run!.ledger.conversation.number).toBe(2);
  expect(run!.ledger.interrupt).toBeUndefined();
  await begins("three", "another session of the same process", { TILDONE_CONTINUES: "one" });
  expect((await runs()).map(({ origin }) => origin.session)).toEqual(["two"]);
});

test.each([
  ["no supervisor started it", 1, {}],
  ["it was started for another session", 1, { TILDONE_CONTINUES: "zero" }],
  ["the run continues in its own session", 0, { TILDONE_CONTINUES: "one" }],
])("a session takes no run over: %s", async (_why, completed, more: Readonly<Record<string, string>>) => {
  await stopsAfter(completed);
  await begins("two", "do something else", more);
  expect((await runs()).map(({ origin }) => origin.session)).toEqual(["one"]);
});
