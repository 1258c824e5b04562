import { describe, expect, test } from "vitest";
import { aGate, aReader, aScheduler, aWriter, request } from "../../test/builders/scheduler.ts";
import type { SettledCall } from "../core/call/index.ts";
import { type Tool, TransientError } from "./tool.ts";

/** "success", "error deadline", "cancelled denied", … in the order of the results. */
const said = (results: readonly SettledCall[]) =>
  results.map((call) => `${call.request.id} ${call.status === "success" ? "success" : `${call.status} ${call.code}`}`);
const forever = () => new Promise(() => {});

/** What a widely used scheduler gets wrong, one by one; each name says what must happen instead. */
describe("what must not be repeated", () => {
  test("cancel ends the wait for an approval, without any signal", async () => {
    const { scheduler, clock } = aScheduler({ tools: [aWriter()] });
    const done = scheduler.schedule([request("a", "write")]);
    await clock.settle();
    expect(scheduler.snapshot().approvals).toHaveLength(1);
    scheduler.cancel("all");
    expect(said(await done)).toEqual(["a cancelled cancelled"]);
    expect(clock.pending).toBe(0);
  });

  test("a tool that ignores its signal is cut off after the grace, and its late result is late, not a success", async () => {
    const gate = aGate();
    const { scheduler, clock, updates, journal } = aScheduler({ tools: [aWriter("write", gate.wait)], mode: "yolo" });
    const done = scheduler.schedule([request("a", "write")]);
    await clock.settle();
    scheduler.cancel("all");
    await clock.advance(249);
    expect(scheduler.snapshot().calls[0]?.status).toBe("executing");
    await clock.advance(1);
    expect(await done).toMatchObject([{ status: "cancelled", effect: "unknown" }]);
    gate.open();
    await clock.settle();
    expect(updates.at(-1)).toMatchObject({ type: "call.late", id: "a", effect: "done" });
    expect(journal.at(-1)).toEqual({ type: "call.late", call: "a", effect: "done" });
  });

  test("a tool that never returns wedges neither its batch nor a later one", async () => {
    const { scheduler, clock } = aScheduler({
      tools: [aReader("hang", forever), aWriter("write"), aReader("read")],
      mode: "yolo",
      limits: { slots: 1 },
    });
    const hanging = scheduler.schedule([request("a", "hang")]);
    const behind = scheduler.schedule([request("b", "read")]);
    await clock.settle();
    scheduler.cancel({ call: "a" });
    await clock.advance(250);
    expect(said(await hanging)).toEqual(["a cancelled cancelled"]);
    expect(said(await behind)).toEqual(["b success"]);
  });

  test("the paths of a tool that never returns are free again after a while", async () => {
    const { scheduler, clock } = aScheduler({
      tools: [aWriter("hang", forever), aWriter("write")],
      mode: "yolo",
      limits: { lateMs: 1_000 },
    });
    const hanging = scheduler.schedule([request("a", "hang", { args: { path: "x" }, deadlineMs: 10 })]);
    const behind = scheduler.schedule([request("b", "write", { args: { path: "x" } })]);
    await clock.advance(260);
    expect(said(await hanging)).toEqual(["a error deadline"]);
    await clock.advance(999);
    expect(scheduler.snapshot().calls[0]?.status).toBe("scheduled");
    await clock.advance(1);
    expect(said(await behind)).toEqual(["b success"]);
  });

  test("each cancel covers everything accepted before it", async () => {
    const ran: string[] = [];
    const gate = aGate();
    const tool = aReader("read", (_args, { id }) => {
      ran.push(id);
      return gate.wait();
    });
    const { scheduler, clock } = aScheduler({ tools: [tool], limits: { slots: 1 } });
    const first = scheduler.schedule([request("a", "read")]);
    scheduler.cancel("all");
    const second = scheduler.schedule([request("b", "read")]);
    scheduler.cancel("all");
    await clock.advance(250);
    expect([...said(await first), ...said(await second)]).toEqual(["a cancelled cancelled", "b cancelled cancelled"]);
    expect(ran).toEqual(["a"]);
  });

  test("denying one of three questions leaves the other two as they are", async () => {
    const { scheduler, clock } = aScheduler({ tools: [aWriter()] });
    const done = scheduler.schedule(["a", "b", "c"].map((id) => request(id, "write", { args: { path: id } })));
    await clock.settle();
    scheduler.deny("b");
    await clock.settle();
    expect(scheduler.snapshot().approvals.map(({ call }) => call)).toEqual(["a", "c"]);
    scheduler.approve("a");
    scheduler.approve("c");
    expect(said(await done)).toEqual(["a success", "b cancelled denied", "c success"]);
  });

  test("deny and stop ends everything else", async () => {
    const { scheduler, clock } = aScheduler({ tools: [aWriter()] });
    const done = scheduler.schedule(["a", "b", "c"].map((id) => request(id, "write", { args: { path: id } })));
    await clock.settle();
    scheduler.deny("b", { rest: "stops", words: "not like this" });
    expect(said(await done)).toEqual(["a cancelled stopped", "b cancelled denied", "c cancelled stopped"]);
  });

  test.each(["always_tool", "always_rule"] as const)(
    "%s on one of three identical questions releases all",
    async (type) => {
      const { scheduler, clock } = aScheduler({ tools: [aWriter(), aWriter("other")] });
      const same = ["a", "b", "c"].map((id) => request(id, "write", { args: { path: "x" } }));
      const done = scheduler.schedule([...same, request("d", "other", { args: { path: "x" } })]);
      await clock.settle();
      expect(scheduler.approve("b", { type })).toEqual({ ok: true });
      await clock.settle();
      expect(scheduler.snapshot().approvals.map(({ call }) => call)).toEqual(["d"]);
      scheduler.deny("d");
      expect(said(await done)).toEqual(["a success", "b success", "c success", "d cancelled denied"]);
      const later = await scheduler.schedule([request("e", "write", { args: { path: "x" } })]);
      expect(said(later)).toEqual(["e success"]);
    },
  );

  test("what is allowed does not wait for a sibling that asks", async () => {
    const { scheduler, clock, states } = aScheduler({ tools: [aReader(), aWriter()] });
    void scheduler.schedule([request("a", "write"), request("b", "read")]);
    await clock.settle();
    expect(states()).toContain("b success");
    expect(scheduler.snapshot().approvals).toHaveLength(1);
    scheduler.cancel("all");
  });

  test("an answer given synchronously by the one who is told counts", async () => {
    const { scheduler } = aScheduler({ tools: [aWriter()] });
    scheduler.observe((update) => {
      if (update.type === "call.entered" && update.call.status === "awaiting_approval")
        expect(scheduler.approve(update.call.request.id)).toEqual({ ok: true });
    });
    expect(said(await scheduler.schedule([request("a", "write"), request("b", "write")]))).toEqual([
      "a success",
      "b success",
    ]);
  });

  test("late output of a finished call changes nothing", async () => {
    const gate = aGate();
    let late: ((text: string) => void) | undefined;
    const noisy = aReader("noisy", (_args, call) => {
      late = (text) => call.print(text);
      call.print("in time");
      return "ok";
    });
    const { scheduler, clock, states } = aScheduler({ tools: [noisy, aReader("slow", gate.wait)] });
    const done = scheduler.schedule([request("a", "noisy"), request("b", "slow")]);
    await clock.settle();
    late?.("too late");
    await clock.advance(1_000);
    gate.open();
    expect(await done).toMatchObject([{ output: { text: "in time", dropped: 0 } }, { status: "success" }]);
    expect(states().filter((state) => state.startsWith("a "))).toEqual([
      "a validating",
      "a scheduled",
      "a executing",
      "a success",
    ]);
  });

  test("edited arguments go to the call they were edited for, and to no other", async () => {
    const wrote: unknown[] = [];
    const { scheduler, clock } = aScheduler({ tools: [aWriter("write", (args) => wrote.push(args))] });
    const done = scheduler.schedule(["a", "b"].map((id) => request(id, "write", { args: { path: id } })));
    await clock.settle();
    scheduler.approve("b", { type: "edited", args: { path: "b2" } });
    scheduler.approve("a");
    const results = await done;
    expect(results.map((call) => call.request.args)).toEqual([{ path: "a" }, { path: "b2" }]);
    expect(wrote).toHaveLength(2);
    expect(wrote).toEqual(expect.arrayContaining([{ path: "a" }, { path: "b2" }]));
  });

  test("an id used twice is refused the second time, and run once", async () => {
    let runs = 0;
    const { scheduler } = aScheduler({ tools: [aReader("read", () => ++runs)] });
    const results = await scheduler.schedule([request("a", "read"), request("a", "read"), request("b", "read")]);
    expect(said(results)).toEqual(["a success", "a error duplicate_id", "b success"]);
    expect(said(await scheduler.schedule([request("b", "read")]))).toEqual(["b error duplicate_id"]);
    expect(runs).toBe(2);
  });

  test("an answer that the journal is slow to take neither times out nor keeps the process busy", async () => {
    const slow = Promise.withResolvers<void>();
    const { scheduler, clock } = aScheduler({
      tools: [aWriter()],
      limits: { approvalMs: 1_000, journalMs: 60_000 },
      journal: { append: ([event]) => (event?.type === "approval.answered" ? slow.promise : undefined) },
    });
    const done = scheduler.schedule([request("a", "write")]);
    await clock.settle();
    scheduler.approve("a");
    await clock.advance(5_000);
    slow.resolve();
    expect(said(await done)).toEqual(["a success"]);
  });

  test("an observer that throws or rejects disturbs no call and no other observer", async () => {
    const { scheduler, faults, updates, clock } = aScheduler({ tools: [aReader()] });
    scheduler.observe(() => {
      throw new Error("mine");
    });
    scheduler.observe(async () => {
      throw new Error("mine, later");
    });
    expect(said(await scheduler.schedule([request("a", "read")]))).toEqual(["a success"]);
    await clock.settle();
    expect(faults).toHaveLength(2 * updates.length);
  });

  test("a gate can tighten a decision and never loosen it", async () => {
    let ran = false;
    const tool = aWriter("write", () => {
      ran = true;
    });
    const { scheduler } = aScheduler({
      tools: [tool],
      rules: [{ name: "never", decision: "deny", tool: "write" }],
      gates: [() => ({ decision: "ask", because: "a hook asks" })],
    });
    expect(said(await scheduler.schedule([request("a", "write")]))).toEqual(["a error denied"]);
    expect(ran).toBe(false);
  });

  const asking: Tool = {
    name: "sandboxed",
    kind: "read",
    run: async (_args, call) => (await call.ask({ what: "write outside", because: "more rights needed" })).granted,
  };

  test("a question in the middle of the work has one address, the call's", async () => {
    const { scheduler, clock, journal, states } = aScheduler({ tools: [asking] });
    const done = scheduler.schedule([request("a", "sandboxed")]);
    await clock.settle();
    expect(scheduler.snapshot().approvals).toMatchObject([{ call: "a", what: "write outside" }]);
    expect(scheduler.approve("a")).toEqual({ ok: true });
    expect(await done).toMatchObject([{ status: "success", value: true }]);
    expect(journal.filter(({ type }) => type === "approval.requested")).toHaveLength(1);
    expect(states().slice(2)).toEqual(["a executing", "a awaiting_approval", "a executing", "a success"]);
  });

  test("an abort while such a question is open gives cancelled, not error", async () => {
    const { scheduler, clock } = aScheduler({ tools: [asking] });
    const controller = new AbortController();
    const done = scheduler.schedule([request("a", "sandboxed")], controller.signal);
    await clock.settle();
    controller.abort();
    expect(said(await done)).toEqual(["a cancelled aborted"]);
    expect(scheduler.snapshot().approvals).toEqual([]);
  });

  test("results come in the order of the requests, not in that of their ends, with denied calls among them", async () => {
    const gate = aGate();
    const { scheduler, clock } = aScheduler({ tools: [aReader("slow", gate.wait), aReader(), aWriter()] });
    const done = scheduler.schedule([
      request("a", "slow"),
      request("b", "write"),
      request("c", "read"),
      request("d", "read", { needs: ["b"] }),
      request("e", "nothing"),
    ]);
    await clock.settle();
    scheduler.deny("b", { words: "no" });
    await clock.settle();
    gate.open();
    expect(said(await done)).toEqual([
      "a success",
      "b cancelled denied",
      "c success",
      "d cancelled need_failed",
      "e error unknown_tool",
    ]);
  });

  test("equal priority keeps the order of the requests", async () => {
    const ran: string[] = [];
    const tool = aReader("read", (_args, { id }) => ran.push(id));
    const { scheduler } = aScheduler({ tools: [tool], limits: { slots: 1 } });
    await scheduler.schedule([
      request("a", "read", { priority: "high" }),
      request("b", "read"),
      request("c", "read", { priority: "high" }),
      request("d", "read", { priority: "high" }),
    ]);
    expect(ran).toEqual(["a", "c", "d", "b"]);
  });

  test("a tool that fails in passing forever runs twice and no more", async () => {
    let runs = 0;
    const flaky = aReader("flaky", () => {
      runs++;
      throw new TransientError("busy");
    });
    const { scheduler } = aScheduler({ tools: [flaky] });
    expect(said(await scheduler.schedule([request("a", "flaky")]))).toEqual(["a error tool_failed"]);
    expect(runs).toBe(2);
  });

  test("a tool that asks forever is refused at some point", async () => {
    const nagging: Tool = {
      name: "nag",
      kind: "read",
      async run(_args, call) {
        for (let asked = 1; ; asked++) if (!(await call.ask({ what: "?", because: "?" })).granted) return asked;
      },
    };
    const { scheduler } = aScheduler({ tools: [nagging], limits: { questionsPerCall: 5 } });
    scheduler.observe((update) => {
      if (update.type === "call.entered" && update.call.status === "awaiting_approval") scheduler.approve("a");
    });
    expect(await scheduler.schedule([request("a", "nag")])).toMatchObject([{ status: "success", value: 6 }]);
  });

  test("a call that is cancelled while it waits, is queued or runs is always answered with a result", async () => {
    const gate = aGate();
    const { scheduler, clock } = aScheduler({
      tools: [aReader("slow", gate.wait), aWriter()],
      limits: { slots: 1 },
    });
    const [aborted, later] = [new AbortController(), new AbortController()];
    aborted.abort();
    const all = [
      scheduler.schedule([request("a", "slow")]),
      scheduler.schedule([request("b", "slow")], later.signal),
      scheduler.schedule([request("c", "write")]),
      scheduler.schedule([request("d", "slow")], aborted.signal),
    ];
    await clock.settle();
    later.abort();
    scheduler.cancel("all");
    await clock.advance(250);
    expect((await Promise.all(all)).flatMap(said)).toEqual([
      "a cancelled cancelled",
      "b cancelled aborted",
      "c cancelled cancelled",
      "d cancelled aborted",
    ]);
  });

  test("without a terminal to ask in, a question is a typed refusal", async () => {
    const { scheduler } = aScheduler({ tools: [aWriter()], canAsk: () => false });
    expect(said(await scheduler.schedule([request("a", "write")]))).toEqual(["a error nobody_to_ask"]);
  });

  test("a hundred batches on one signal are one listener, and none is left", async () => {
    let listeners = 0;
    const controller = new AbortController();
    const { signal } = controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const gate = aGate();
    const { scheduler, clock } = aScheduler({ tools: [aReader("slow", gate.wait)], limits: { slots: 100 } });
    const all = Array.from({ length: 100 }, (_, i) => scheduler.schedule([request(`c${i}`, "slow")], signal));
    await clock.settle();
    expect(listeners).toBe(1);
    for (let i = 0; i < 100; i++) gate.open(i);
    await Promise.all(all);
    expect(listeners).toBe(0);
  });

  test("schedulers share nothing: one that is not disposed leaves no listener behind", async () => {
    const before = process.eventNames().map((name) => process.listenerCount(name));
    for (let i = 0; i < 20; i++) aScheduler({ tools: [aReader()] });
    expect(process.eventNames().map((name) => process.listenerCount(name))).toEqual(before);
  });

  test("updates are deltas: six per call, however many calls there are", async () => {
    const { scheduler, updates } = aScheduler({ tools: [aReader()] });
    await scheduler.schedule(Array.from({ length: 1_000 }, (_, i) => request(`c${i}`, "read")));
    expect(updates).toHaveLength(6 * 1_000 + 1 + updates.filter(({ type }) => type === "loop.found").length);
    expect(updates.map(({ seq }) => seq)).toEqual(updates.map((_, index) => index + 1));
  });

  test("a batch of 130,000 calls is taken", { timeout: 120_000 }, async () => {
    const { scheduler } = aScheduler({ tools: [aReader()], isUnobserved: true });
    const results = await scheduler.schedule(Array.from({ length: 130_000 }, (_, i) => request(`c${i}`, "read")));
    expect(results.every(({ status }) => status === "success")).toBe(true);
  });

  test("a large batch lets everything else in the process have its turn", async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const { scheduler } = aScheduler({ tools: [aReader()], isUnobserved: true, limits: { burst: 20 } });
    await scheduler.schedule(Array.from({ length: 2_000 }, (_, i) => request(`c${i}`, "read")));
    isOver = true;
    expect(turns).toBeGreaterThan(50);
  });

  test("the rules given to it are not changed", async () => {
    const rules = [
      { name: "b", decision: "ask" as const, tool: "write" },
      { name: "a", decision: "allow" as const },
    ];
    const before = structuredClone(rules);
    const { scheduler, clock } = aScheduler({ tools: [aWriter()], rules });
    const done = scheduler.schedule([request("a", "write")]);
    await clock.settle();
    scheduler.approve("a", { type: "always_tool" });
    await done;
    expect(rules).toEqual(before);
  });

  test("each call's deadline stands still while that call waits, and only that one", async () => {
    const gate = aGate();
    const { scheduler, clock } = aScheduler({ tools: [asking, aReader("slow", gate.wait)] });
    const done = scheduler.schedule([
      request("a", "sandboxed", { deadlineMs: 100 }),
      request("b", "sandboxed", { deadlineMs: 100 }),
      request("c", "slow", { deadlineMs: 100 }),
    ]);
    await clock.advance(50);
    scheduler.approve("a");
    await clock.advance(10_000);
    scheduler.approve("b");
    expect(said(await done)).toEqual(["a success", "b success", "c error deadline"]);
  });

  test("every accepted call has exactly one answer, also when everything is stopped", async () => {
    const { scheduler, clock, states, journal } = aScheduler({ tools: [aWriter()], mode: "ask" });
    const done = scheduler.schedule(["a", "b"].map((id) => request(id, "write", { args: { path: id } })));
    await clock.settle();
    scheduler.approve("a");
    scheduler.deny("b", { rest: "stops" });
    const results = await done;
    expect(results).toHaveLength(2);
    expect(states().filter((state) => /success|error|cancelled/.test(state))).toHaveLength(2);
    expect(journal.filter(({ type }) => type === "batch.settled")).toHaveLength(1);
  });
});
