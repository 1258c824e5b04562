import { describe, expect, test } from "vitest";
import { aGate, aReader, aScheduler, aWriter, request } from "../../test/builders/scheduler.ts";
import type { CallEvent, CallRequest, SettledCall } from "../core/call/index.ts";
import { type Tool, TransientError } from "./tool.ts";

const said = (results: readonly SettledCall[]) =>
  results.map((call) => `${call.request.id} ${call.status === "success" ? "success" : `${call.status} ${call.code}`}`);
const forever = () => new Promise(() => {});

describe("what is refused before anything runs", () => {
  const strict: Tool = {
    name: "strict",
    kind: "read",
    parse: (args) => {
      if (args === "boom") throw new Error("cannot look at it");
      return typeof args === "object" ? { ok: true, args } : { ok: false, path: "path", message: "must be a text" };
    },
    run: () => "ok",
  };
  const unclear: Tool = {
    ...strict,
    name: "unclear",
    claims: () => {
      throw new Error("no idea what it touches");
    },
  };
  test.each<[string, CallRequest, string, string]>([
    ["an unknown tool", request("a", "strikt"), "unknown_tool", 'There is no tool "strikt". Did you mean strict?'],
    ["bad arguments", request("a", "strict", { args: 7 }), "bad_arguments", "path: must be a text"],
    [
      "arguments that cannot be looked at",
      request("a", "strict", { args: "boom" }),
      "bad_arguments",
      "cannot look at it",
    ],
    ["claims that cannot be told", request("a", "unclear"), "bad_arguments", "no idea what it touches"],
    [
      "an unknown need",
      request("a", "strict", { needs: ["z"] }),
      "unknown_need",
      "It needs a call that was never accepted. (z)",
    ],
    [
      "a need on itself",
      request("a", "strict", { needs: ["a"] }),
      "need_cycle",
      "It needs itself, directly or through others. (a)",
    ],
    [
      "a call that was cut off",
      request("old", "strict"),
      "cut_off",
      "A call with this id was under way when an earlier process ended.",
    ],
  ])("%s", async (_what, bad, code, message) => {
    const { scheduler } = aScheduler({ tools: [strict, unclear], cutOff: ["old"] });
    const results = await scheduler.schedule([bad, request("b", "strict", { args: {} })]);
    expect(results[0]).toMatchObject({ status: "error", code, message, effect: "none" });
    expect(results[1]).toMatchObject({ status: "success" });
  });

  test("no calls, no results", async () => expect(await aScheduler({ tools: [] }).scheduler.schedule([])).toEqual([]));
});

describe("order", () => {
  /** "+a" when the tool of a begins, "-a" when it ends. */
  function logged(options: Partial<Parameters<typeof aScheduler>[0]> = {}) {
    const log: string[] = [];
    const gates = new Map<string, () => void>();
    const run = (_args: unknown, { id }: { id: string }) => {
      log.push(`+${id}`);
      return new Promise<void>((done) =>
        gates.set(id, () => {
          log.push(`-${id}`);
          done();
        }),
      );
    };
    const bench = aScheduler({ tools: [aReader("r", run), aWriter("w", run)], mode: "yolo", ...options });
    const end = async (...ids: readonly string[]) => {
      for (const id of ids) gates.get(id)!();
      await bench.clock.settle();
    };
    return { ...bench, log, end };
  }
  const at = (id: string, tool: "r" | "w", path = "x", more: Partial<CallRequest> = {}) =>
    request(id, tool, { args: { path }, ...more });

  test("reads together, then the write alone, then reads together", async () => {
    const { scheduler, clock, log, end } = logged();
    void scheduler.schedule([at("a", "r"), at("b", "r"), at("c", "w"), at("d", "r"), at("e", "r")]);
    await clock.settle();
    await end("a", "b");
    await end("c");
    await end("d", "e");
    expect(log.join(" ")).toBe("+a +b -a -b +c -c +d +e -d -e");
  });

  test("a later batch stands behind an earlier one where they conflict, and beside it where not", async () => {
    const { scheduler, clock, log, end } = logged();
    void scheduler.schedule([at("a", "w")]);
    void scheduler.schedule([at("b", "w"), at("c", "w", "y")]);
    await clock.settle();
    expect(log).toEqual(["+a", "+c"]);
    await end("a");
    expect(log).toEqual(["+a", "+c", "-a", "+b"]);
  });

  test("a call may need calls of an earlier batch, and of its own in any order", async () => {
    const { scheduler, clock, log, end } = logged();
    void scheduler.schedule([at("a", "r", "1")]);
    void scheduler.schedule([at("b", "r", "2", { needs: ["c", "a"] }), at("c", "r", "3")]);
    await clock.settle();
    expect(log).toEqual(["+a", "+c"]);
    await end("c");
    await end("a");
    expect(log.at(-1)).toBe("+b");
  });

  test("a failed call cancels what needs it, however far, and nothing else", async () => {
    const broken = aReader("broken", () => {
      throw new Error("no");
    });
    const { scheduler } = aScheduler({ tools: [broken, aReader()] });
    const results = await scheduler.schedule([
      request("a", "broken"),
      request("b", "read", { needs: ["a"] }),
      request("c", "read", { needs: ["b"] }),
      request("d", "read"),
    ]);
    expect(said(results)).toEqual([
      "a error tool_failed",
      "b cancelled need_failed",
      "c cancelled need_failed",
      "d success",
    ]);
  });

  test("a chain of 20,000 needs falls without running out of stack", async () => {
    const { scheduler } = aScheduler({ tools: [aReader()] });
    const chain = Array.from({ length: 20_000 }, (_, i) =>
      request(`c${i}`, i === 0 ? "nothing" : "read", i === 0 ? {} : { needs: [`c${i - 1}`] }),
    );
    const results = await scheduler.schedule(chain);
    expect(results.filter(({ status }) => status === "cancelled")).toHaveLength(19_999);
  });
});

