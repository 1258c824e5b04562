import { describe, expect, test } from "vitest";
import { aReader, aWriter, request } from "../../test/builders/scheduler.ts";
import { loadPolicy } from "../core/call/index.ts";
import { DEFAULTS } from "../core/continuation/index.ts";
import type { Trigger } from "../core/react/index.ts";
import { createEngine, speak } from "../engine/index.ts";
import { memoryStore } from "../store/index.ts";
import { createFakeClock, createFakeHost, HOST_KINDS } from "../testing/index.ts";
import { createRunScheduler, cutOffCalls } from "./run-scheduler.ts";
import { type Tool, toolBox } from "./tool.ts";

async function aRun(tools: readonly Tool[]) {
  const store = memoryStore();
  const clock = createFakeClock(1_000);
  const engine = createEngine({
    store,
    host: createFakeHost(HOST_KINDS.idle),
    clock,
    cwd: "/repo",
    driver: "one",
    newRunId: () => "run-1",
    context: () => ({ limits: DEFAULTS }),
    birth: () => ({ budget: {}, checks: [], requirements: [] }),
  });
  const load = loadPolicy({ root: "/repo" });
  if (!load.ok) throw new Error("no policy");
  const scheduler = createRunScheduler(engine, "s", {
    tools: toolBox(tools),
    clock,
    policy: load.policy,
    canAsk: () => true,
  });
  await engine.tell("s", {
    type: "todos.write",
    write: { mode: "replace", todos: [{ text: "work" }] },
    by: "model",
  });
  await engine.tell("s", { type: "turn.started", turn: "t1", cause: "human" });
  /** Another terminal: it knows nothing but the log. */
  const elsewhere = (trigger: Trigger) => speak(store.log, "run-1", trigger, clock.now()).reply;
  const events = () => store.log.read("run-1", 0).events.map(({ by, event }) => `${by} ${event.type}`);
  return { store, clock, engine, scheduler, elsewhere, events, run: () => engine.run("s")! };
}

const answer = (outcome: "once" | "denied" | "stopped" | "always_rule", words = "", call?: string): Trigger => ({
  type: "human.answer",
  outcome,
  words,
  ...(call !== undefined && { call }),
});

describe("answers from another process", () => {
  test("an approval is in the log before anyone is told, and its answer releases the call within 250 ms", async () => {
    const { scheduler, clock, elsewhere, run } = await aRun([aWriter()]);
    const done = scheduler.schedule([request("a", "write", { args: { path: "x" } })]);
    await clock.settle();
    expect(run().ledger.approvals).toMatchObject([{ call: "a", tool: "write" }]);
    expect(elsewhere(answer("once"))).toMatchObject({ type: "done" });
    await clock.advance(250);
    expect(await done).toMatchObject([{ status: "success" }]);
    expect(run().ledger.approvals).toEqual([]);
  });

  test("a denial with words reaches the model, and the run continues", async () => {
    const { scheduler, clock, elsewhere, run } = await aRun([aWriter()]);
    const done = scheduler.schedule([request("a", "write")]);
    await clock.settle();
    elsewhere(answer("denied", "use the other file"));
    await clock.advance(250);
    expect(await done).toMatchObject([{ status: "cancelled", code: "denied" }]);
    expect((await done)[0]).toMatchObject({ message: expect.stringContaining("use the other file") });
    expect(run().ledger.interrupt).toBeUndefined();
  });

  test.each([
    ["a denial without words", answer("denied")],
    ["deny and stop", answer("stopped", "enough")],
  ])("%s is an interrupt", async (_what, trigger) => {
    const { scheduler, clock, elsewhere, run } = await aRun([aWriter()]);
    const done = scheduler.schedule([request("a", "write")]);
    await clock.settle();
    elsewhere(trigger);
    await clock.advance(250);
    expect(await done).toMatchObject([{ status: "cancelled" }]);
    expect(run().ledger.interrupt).toBeDefined();
  });

  test("a denial without words is an interrupt here too", async () => {
    const { scheduler, clock, run, events } = await aRun([aWriter()]);
    const done = scheduler.schedule([request("a", "write")]);
    await clock.settle();
    scheduler.deny("a");
    await done;
    expect(run().ledger.interrupt).toBeDefined();
    expect(events()).toContain("human approval.answered");
  });

  test.each([
    ["nothing waits", [], answer("once"), "no_approval"],
    ["several wait and none is named", ["a", "b"], answer("once"), "which_approval"],
    ["the named one does not wait", ["a"], answer("once", "", "z"), "approval_gone"],
  ] as const)("%s: refused %s", async (_what, ids, trigger, code) => {
    const { scheduler, clock, elsewhere } = await aRun([aWriter()]);
    void scheduler.schedule(ids.map((id) => request(id, "write", { args: { path: id } })));
    await clock.settle();
    expect(elsewhere(trigger)).toMatchObject({ type: "refused", refusal: { code } });
    scheduler.cancel("all");
    await clock.settle();
  });

  test("the first answer in the log counts, whatever is clicked here a moment later", async () => {
    const { scheduler, clock, elsewhere, store } = await aRun([aWriter()]);
    const done = scheduler.schedule([request("a", "write")]);
    await clock.settle();
    elsewhere(answer("denied", "no"));
    expect(scheduler.approve("a")).toEqual({ ok: true });
    expect(await done).toMatchObject([{ status: "cancelled", code: "denied" }]);
    const answers = store.log.read("run-1", 0).events.filter(({ event }) => event.type === "approval.answered");
    expect(answers).toHaveLength(1);
  });

  test("an answer given twice is refused the second time", async () => {
    const { scheduler, clock, elsewhere } = await aRun([aWriter()]);
    const done = scheduler.schedule([request("a", "write")]);
    await clock.settle();
    elsewhere(answer("once", "", "a"));
    expect(elsewhere(answer("denied", "", "a"))).toMatchObject({ type: "refused" });
    await clock.advance(250);
    expect(await done).toMatchObject([{ status: "success" }]);
  });
});

