import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeOpenCode, openFakeOpenCode } from "../../../test/opencode/fake-opencode.ts";
import { type Envelope, eventText, UNBORN } from "../../core/run/index.ts";
import type { Store } from "../../engine/index.ts";
import { memoryStore, openStore } from "../../store/index.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

let fake: FakeOpenCode;
afterEach(() => fake.close());

describe("a server", () => {
  beforeEach(async () => {
    fake = await openFakeOpenCode();
  });

  test("one prompt after the countdown, as the agent, model and variant of the turn, marked as ours", async () => {
    await fake.begin("completed", "pending");
    await fake.wait(2_000);
    expect(fake.prompts).toMatchObject([
      {
        session: "root",
        body: {
          agent: "build",
          model: { providerID: "p", modelID: "m" },
          variant: "high",
          parts: [{ type: "text", synthetic: true, metadata: { tildone: { nudge: "b1" } } }],
        },
      },
    ]);
  });

  test("a session that works when the nudge is due: it is withdrawn, says so, and follows when the session is idle", async () => {
    await fake.close();
    const store = memoryStore();
    fake = await openFakeOpenCode({ store });
    await fake.begin("completed", "pending");
    fake.busy = { root: { type: "busy" } };
    await fake.wait(2_000);
    const [card] = store.runs.list();
    const { events } = store.log.read(card!.run, 0);
    const lines = (events as readonly Envelope[]).map(({ event }) => eventText(event, UNBORN));
    expect([fake.prompts, lines]).toEqual([[], expect.arrayContaining(["nudge b1 withdrawn: the session was busy"])]);
    expect(`${lines.join("\n")}\n${fake.said}`).not.toMatch(/provider|overload/i);
    fake.busy = {};
    await fake.wait(10_000);
    expect(fake.prompts).toHaveLength(1);
  });

  test.each([
    ["a dismissed question", "question.asked", "question.rejected", {}],
    ["a refused permission", "permission.asked", "permission.replied", { reply: "reject" }],
  ])("nothing is sent after %s", async (_what, asked, answered, more) => {
    await fake.human("go");
    await fake.list("pending");
    await fake.event(asked, { id: "q1", sessionID: "root" });
    await fake.event(answered, { requestID: "q1", sessionID: "root", ...more });
    await fake.status("idle");
    await fake.wait(3_600_000);
    expect([fake.prompts, fake.said]).toEqual([[], expect.stringContaining("Stopped by you")]);
  });

  test("it continues after a refusal with words, which the model took up", async () => {
    await fake.human("go");
    await fake.list("pending");
    await fake.event("permission.replied", { requestID: "p1", sessionID: "root", reply: "reject" });
    await fake.hooks["chat.params"]({ sessionID: "root", agent: "build" });
    await fake.status("idle");
    await fake.wait(2_000);
    expect(fake.prompts).toHaveLength(1);
  });

  test("it continues after an answer that was cut at its limit", async () => {
    await fake.human("go");
    await fake.list("pending");
    await fake.error("MessageOutputLengthError");
    await fake.status("idle");
    await fake.wait(2_000);
    expect(fake.prompts).toHaveLength(1);
  });

  describe("a context that overflows again and again", () => {
    const overflow = async () => {
      await fake.error("ContextOverflowError");
      await fake.event("session.compacted", { sessionID: "root" });
    };
    const aborts = () => fake.asked.filter((name) => name === "session.abort").length;

    test("is given up after the third time: the turn is aborted, and has failed", async () => {
      await fake.human("go");
      await fake.list("pending");
      await overflow();
      await overflow();
      expect(aborts()).toBe(0);
      await overflow();
      expect(aborts()).toBe(1);
      await fake.troubled("MessageAbortedError");
      await fake.wait(3_600_000);
      expect([fake.prompts, fake.said]).toEqual([[], expect.stringContaining("The context is full")]);
    });

    test("is not, if the model did something in between", async () => {
      await fake.human("go");
      for (let round = 0; round < 5; round++) {
        await fake.list("pending");
        await overflow();
        await overflow();
      }
      expect(aborts()).toBe(0);
    });
  });

  test("an abort in the moment after the idle is not lost while the end is still looked at", async () => {
    await fake.human("go");
    await fake.list("pending");
    await Promise.all([fake.status("idle"), fake.status("idle")]);
    await fake.wait(3_600_000);
    expect([fake.prompts, fake.said]).toEqual([[], expect.stringContaining("Stopped by you")]);
  });

  test("words in the moment after the idle begin a turn of their own, whose end is seen", async () => {
    await fake.human("go");
    await fake.list("pending");
    const idle = fake.status("idle");
    await fake.human("one more thing");
    await idle;
    await fake.wait(60_000);
    expect(fake.prompts).toEqual([]);
    await fake.status("idle");
    await fake.wait(2_000);
    expect(fake.prompts).toHaveLength(1);
  });

  describe("a turn that does not end by itself", () => {
    const aborts = () => fake.asked.filter((name) => name === "session.abort").length;
    const answer = (id: string, more: object = {}) =>
      fake.event("message.updated", {
        sessionID: "root",
        info: {
          id,
          role: "assistant",
          sessionID: "root",
          agent: "build",
          providerID: "p",
          modelID: "m",
          finish: "tool-calls",
          tokens: { input: 900, output: 100, reasoning: 0, cache: { read: 0, write: 0 } },
          cost: 0.01,
          ...more,
        },
      });
    const request = () => fake.hooks["chat.params"]({ sessionID: "root", agent: "build" });
    /** What the log says after OpenCode heard of its end. */
    const over = async () => {
      await fake.troubled("MessageAbortedError");
      await fake.wait(60_000);
      expect(fake.prompts).toEqual([]);
      return fake.said;
    };
    beforeEach(async () => {
      await fake.human("go");
      await fake.list("pending");
    });

    test("the same call again and again is ended after its eighth result", async () => {
      for (let count = 0; count < 8; count++) {
        expect(aborts()).toBe(0);
        await request();
        await fake.call("read", { filePath: "a" }, "same");
        await answer(`a${count}`);
      }
      expect(aborts()).toBe(1);
      expect(await over()).toContain("no progress");
    });

    test("a hold lets the tool that runs finish, refuses what would follow, and is no interrupt", async () => {
      await request();
      await fake.hooks["tool.execute.before"]({ tool: "bash", sessionID: "root", callID: "c1" });
      expect(await fake.command("hold")).toContain("On hold.");
      expect(aborts()).toBe(0);
      const next = { tool: "bash", sessionID: "root", callID: "c2" };
      await expect(fake.hooks["tool.execute.before"](next)).rejects.toThrow("tildone ends this turn");
      await fake.hooks["tool.execute.after"](
        { tool: "bash", sessionID: "root", callID: "c1", args: {} },
        { output: "" },
      );
      expect(aborts()).toBe(1);
      expect(await over()).toContain("On hold.");
    });

    test("silence is ended, but not while a tool runs", async () => {
      await request();
      await fake.hooks["tool.execute.before"]({ tool: "bash", sessionID: "root", callID: "c1" });
      await fake.wait(40 * 60_000);
      expect(aborts()).toBe(0);
      await fake.hooks["tool.execute.after"](
        { tool: "bash", sessionID: "root", callID: "c1", args: {} },
        { output: "" },
      );
      await answer("a1");
      await request();
      await fake.wait(16 * 60_000);
      expect(aborts()).toBe(1);
    });
  });

  test("an agent of the user's own is told to continue only where the settings say so", async () => {
    await fake.human("go", { agent: "mine" });
    await fake.list("pending");
    await fake.status("idle");
    await fake.wait(2_000);
    expect([fake.prompts, fake.toasts.length]).toEqual([[], 1]);
  });

  test("items that do not fit are cut or left out, counted and shown", async () => {
    const many = Array.from({ length: 100 }, (_, at) => ["pending", `item ${at}`] as const);
    await fake.begin(["pending", " "], ["someday", "later"], ["pending", "x".repeat(1_200)], ...many);
    expect(fake.toasts[0]!.message).toBe(
      "Todos of the host's own list: 1 without text left out, 1 with an unknown status left out, 1 over the limit left out, 1 cut short.",
    );
    await fake.wait(2_000);
    expect(fake.prompts[0]!.body.parts[0]!.text).toContain("0/100 done, 100 remaining");
  });

  test.each([
    ["todos", "There is no run in this session."],
    ["hold", "There is no run in this session."],
    ["workflow", "Usage: /workflow <name> <description>"],
    ["workflow nonsense do it", "nonsense"],
    ["extend tokens=5", "There is no run in this session."],
    ["extend much", "is not a budget"],
    ["cancel-workflow", "No active workflow to cancel."],
  ])("/%s without a run: %s", async (line, answer) => {
    const [name = "", ...words] = line.split(" ");
    expect(await fake.command(name, words.join(" "))).toContain(answer);
    expect(fake.said).toContain(answer);
  });

  test("/todos shows the list and how the run stands", async () => {
    await fake.begin("completed", "pending");
    expect(await fake.command("todos")).toMatch(
      /item 0\n.+item 1\n\nThe agent stopped with open todos: continuing in 2 s\./,
    );
  });

  test("/tildone shows how the run stands, switches it off and on, and clears it", async () => {
    await fake.begin("completed", "pending");
    expect(await fake.command("tildone")).toMatch(
      /^Run .+: 1\/2 done · 0 proven\.\nThe agent stopped with open todos: continuing in 2 s\.\nTold to continue 0 times, 0 since/,
    );
    expect(await fake.command("tildone", "off")).toBe("Continuation is off for this run.");
    await fake.wait(3_600_000);
    expect(fake.prompts).toEqual([]);
    expect(await fake.command("tildone", "on")).toBe("Continuation is on for this run.");
    await fake.wait(2_000);
    expect(fake.prompts).toHaveLength(1);
    expect(await fake.command("tildone", "nonsense")).toContain("on, off, accept or clear");
    expect(await fake.command("tildone", "clear")).toBe("Run ended, list cleared.");
    expect(await fake.command("tildone", "clear")).toBe("Run ended, list cleared.");
  });

  describe("a command where the newest prompt has its answer", () => {
    const PROMPT = { id: "m1", role: "user", agent: "build", time: { created: 1 } };
    const ANSWER = { role: "assistant", parentID: "m1", finish: "stop" };
    /** The command, and the prompt that OpenCode makes of it. */
    async function give(name: string) {
      const parts: unknown[] = [{ type: "text", text: "" }];
      await fake.hooks["command.execute.before"]({ command: name, sessionID: "root", arguments: "" }, { parts });
      const message: Record<string, unknown> = { id: "of the command", role: "user", system: "x" };
      await fake.hooks["chat.message"]({ sessionID: "root" }, { message, parts });
      return { message, parts };
    }
    beforeEach(async () => {
      await fake.begin("pending");
      fake.newest = { info: ANSWER, parts: [{ type: "text" }] };
      fake.prompt = { info: PROMPT, parts: [] };
    });

    test("stores that prompt once more instead of its own, and is no turn", async () => {
      await fake.wait(1_000);
      expect(await give("todos")).toEqual({ message: PROMPT, parts: [] });
      await fake.status("busy");
      await fake.status("idle");
      await fake.wait(999);
      expect(fake.prompts).toEqual([]);
      await fake.wait(1); // the countdown did not begin anew
      expect(fake.prompts).toHaveLength(1);
    });

    test("is no abort of an idle session, but the next idle is", async () => {
      await give("todos");
      await fake.status("busy");
      await fake.status("idle");
      await fake.status("idle");
      await fake.wait(3_600_000);
      expect([fake.prompts, fake.said]).toEqual([[], expect.stringContaining("Stopped by you")]);
    });

    test("hides no turn that begins meanwhile", async () => {
      await give("todos");
      await fake.human("one more thing");
      await fake.status("idle");
      await fake.wait(2_000);
      expect(fake.prompts).toHaveLength(1);
    });

    test("of a descendant is none of its root", async () => {
      const parts: unknown[] = [];
      const input = { command: "todos", sessionID: "child-1", arguments: "" };
      await fake.hooks["command.execute.before"](input, { parts });
      await fake.hooks["chat.message"]({ sessionID: "child-1" }, { message: {}, parts });
      await fake.status("idle"); // an abort of the idle root
      await fake.wait(3_600_000);
      expect([fake.prompts, fake.said]).toEqual([[], expect.stringContaining("Stopped by you")]);
    });

    test.each([
      ["was not finished", { ...ANSWER, finish: "tool-calls" }, []],
      ["was aborted", { role: "assistant", parentID: "m1" }, []],
      ["is not there", { role: "user" }, []],
      ["ends in a call", ANSWER, [{ type: "tool" }]],
    ])("is refused if the answer %s", async (_how, info, parts) => {
      fake.newest = { info, parts };
      await expect(give("todos")).rejects.toThrow("item 0");
    });

    test("is refused if OpenCode does not say", async () => {
      fake.reading = "fails";
      await expect(give("todos")).rejects.toThrow("item 0");
    });

    test("is taken while the session works", async () => {
      await fake.human("go on");
      fake.newest = { info: { role: "assistant", parentID: "m1" }, parts: [] };
      fake.busy = { root: { type: "busy" } };
      const before = fake.asked.length;
      expect(await give("todos")).toEqual({ message: PROMPT, parts: [] });
      expect(fake.asked[before]).toBe("session.status"); // else a turn that ends between two reads is neither at work nor over
    });

    test("/hold is answered where only the log says that a turn is under way: its process is gone", async () => {
      await fake.human("go on");
      const parts: unknown[] = [];
      await fake.hooks["command.execute.before"]({ command: "hold", sessionID: "root", arguments: "" }, { parts });
      expect(parts).toEqual([expect.objectContaining({ text: "On hold. /unhold continues." })]);
    });

    test.each(["", "now"])("/hold %s, which ends that work, is refused", async (args) => {
      await fake.human("go on");
      fake.busy = { root: { type: "busy" } };
      const input = { command: "hold", sessionID: "root", arguments: args };
      await expect(fake.hooks["command.execute.before"](input, { parts: [] })).rejects.toThrow("On hold.");
      expect(fake.asked).toContain("session.abort");
      await fake.troubled("MessageAbortedError");
      await fake.wait(3_600_000);
      expect([fake.prompts, fake.said]).toEqual([[], expect.stringContaining("On hold.")]);
    });

    test("/unhold where the model would be asked anyway asks it to continue", async () => {
      await fake.command("hold");
      fake.newest = undefined;
      expect((await give("unhold")).parts).toEqual([
        { type: "text", text: expect.stringMatching(/^Todos remain: 0\/1 done/) },
      ]);
    });
  });

  test("a command of another plugin is left alone", async () => {
    expect(await fake.command("review", "all of it")).toBe("all of it");
  });

  test("a phase refuses with the reason, and never the tools of the list", async () => {
    expect(await fake.command("workflow", "feature make it")).toMatch(
      /^Build this feature: make it\n[\s\S]*Explore\.\s*$/,
    );
    const starts = (tool: string) => fake.hooks["tool.execute.before"]({ tool, sessionID: "root" });
    await expect(starts("write")).rejects.toThrow('"write" is not available in the phase Explore of Feature');
    for (const tool of ["read", "todowrite", "question", "list_todos", "block_todos", "workflow_step", "invalid"])
      await starts(tool);
    const system: string[] = [];
    await fake.hooks["experimental.chat.system.transform"]({ sessionID: "root" }, { system });
    expect(system.join("\n")).toContain("Find out what is there before you decide anything.");
  });

  test("a mistake of ours is shown and goes no further", async () => {
    fake.reading = "fails";
    await fake.hooks["chat.message"]({ sessionID: "child-9" }, { message: {}, parts: [] });
    expect(fake.said).toContain("tildone failed: OpenCode did not answer");
  });
});

