import { SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import type { Run } from "../../../src/core/run/index.ts";
import { openRun, speak } from "../../../src/engine/index.ts";
import { memoryStore, openStore } from "../../../src/store/index.ts";
import type { Call, ModelRequest, Step } from "../../../src/testing/index.ts";
import { calls, type InProcess, openInProcess, says } from "./in-process.ts";
import { askedFor, nudges, stopsAfterEachItem, workOn, writeList } from "./models.ts";
import { openSandbox, type Sandbox, type SessionLine } from "./sandbox.ts";

/** The runs of a sandbox as its log has them, the newest first. */
async function runsOf(box: Sandbox): Promise<readonly Run[]> {
  const store = await openStore({ path: box.store });
  const runs = store.runs.list().map(({ run }) => openRun(store.log, run).run);
  store.close();
  return runs;
}

const CUT_OFF =
  "tildone: The run was cut off when its process ended. It waits for you: send a message, or unhold to continue.\n";

/** What a restart must not change. */
const lasting = ({ plan, ledger: { since, spent, held, budget } }: Run) => ({ plan, since, spent, held, budget });

/** In print mode pi prints the last words of the session after what a command said. */
const listIn = (out: string): readonly string[] => out.split("\n").filter((line) => /^. \[\d+\] /u.test(line));

test("killed in the middle of a turn: the same list, counters and hold, and the cut is shown", async () => {
  const never = new Promise(() => {});
  const dies = (request: ModelRequest): Step =>
    askedFor(request) === 1 ? { after: never } : stopsAfterEachItem(3)(request);
  await using box = await openSandbox({ script: dies, keepsSession: true });
  const child = box.start("-p", "do it");
  await box.model.received(5); // the list, its words, item 0, its words, and the request that never gets an answer
  child.kill("SIGKILL");
  await new Promise((gone) => child.on("exit", gone));
  const [killed] = await runsOf(box);
  expect(killed!.ledger.spent.continuations).toBe(2);

  const seen = await box.run("-c", "-p", "/todos");
  expect([seen.code, listIn(seen.out)]).toEqual([0, ["◇ [0] item 0", "– [1] item 1", "– [2] item 2"]]);
  expect(seen.err).toBe(CUT_OFF);
  expect(lasting((await runsOf(box))[0]!)).toEqual(lasting(killed!));

  expect((await box.run("-c", "-p", "/hold")).out).toContain("On hold. /unhold continues.\n");
  box.model.play([{ text: "I am here." }]);
  const held = await box.run("-c", "-p", "are you there?");
  expect([held.out, box.model.requests.length]).toEqual(["I am here.\n", 6]);
  expect(held.err).toContain("On hold.");

  box.model.play(stopsAfterEachItem(3));
  const ended = await box.run("-c", "-p", "/unhold");
  expect([ended.code, ended.out]).toEqual([0, "The agent is working.\nThat is done, I stop here.\n"]);
  expect((await runsOf(box)).map(({ status, plan }) => [status, plan.todos.map((todo) => todo.status)])).toEqual([
    ["ended", ["completed", "completed", "completed"]],
  ]);
});

test("Ctrl-C in print mode: the run is interrupted, and pi ends by the signal", async () => {
  const never = new Promise(() => {});
  const script = (request: ModelRequest): Step =>
    askedFor(request) === 0 ? { after: never } : stopsAfterEachItem(2)(request);
  await using box = await openSandbox({ script, keepsSession: true });
  const child = box.start("-p", "do it");
  await box.model.received(3); // the list, its words, and the request that never gets an answer
  child.kill("SIGINT");
  const signal = await new Promise((gone) => child.on("exit", (_code, by) => gone(by)));
  expect(signal).toBe("SIGINT");
  expect((await runsOf(box))[0]!.ledger.decision).toMatchObject({ type: "stop", reason: "interrupted" });
});

test("killed between the decision and the nudge: the nudge is shown as cut off, and goes out once", async () => {
  await using box = await openSandbox({ script: stopsAfterEachItem(2), keepsSession: true });
  const killer = box.file(
    "killer.mjs",
    `export default (pi) => pi.on("agent_before_settle", () => process.kill(process.pid, "SIGKILL"));`,
  );
  expect((await box.run("-e", killer, "-p", "do it")).code).toBeNull();
  const [killed] = await runsOf(box);
  expect([killed!.ledger.nudge, nudgeEntries(box)]).toEqual([
    { id: "b1", boundary: "b1", kind: "todo", status: "delivered" },
    [],
  ]);

  const seen = await box.run("-c", "-p", "/todos");
  expect(seen.err).toBe(`tildone: A continuation was cut off before it went out.\n${CUT_OFF}`);
  expect([nudges(box.model.requests), lasting((await runsOf(box))[0]!)]).toEqual([[], lasting(killed!)]);

  const ended = await box.run("-c", "-p", "/unhold");
  expect(ended.out).toBe("The agent is working.\nThat is done, I stop here.\n");
  const sent = nudges(box.model.requests);
  expect([sent.length, new Set(sent).size, nudgeEntries(box).length]).toEqual([2, 2, 2]);
});

test("killed after the nudge went out: it is in the session, and is not sent again", async () => {
  await using box = await openSandbox({ script: stopsAfterEachItem(2), keepsSession: true });
  // Loaded before ours: it dies when pi begins the nudged turn, and we never hear of it.
  const killer = box.file(
    "killer.mjs",
    `let runs = 0; export default (pi) => pi.on("agent_start", () => { if (++runs === 2) process.kill(process.pid, "SIGKILL"); });`,
  );
  const killed = await box.runBeside(killer, "-p", "do it");
  expect([killed.code, nudgeEntries(box).length, (await runsOf(box))[0]!.ledger.nudge?.id]).toEqual([null, 1, "b1"]);
  const seen = await box.run("-c", "-p", "/tildone");
  expect(seen.err).toBe(CUT_OFF);
  expect(nudgeEntries(box).length).toBe(1);
  expect(await eventsOf(box)).not.toContain("nudge.withdrawn");
  await box.run("-c", "-p", "/unhold");
  const ids = nudgeEntries(box).map(({ details }) => (details as { nudge: string }).nudge);
  expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
});

test("a list changed by another process while pi was not running is on the branch after resume", async () => {
  const asks = (request: ModelRequest): Step =>
    request.messages.at(-1)?.role === "tool" ? { text: "Which key do you mean?" } : { calls: [writeList(2)] };
  await using box = await openSandbox({ script: asks, keepsSession: true });
  await box.run("-p", "do it");
  const [run] = await runsOf(box);
  const store = await openStore({ path: box.store });
  speak(store.log, run!.id, { type: "todos.human_edit", edit: { action: "done", indices: [0] } }, 1);
  store.close();
  expect(listIn((await box.run("-c", "-p", "/todos")).out)).toEqual(["✓ [0] item 0", "– [1] item 1"]);
  const planEvents = (await eventsOf(box)).filter((type) => type === "run.began" || /^todos?\./.test(type));
  expect(planEntries(box)).toBe(planEvents.length);
});

const nudgeEntries = (box: Sandbox): readonly SessionLine[] =>
  box.session().filter(({ customType }) => customType === "til-done-continue");
const planEntries = (box: Sandbox): number =>
  box.session().filter(({ customType }) => customType === "til-done-plan").length;

async function eventsOf(box: Sandbox): Promise<readonly string[]> {
  const store = await openStore({ path: box.store });
  const events = store.runs.list().flatMap(({ run }) => store.log.read(run, 0).events.map(({ event }) => event.type));
  store.close();
  return events;
}

const write = (...texts: readonly string[]): Call => [
  "write_todos",
  { mode: "replace", todos: texts.map((text) => ({ text })) },
];
const listed = (pi: InProcess): readonly string[] => pi.terminal.said.at(-1)?.split("\n") ?? [];

async function seeList(pi: InProcess): Promise<readonly string[]> {
  await pi.session.prompt("/todos");
  return listed(pi);
}

test("/tree goes back to the list of that place, and keeps hold, spend and counters", async () => {
  await using pi = await openInProcess({ mode: "rpc" });
  pi.faux.setResponses([
    calls(write("a", "b")),
    says("stop"),
    ...workOnce(0),
    says("stop"),
    says("no"),
    says("no"),
    says("no"),
  ]);
  await pi.session.prompt("go");
  await pi.session.prompt("/hold");
  expect(await seeList(pi)).toEqual(["◇ [0] a", "– [1] b"]);
  const before = openRun(pi.store.log, pi.run()!.run).run;
  expect([before.ledger.held, before.ledger.spent.continuations]).toEqual([true, 4]);

  const listWritten = pi.session.sessionManager
    .getBranch()
    .find((entry) => entry.type === "message" && entry.message.role === "toolResult");
  await pi.session.navigateTree(listWritten!.id, {});
  expect(await seeList(pi)).toEqual(["– [0] a", "– [1] b"]);
  const after = openRun(pi.store.log, pi.run()!.run).run;
  expect([after.id, after.ledger.held, after.ledger.spent, after.ledger.since]).toEqual([
    before.id,
    true,
    before.ledger.spent,
    before.ledger.since,
  ]);

  pi.faux.setResponses([says("I am still held.")]);
  const nudgesBefore = pi.nudges().length;
  await pi.session.prompt("go on");
  expect(pi.nudges().length).toBe(nudgesBefore);
  expect(pi.errors).toEqual([]);
});

test("the list survives in the session alone: copied to a machine without the log it begins a run of its own", async () => {
  const sessionManager = SessionManager.inMemory();
  {
    await using pi = await openInProcess({ sessionManager, mode: "rpc" });
    pi.faux.setResponses([
      calls(write("a", "b")),
      calls(
        ["edit_todos", { action: "block", indices: [0], reason: "key" }],
        ["edit_todos", { action: "block", indices: [1], reason: "key" }],
      ),
      says("stop"),
    ]);
    await pi.session.prompt("go");
  }
  const store = memoryStore();
  await using pi = await openInProcess({ sessionManager, mode: "rpc", store });
  expect(await seeList(pi)).toEqual(["⏸ [0] a", "⏸ [1] b"]);
  const { run } = store.runs.list()[0]!;
  const before = store.log.last(run);
  await pi.bind(); // pi announces a session twice
  expect([store.runs.list().length, store.log.last(run), pi.errors]).toEqual([1, before, []]);
});

const workOnce = (index: number) => [calls(...workOn(index))];