describe("rules and modes", () => {
  test("a denial is typed and tells the model why; a gate that fails denies", async () => {
    const { scheduler } = aScheduler({
      tools: [aWriter(), aReader()],
      rules: [{ name: "never", decision: "deny", tool: "write", message: "Ask the human to do it." }],
      gates: [
        ({ tool }) => {
          if (tool === "read") throw new Error("broken gate");
          return undefined;
        },
      ],
    });
    expect(await scheduler.schedule([request("a", "write"), request("b", "read")])).toMatchObject([
      { status: "error", code: "denied", message: "Ask the human to do it." },
      { status: "error", code: "denied", message: "Denied: it could not be evaluated: broken gate." },
    ]);
  });

  test("a tool that cannot say which command it would run is denied", async () => {
    const shell = aReader("shell", () => "ok", {
      command: () => {
        throw new Error("no command");
      },
    });
    const { scheduler } = aScheduler({ tools: [shell], mode: "yolo" });
    expect(said(await scheduler.schedule([request("a", "shell")]))).toEqual(["a error denied"]);
  });

  test("what is allowed never asks; what the user asked for himself need not ask, but stays denied", async () => {
    const { scheduler, states } = aScheduler({
      tools: [aReader(), aWriter(), aWriter("forbidden")],
      rules: [{ name: "never", decision: "deny", tool: "forbidden" }],
    });
    const results = await scheduler.schedule([
      request("a", "read"),
      request("b", "write", { by: "human" }),
      request("c", "forbidden", { by: "human" }),
    ]);
    expect(said(results)).toEqual(["a success", "b success", "c error denied"]);
    expect(states().filter((state) => state.includes("awaiting"))).toEqual([]);
  });

  test("tildone's own tools never ask", async () => {
    const own = aReader("write_todos", () => "ok", { kind: "own" });
    const { scheduler } = aScheduler({
      tools: [own],
      mode: "plan",
      isHeld: () => true,
      gates: [() => ({ decision: "deny", because: "a phase" })],
    });
    expect(said(await scheduler.schedule([request("a", "write_todos")]))).toEqual(["a success"]);
  });

  test("a change of mode holds at once for what waits: looser releases, stricter ends", async () => {
    const { scheduler, clock } = aScheduler({ tools: [aWriter()] });
    const loosened = scheduler.schedule([request("a", "write", { args: { path: "a" } })]);
    await clock.settle();
    scheduler.setMode("yolo");
    expect(said(await loosened)).toEqual(["a success"]);
    scheduler.setMode("ask");
    const tightened = scheduler.schedule([request("b", "write", { args: { path: "b" } })]);
    await clock.settle();
    scheduler.setMode("plan");
    expect(said(await tightened)).toEqual(["b cancelled mode_changed"]);
  });

  test("a call that stands in line is judged again when its turn comes", async () => {
    const gate = aGate();
    const { scheduler, clock } = aScheduler({ tools: [aWriter("write", gate.wait)], mode: "yolo" });
    const done = scheduler.schedule(["a", "b"].map((id) => request(id, "write", { args: { path: "x" } })));
    await clock.settle();
    scheduler.setMode("ask");
    gate.open();
    expect(said(await done)).toEqual(["a success", "b cancelled mode_changed"]);
  });
});