describe("what it costs", () => {
  let store: Store;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "tildone-opencode-cost-"));
    store = await openStore({ path: join(folder, "tildone.db") });
    fake = await openFakeOpenCode({ store });
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("nothing is asked of OpenCode for the events of a turn, however many", async () => {
    await fake.begin("pending");
    await fake.wait(2_000);
    await fake.prompted(fake.prompts[0]!.body.parts);
    const before = fake.asked.length;
    for (let at = 0; at < 1_000; at++) {
      await fake.event("message.part.delta", { sessionID: "root", messageID: "a", partID: "p", delta: "x" });
      await fake.event("message.part.updated", { sessionID: "root", part: { type: "text", text: "x" } });
      await fake.event("message.updated", { sessionID: "root", info: { id: "a", role: "assistant", agent: "build" } });
      await fake.event("todo.updated", { sessionID: "root", todos: [] });
      await fake.status("busy");
    }
    expect(fake.asked.length).toBe(before);
    await fake.status("idle");
    await fake.wait(2_000);
    // One boundary: who works, before and when it is sent, what works, and the list.
    expect(fake.asked.slice(before)).toEqual([
      "app.agents",
      "session.status",
      "session.todo",
      "app.agents",
      "session.promptAsync",
    ]);
  });

  test("a thousand sessions with a run each that came and went leave no timer and no memory behind", {
    timeout: 120_000,
  }, async () => {
    for (let at = 0; at < 300; at++) await comeAndGo(`early ${at}`);
    const before = heap();
    for (let at = 0; at < 1_000; at++) await comeAndGo(`s${at}`);
    expect(fake.clock.pending).toBe(0);
    expect((heap() - before) / 1_000).toBeLessThan(1_000); // bytes; a session that is kept has three times as many at least
  });

  function heap(): number {
    collect();
    return process.memoryUsage().heapUsed;
  }

  async function comeAndGo(sessionID: string): Promise<void> {
    await fake.event("session.created", { info: { id: sessionID } });
    await fake.human("hello", { sessionID });
    await fake.hooks["tool.execute.after"](
      { tool: "todowrite", sessionID, args: { todos: [{ content: "a", status: "pending" }] } },
      { output: "" },
    );
    await fake.status("idle", sessionID);
    await fake.event("session.deleted", { info: { id: sessionID } });
    fake.forgetShown();
  }
});