describe("a command edited by another process", () => {
  const ran: unknown[] = [];
  const shell: Tool = {
    name: "bash",
    kind: "execute",
    claims: () => [],
    command: (args) => (args as { command: string }).command,
    withCommand: (args, command) => ({ ...(args as object), command }),
    run: (args) => void ran.push(args),
  };
  async function asking(tool: Tool = shell) {
    ran.length = 0;
    const place = await aRun([tool]);
    const done = place.scheduler.schedule([request("a", "bash", { args: { command: "rm -r dist", seconds: 5 } })]);
    await place.clock.settle();
    const edit = (command: string) => place.elsewhere({ type: "human.answer", outcome: "edited", command });
    return { ...place, done, edit };
  }

  test("runs instead, with the other arguments as they were; the log has both", async () => {
    const { done, edit, clock, run, store } = await asking();
    expect(run().ledger.approvals).toMatchObject([{ what: "rm -r dist", editable: true }]);
    expect(edit("rm -r build")).toMatchObject({ type: "done" });
    await clock.advance(250);
    expect(await done).toMatchObject([{ status: "success" }]);
    expect(ran).toEqual([{ command: "rm -r build", seconds: 5 }]);
    const answers = store.log.read("run-1", 0).events.filter(({ event }) => event.type === "approval.answered");
    expect(answers).toMatchObject([{ by: "human", event: { outcome: "edited", what: "rm -r build" } }]);
  });

  test("does not run where a rule denies it, and the agent is told why", async () => {
    const { done, edit, clock } = await asking({ ...shell, withCommand: () => "no arguments", parse: parsedObject });
    edit("rm -r build");
    await clock.advance(250);
    expect([await done, ran]).toMatchObject([
      [{ status: "cancelled", code: "denied", message: expect.stringContaining("but it cannot run") }],
      [],
    ]);
  });

  test.each([
    ["an empty command", "  ", "empty_command"],
    ["one that is too long to read", "x".repeat(20_000), "too_long"],
    [
      "one that holds a secret",
      "curl -H 'Authorization: Bearer ghp_0123456789abcdefghij0123456789abcdef'",
      "holds_secret",
    ],
  ])("%s is refused, and the call still waits", async (_what, command, code) => {
    const { edit, run, scheduler, clock } = await asking();
    expect(edit(command)).toMatchObject({ type: "refused", refusal: { code } });
    expect(run().ledger.approvals).toHaveLength(1);
    scheduler.cancel("all");
    await clock.settle();
  });

  test("a tool that cannot say its arguments by a command is not edited from outside", async () => {
    const { withCommand: _, ...plain } = shell;
    const { edit, run, scheduler, clock } = await asking(plain);
    expect(run().ledger.approvals[0]).not.toHaveProperty("editable");
    expect(edit("rm -r build")).toMatchObject({ type: "refused", refusal: { code: "not_editable" } });
    scheduler.cancel("all");
    await clock.settle();
  });

  const parsedObject: NonNullable<Tool["parse"]> = (args) =>
    typeof args === "object" ? { ok: true, args } : { ok: false, path: "", message: "no arguments" };
});

test("what a tool asks in the middle of its work cannot be allowed for good, from nowhere", async () => {
  const asks: Tool = {
    name: "deploy",
    kind: "read",
    run: (_args, call) => call.ask({ what: "deploy now", because: "it costs money" }),
  };
  const { scheduler, clock, elsewhere, run } = await aRun([asks]);
  const done = scheduler.schedule([request("a", "deploy")]);
  await clock.settle();
  expect(run().ledger.approvals).toMatchObject([{ what: "deploy now", alwaysTool: false }]);
  expect(elsewhere({ type: "human.answer", outcome: "always_tool", words: "" })).toMatchObject({
    refusal: { code: "no_tool_rule" },
  });
  elsewhere(answer("once"));
  await clock.advance(250);
  expect(await done).toMatchObject([{ status: "success", value: { granted: true } }]);
});