describe("answers", () => {
  const asking = async (options: Partial<Parameters<typeof aScheduler>[0]> = {}) => {
    const bench = aScheduler({ tools: [aWriter()], ...options });
    const done = bench.scheduler.schedule([request("a", "write", { args: { path: "x" } })]);
    await bench.clock.settle();
    return { ...bench, done };
  };

  test.each([
    ["an unknown call", "z", "unknown_call"],
    ["a call that asks nothing", "b", "not_asked"],
    ["a call that has ended", "c", "already_settled"],
  ])("to %s change nothing", async (_what, id, code) => {
    const { scheduler, clock } = await asking({ tools: [aWriter(), aReader("hang", forever), aReader()] });
    void scheduler.schedule([request("b", "hang"), request("c", "read")]);
    await clock.settle();
    expect(scheduler.approve(id)).toMatchObject({ ok: false, code });
    expect(scheduler.deny(id)).toMatchObject({ ok: false, code });
    scheduler.cancel("all");
  });

  test("the first one counts", async () => {
    const { scheduler, done } = await asking();
    expect(scheduler.deny("a", { words: "no" })).toEqual({ ok: true });
    expect(scheduler.approve("a")).toMatchObject({ ok: false, code: "already_answered" });
    expect(said(await done)).toEqual(["a cancelled denied"]);
  });

  test("silence is a denial", async () => {
    const { clock, done, journal } = await asking({ limits: { approvalMs: 1_000 } });
    await clock.advance(1_000);
    expect(said(await done)).toEqual(["a cancelled approval_timeout"]);
    expect(journal.find(({ type }) => type === "approval.answered")).toMatchObject({ outcome: "timed_out" });
  });

  test("edited arguments that do not fit, or that a rule denies, leave the question open", async () => {
    const picky = aWriter("write", () => "ok", {
      parse: (args) =>
        typeof (args as { path?: unknown }).path === "string"
          ? { ok: true, args }
          : { ok: false, path: "path", message: "must be a text" },
    });
    const { scheduler, done } = await asking({
      tools: [picky],
      rules: [{ name: "no secrets", decision: "deny", path: "secrets/**" }],
    });
    const edited = (args: unknown) => scheduler.approve("a", { type: "edited", args });
    expect(edited({ path: 7 })).toEqual({ ok: false, code: "bad_arguments", message: "path: must be a text" });
    expect(edited({ path: "secrets/key" })).toMatchObject({ ok: false, code: "denied" });
    expect(edited({ path: "y" })).toEqual({ ok: true });
    expect(await done).toMatchObject([{ status: "success", request: { args: { path: "y" } } }]);
  });

  test("edited arguments wait for a call that works on the same path", async () => {
    const gate = aGate();
    const { scheduler, clock, states } = aScheduler({
      tools: [aWriter(), aReader("look", gate.wait)],
      limits: { slots: 5 },
    });
    const done = scheduler.schedule([
      request("a", "write", { args: { path: "x" } }),
      request("b", "look", { args: { path: "y" } }),
    ]);
    await clock.settle();
    scheduler.approve("a", { type: "edited", args: { path: "y" } });
    await clock.settle();
    expect(states()).not.toContain("a executing");
    gate.open();
    expect(said(await done)).toEqual(["a success", "b success"]);
  });

  test("there is no always for what cannot be said exactly", async () => {
    const shell: Tool = {
      name: "shell",
      kind: "execute",
      command: (args) => (args as { command: string }).command,
      run: () => "ok",
    };
    const { scheduler, clock } = aScheduler({ tools: [shell] });
    const done = scheduler.schedule([request("a", "shell", { args: { command: "rm $FILES" } })]);
    await clock.settle();
    expect(scheduler.snapshot().approvals[0]).not.toHaveProperty("always");
    expect(scheduler.approve("a", { type: "always_rule" })).toMatchObject({ ok: false, code: "no_exact_rule" });
    scheduler.approve("a");
    expect(said(await done)).toEqual(["a success"]);
  });

  test("once is once", async () => {
    const { scheduler, clock, done } = await asking();
    scheduler.approve("a");
    await done;
    const again = scheduler.schedule([request("b", "write", { args: { path: "x" } })]);
    await clock.settle();
    expect(scheduler.snapshot().approvals.map(({ call }) => call)).toEqual(["b"]);
    scheduler.cancel("all");
    await again;
  });

  test("a question that its call no longer needs is withdrawn in the log", async () => {
    const { scheduler, clock, journal, done } = await asking();
    scheduler.cancel({ call: "a" });
    await done;
    await clock.settle();
    expect(journal).toContainEqual(
      expect.objectContaining({ type: "approval.answered", call: "a", outcome: "withdrawn", words: "" }),
    );
  });
});