describe("inside the loop of `opencode run`", () => {
  beforeEach(async () => {
    fake = await openFakeOpenCode({ driver: "loop" });
    await fake.human("go");
    await fake.hooks["chat.params"]({ sessionID: "root", agent: "build" });
    await fake.list("pending");
  });

  const request = () => fake.hooks["chat.params"]({ sessionID: "root", agent: "build" });
  /** The text of an answer is over; what the hook waits for passes. */
  async function says(text: string): Promise<void> {
    const over = fake.hooks["experimental.text.complete"]({ sessionID: "root" }, { text });
    await fake.wait(1_000);
    await over;
  }

  test("a prompt that comes while the text is held lies there before the loop looks", async () => {
    await request();
    await fake.status("busy", "child");
    let isOver = false;
    const text = fake.hooks["experimental.text.complete"]({ sessionID: "root" }, { text: "I wait for it." }).then(
      () => {
        isOver = true;
      },
    );
    await fake.wait(2_000);
    const parts = [{ type: "text", text: "The agent is done.", synthetic: true }];
    await fake.hooks["chat.message"]({ sessionID: "root" }, { message: { id: "done", agent: "build" }, parts });
    await fake.wait(2_000);
    expect(isOver).toBe(false);
    await fake.event("message.part.updated", { sessionID: "root", part: { messageID: "done" } });
    await text;
    expect(fake.prompts).toEqual([]);
  });

  test("a text that nothing follows leaves a nudge in the loop, which the next request takes up", async () => {
    await request();
    await says("I stop.");
    expect([fake.prompts.length, fake.prompts[0]!.body.noReply, [...fake.laid].length]).toEqual([1, true, 1]);
    await request();
    await says("I stop again.");
    expect([fake.prompts.length, [...fake.laid].length]).toEqual([2, 2]);
  });

  test("a text that a call precedes or follows leaves none", async () => {
    await request();
    await fake.hooks["tool.execute.before"]({ tool: "bash", sessionID: "root" });
    await says("I called.");
    expect(fake.prompts).toEqual([]);
    await request();
    const over = fake.hooks["experimental.text.complete"]({ sessionID: "root" }, { text: "I call." });
    await fake.hooks["tool.execute.before"]({ tool: "bash", sessionID: "root" });
    await fake.wait(1_000);
    await over;
    expect(fake.prompts).toEqual([]);
  });

  test("a call that comes long after its text takes the nudge back, and its turn has worked", async () => {
    for (let turn = 1; turn <= 6; turn++) {
      await request();
      await says("Let me look.");
      expect([...fake.laid]).toHaveLength(1);
      await fake.call("bash", { command: `look ${turn}` });
      expect([...fake.laid]).toHaveLength(0);
      await request();
      await says("I looked, and stop.");
      expect([...fake.laid]).toHaveLength(1); // after three idle turns there would be none
      fake.forgetLaid();
    }
  });

  test("a run that stopped at a text continues with the call that follows", async () => {
    for (let turn = 1; turn <= 4; turn++) {
      await request();
      await says("Nothing.");
    }
    expect(fake.prompts).toHaveLength(3);
    await fake.call("bash", { command: "after all" });
    await request();
    await says("That was something.");
    expect(fake.prompts).toHaveLength(4);
  });

  test("a second text of the same answer is the same end", async () => {
    await request();
    await says("One.");
    await says("Two.");
    expect(fake.prompts).toHaveLength(1);
  });
});