describe("a hold", () => {
  test("keeps the next call back and lets the running one finish", async () => {
    const gate = Promise.withResolvers<string>();
    const { scheduler, clock, engine } = await aRun([aReader("slow", () => gate.promise), aReader()]);
    const running = scheduler.schedule([request("a", "slow")]);
    await clock.settle();
    await engine.tell("s", { type: "human.hold", now: false });
    expect(await scheduler.schedule([request("b", "read")])).toMatchObject([{ status: "cancelled", code: "held" }]);
    gate.resolve("ok");
    expect(await running).toMatchObject([{ status: "success" }]);
    await engine.tell("s", { type: "human.unhold" });
    expect(await scheduler.schedule([request("c", "read")])).toMatchObject([{ status: "success" }]);
  });

  test("our own tools are never kept back", async () => {
    const { scheduler, engine } = await aRun([aReader("list_todos", () => "list", { kind: "own" })]);
    await engine.tell("s", { type: "human.hold", now: false });
    expect(await scheduler.schedule([request("a", "list_todos")])).toMatchObject([{ status: "success" }]);
  });

  test("what the user asks for themselves is not kept back", async () => {
    const { scheduler, engine } = await aRun([aReader()]);
    await engine.tell("s", { type: "human.hold", now: false });
    const own = { ...request("a", "read"), by: "human" as const };
    expect(await scheduler.schedule([own])).toMatchObject([{ status: "success" }]);
  });

  test("with now, from another process, ends what is running", async () => {
    const { scheduler, clock, elsewhere } = await aRun([aReader("slow", () => new Promise(() => {}))]);
    const running = scheduler.schedule([request("a", "slow")]);
    await clock.settle();
    elsewhere({ type: "human.hold", now: true });
    await clock.advance(500);
    expect(await running).toMatchObject([{ status: "cancelled", code: "held" }]);
  });
});

describe("what the log keeps", () => {
  test("of reads one line a batch; of a write its intent before it acts and its outcome", async () => {
    const seenByTool: string[][] = [];
    const { scheduler, events } = await aRun([
      aReader(),
      aWriter("free", () => seenByTool.push(events().filter((line) => line.includes("call."))), {
        kind: "read",
        claims: () => [{ path: "x", access: "write" }],
      }),
    ]);
    await scheduler.schedule([request("a", "read"), request("b", "read")]);
    expect(events().filter((line) => /call|batch/.test(line))).toEqual(["engine batch.settled"]);
    await scheduler.schedule([request("c", "free")]);
    expect(seenByTool).toEqual([["engine call.intended"]]);
    expect(events().slice(-3)).toEqual(["engine call.intended", "engine call.settled", "engine batch.settled"]);
  });

  test("calls never seen before are activity of the turn, repeated ones are not", async () => {
    const { scheduler, run } = await aRun([aReader()]);
    await scheduler.schedule([request("a", "read", { args: { path: "x" } })]);
    const after = run().ledger.activity;
    await scheduler.schedule([request("b", "read", { args: { path: "x" } })]);
    expect([after, run().ledger.activity, run().ledger.turn?.acted]).toEqual([1, 1, true]);
    await scheduler.schedule([request("c", "read", { args: { path: "y" } })]);
    expect(run().ledger.activity).toBe(2);
  });

  test("a process that lost its run acts no more", async () => {
    let ran = false;
    const tool = aReader(
      "free",
      () => {
        ran = true;
      },
      { claims: () => [{ path: "x", access: "write" }] },
    );
    const { scheduler, store, clock } = await aRun([tool]);
    const other = createEngine({
      store,
      host: createFakeHost(HOST_KINDS.idle),
      clock,
      cwd: "/repo",
      driver: "two",
      newRunId: () => "run-2",
      context: () => ({ limits: DEFAULTS }),
      birth: () => ({ budget: {}, checks: [], requirements: [] }),
    });
    other.open("s", { goOn: false });
    expect(await scheduler.schedule([request("a", "free")])).toMatchObject([{ status: "error", code: "not_recorded" }]);
    expect(ran).toBe(false);
    other.dispose();
  });

  test("a call that was under way when its process died is shown as cut off and not done again", async () => {
    const { scheduler, store, clock } = await aRun([
      aReader("free", () => new Promise(() => {}), { claims: () => [{ path: "x", access: "write" }] }),
    ]);
    void scheduler.schedule([request("a", "free")]);
    await clock.settle();
    const { calls } = cutOffCalls(store.log, "run-1");
    expect(calls).toMatchObject([{ call: "a", tool: "free", writes: ["/repo/x"], attempt: 1 }]);
  });
});