describe("a journal that fails", () => {
  const failing = (type: CallEvent["type"]) => ({
    append: (events: readonly CallEvent[]) => {
      if (events.some((event) => event.type === type)) throw new Error("the disk is full");
    },
  });

  test("no question without its record", async () => {
    const { scheduler, faults } = aScheduler({ tools: [aWriter()], journal: failing("approval.requested") });
    expect(said(await scheduler.schedule([request("a", "write")]))).toEqual(["a error not_recorded"]);
    expect(faults).toHaveLength(1);
  });

  test("no approval without its record; a denial stands without", async () => {
    const { scheduler, clock } = aScheduler({ tools: [aWriter()], journal: failing("approval.answered") });
    const done = scheduler.schedule(["a", "b"].map((id) => request(id, "write", { args: { path: id } })));
    await clock.settle();
    scheduler.approve("a");
    scheduler.deny("b", { words: "no" });
    expect(said(await done)).toEqual(["a error not_recorded", "b cancelled denied"]);
  });

  test("no write without the record of its intent", async () => {
    let ran = false;
    const tool = aWriter("write", () => {
      ran = true;
    });
    const { scheduler } = aScheduler({ tools: [tool], mode: "yolo", journal: failing("call.intended") });
    expect(said(await scheduler.schedule([request("a", "write")]))).toEqual(["a error not_recorded"]);
    expect(ran).toBe(false);
  });

  test("a batch is answered even if its summary cannot be written, or the journal does not answer", async () => {
    const { scheduler } = aScheduler({ tools: [aReader()], journal: failing("batch.settled") });
    expect(said(await scheduler.schedule([request("a", "read")]))).toEqual(["a success"]);
    const hanging = aScheduler({ tools: [aReader()], journal: { append: () => new Promise(() => {}) } });
    const done = hanging.scheduler.schedule([request("a", "read")]);
    await hanging.clock.advance(250);
    expect(said(await done)).toEqual(["a success"]);
  });

  test("a journal that hangs fails after a while, and what came behind it is written then", async () => {
    let isHanging = true;
    const written: CallEvent[] = [];
    const { scheduler, clock } = aScheduler({
      tools: [aWriter()],
      mode: "yolo",
      limits: { journalMs: 1_000 },
      journal: {
        append: (events) => (isHanging ? new Promise<void>(() => {}) : void written.push(...events)),
      },
    });
    const first = scheduler.schedule([request("a", "write", { args: { path: "a" } })]);
    await clock.settle();
    isHanging = false;
    const second = scheduler.schedule([request("b", "write", { args: { path: "b" } })]);
    await clock.advance(1_000);
    expect([...said(await first), ...said(await second)]).toEqual(["a error not_recorded", "b success"]);
    expect(written.filter(({ type }) => type === "call.intended")).toMatchObject([{ call: "b" }]);
  });
});

describe("while it works", () => {
  test("a tool knows its call, and whether it is the second attempt", async () => {
    const seen: unknown[] = [];
    const flaky = aWriter("flaky", (_args, { id, attempt, signal }) => {
      seen.push([id, attempt, signal.aborted]);
      if (attempt === 1) throw new TransientError("locked");
      return "ok";
    });
    const { scheduler, journal, updates } = aScheduler({ tools: [flaky], mode: "yolo" });
    expect(said(await scheduler.schedule([request("a", "flaky")]))).toEqual(["a success"]);
    expect(seen).toEqual([
      ["a", 1, false],
      ["a", 2, false],
    ]);
    expect(journal.flatMap((event) => (event.type === "call.intended" ? [event.attempt] : []))).toEqual([1, 2]);
    expect(updates.filter(({ type }) => type === "call.started")).toHaveLength(2);
  });

  test("an ordinary failure is not tried again", async () => {
    let runs = 0;
    const broken = aReader("broken", () => {
      runs++;
      throw new Error("for good");
    });
    const { scheduler } = aScheduler({ tools: [broken] });
    expect(await scheduler.schedule([request("a", "broken")])).toMatchObject([
      { code: "tool_failed", message: "for good" },
    ]);
    expect(runs).toBe(1);
  });

  test("output is told now and then and kept from its end, also when the call is cancelled", async () => {
    const noisy = aReader("noisy", (_args, call) => {
      for (let i = 0; i < 1_000; i++) call.print(`line ${i}\n`);
      return forever();
    });
    const { scheduler, clock, updates } = aScheduler({ tools: [noisy], limits: { outputCharacters: 30 } });
    const done = scheduler.schedule([request("a", "noisy")]);
    await clock.advance(100);
    const printed = updates.filter(({ type }) => type === "call.printed");
    expect(printed).toMatchObject([{ output: { text: expect.stringMatching(/line 999\n$/) } }]);
    scheduler.cancel("all");
    await clock.advance(250);
    const [result] = await done;
    expect(result).toMatchObject({ status: "cancelled", effect: "unknown" });
    expect(result?.output.text).toHaveLength(30);
    expect(result?.output.dropped).toBe(8_890 - 30);
  });

  test("a tool that hears its signal ends at once, and what it had done is known", async () => {
    const obeying = aReader(
      "obeying",
      (_args, { signal }) =>
        new Promise((_done, failed) => signal.addEventListener("abort", () => failed(signal.reason), { once: true })),
    );
    const { scheduler, clock } = aScheduler({ tools: [obeying] });
    const done = scheduler.schedule([request("a", "obeying")]);
    await clock.settle();
    scheduler.cancel({ call: "a" });
    expect(await done).toMatchObject([{ status: "cancelled", code: "cancelled", effect: "failed" }]);
    expect(clock.pending).toBe(0);
  });

  test("an abort in the middle of a batch", async () => {
    const gate = aGate();
    const controller = new AbortController();
    const { scheduler, clock } = aScheduler({
      tools: [aReader("first"), aReader("slow", gate.wait)],
      limits: { slots: 1 },
    });
    const done = scheduler.schedule(
      [request("a", "first"), request("b", "slow"), request("c", "slow")],
      controller.signal,
    );
    await clock.settle();
    controller.abort();
    await clock.advance(250);
    expect(said(await done)).toEqual(["a success", "b cancelled aborted", "c cancelled aborted"]);
    expect(gate.waiting).toBe(1);
  });

  test("going round in circles is noticed; the same call with other results is not", async () => {
    let polls = 0;
    const { scheduler, updates } = aScheduler({ tools: [aReader("same"), aReader("poll", () => ++polls)] });
    for (let i = 0; i < 6; i++) await scheduler.schedule([request(`p${i}`, "poll")]);
    expect(updates.filter(({ type }) => type === "loop.found")).toEqual([]);
    for (let i = 0; i < 6; i++) await scheduler.schedule([request(`s${i}`, "same")]);
    expect(updates.filter(({ type }) => type === "loop.found")).toMatchObject([
      { loop: { period: 1, rounds: 5 } },
      { loop: { period: 1, rounds: 6 } },
    ]);
  });
});

describe("the end", () => {
  test("dispose ends everything within the grace, takes nothing more on and leaves no timer", async () => {
    const { scheduler, clock } = aScheduler({ tools: [aReader("hang", forever), aWriter()] });
    const done = scheduler.schedule([request("a", "hang"), request("b", "write")]);
    await clock.settle();
    const disposed = scheduler.dispose();
    await clock.advance(250);
    await disposed;
    expect(said(await done)).toEqual(["a cancelled disposed", "b cancelled disposed"]);
    expect(said(await scheduler.schedule([request("c", "write")]))).toEqual(["c cancelled disposed"]);
    expect([clock.pending, scheduler.snapshot().calls]).toEqual([0, []]);
  });

  test("a snapshot shows what is under way and cannot change it", async () => {
    const { scheduler, clock } = aScheduler({ tools: [aReader("hang", forever), aReader()] });
    const done = scheduler.schedule([request("a", "hang"), request("b", "read")]);
    await clock.settle();
    const { calls } = scheduler.snapshot();
    expect(calls.map(({ status }) => status)).toEqual(["executing", "success"]);
    (calls as unknown[]).length = 0;
    expect(scheduler.snapshot().calls).toHaveLength(2);
    scheduler.cancel("all");
    await clock.advance(250);
    await done;
  });

  test("the updates of one call, in order", async () => {
    const { scheduler, updates } = aScheduler({ tools: [aReader()] });
    await scheduler.schedule([request("a", "read")]);
    expect(
      updates.map((update) => (update.type === "call.entered" ? `entered ${update.call.status}` : update.type)),
    ).toEqual([
      "entered validating",
      "entered scheduled",
      "entered executing",
      "call.started",
      "entered success",
      "call.ended",
      "calls.settled",
    ]);
  });

  test("an observer that leaves while it is told hears no more, and the others do", async () => {
    const { scheduler, updates } = aScheduler({ tools: [aReader()] });
    let heard = 0;
    const leave = scheduler.observe(() => {
      heard++;
      leave();
    });
    await scheduler.schedule([request("a", "read")]);
    expect([heard, updates.length]).toEqual([1, 7]);
  });
});
