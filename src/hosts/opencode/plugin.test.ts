import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../store/index.ts";
import { createFakeClock, type FakeClock } from "../../testing/index.ts";
import type { Client, PromptBody, ToastBody } from "./payload.ts";
import { createPlugin } from "./plugin.ts";

// OpenCode as its plugin sees it, event by event in the orders that were recorded from the real one. There is no call that
// reads messages: the plugin does not need one.
const ALLOW = [{ permission: "*", pattern: "*", action: "allow" }] as const;
const DENY = [...ALLOW, { permission: "edit", pattern: "*", action: "deny" }] as const;

interface World {
  readonly clock: FakeClock;
  readonly prompts: { readonly session: string; readonly body: PromptBody }[];
  readonly toasts: ToastBody[];
  readonly plugin: Hooks;
  todos: readonly object[];
  busy: Record<string, unknown>;
  refuses: boolean;
}
type Hooks = Extract<Awaited<ReturnType<typeof createPlugin>>, { event: unknown }>;

describe("a server", () => {
  let folder: string;
  let world: World;
  let messages = 0;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "tildone-opencode-"));
    world = await open();
  });
  afterEach(async () => {
    await world.plugin.dispose();
    await world.plugin.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(): Promise<World> {
    const clock = createFakeClock(1_000_000);
    const made = { clock, prompts: [], toasts: [], todos: [], busy: {}, refuses: false } as unknown as World;
    const ok = <T>(data: T) => Promise.resolve({ data });
    const client: Client = {
      session: {
        prompt: () => ok({ info: { id: "m" }, parts: [{ id: "p" }] }),
        promptAsync: async ({ path, body }) => {
          if (made.refuses) return { error: { name: "Busy" } };
          made.prompts.push({ session: path.id, body });
          return {};
        },
        get: ({ path: { id } }) => ok(id.startsWith("child") ? { parentID: "root" } : {}),
        todo: () => ok(made.todos),
        status: () => ok(made.busy),
        abort: () => ok(true),
      },
      app: {
        agents: () =>
          ok([
            { name: "build", permission: ALLOW },
            { name: "plan", permission: DENY },
            { name: "mine", permission: ALLOW },
          ]),
      },
      tui: {
        showToast: async ({ body }) => {
          made.toasts.push(body);
          return {};
        },
      },
      _client: { delete: async () => undefined },
    };
    const plugin = await createPlugin(
      { client, directory: folder },
      { driver: "idle" },
      {
        clock,
        store: memoryStore(),
        env: {},
        home: folder,
      },
    );
    return Object.assign(made, { plugin: plugin as Hooks });
  }

  const event = (type: string, properties: object) =>
    world.plugin.event({ event: { type, properties: { ...properties } } });
  const status = (type: string, sessionID = "root") => event("session.status", { sessionID, status: { type } });
  const said = async (parts: readonly object[], { agent = "build", sessionID = "root" } = {}) => {
    const id = `m${++messages}`;
    const message = { id, agent, model: { providerID: "p", modelID: "m", variant: "high" } };
    await world.plugin["chat.message"]({ sessionID }, { message, parts });
    await status("busy", sessionID);
  };
  const human = (text: string, more?: { agent?: string; sessionID?: string }) => said([{ type: "text", text }], more);
  const todowrite = async (...statuses: readonly string[]) => {
    const todos = statuses.map((each, at) => ({ content: `item ${at}`, status: each, priority: "medium" }));
    world.todos = todos;
    await world.plugin["tool.execute.after"]({ tool: "todowrite", sessionID: "root", args: { todos } }, { output: "" });
  };
  const until = (ms: number) => world.clock.advance(ms);
  const begin = async (...statuses: readonly string[]) => {
    await human("go");
    await todowrite(...statuses);
    await status("idle");
  };
  const answer = async () => {
    await said(world.prompts.at(-1)!.body.parts);
  };

  test("one prompt after the countdown, as the agent, model and variant of the turn, marked as ours", async () => {
    await begin("completed", "pending");
    await until(2_000);
    expect(world.prompts).toMatchObject([
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
    expect(world.toasts.map(({ message }) => message)).toEqual(["Goes on in 2 s: 1 open", "Goes on in 1 s: 1 open"]);
  });

  test.each([
    [
      "the host's echo of an error",
      async () => {
        await event("session.error", { sessionID: "root", error: { name: "MessageAbortedError" } });
        await status("idle");
        await event("message.updated", {
          sessionID: "root",
          info: { role: "assistant", error: { name: "MessageAbortedError" } },
        });
        await status("idle");
      },
    ],
    [
      "an abort of the idle session",
      async () => {
        await status("idle");
        await until(1_000);
        await status("idle");
      },
    ],
    [
      "a dismissed question",
      async () => {
        await event("question.asked", { id: "q1", sessionID: "root" });
        await event("question.rejected", { requestID: "q1", sessionID: "root" });
        await status("idle");
      },
    ],
    [
      "a refused permission",
      async () => {
        await event("permission.asked", { id: "p1", sessionID: "root" });
        await event("permission.replied", { requestID: "p1", sessionID: "root", reply: "reject" });
        await status("idle");
      },
    ],
    [
      "a question that is still open",
      async () => {
        await event("question.asked", { id: "q1", sessionID: "root" });
        await status("idle");
      },
    ],
    [
      "a permanent failure",
      async () => {
        await event("session.error", {
          sessionID: "root",
          error: { name: "APIError", data: { statusCode: 400, message: "bad" } },
        });
        await status("idle");
      },
    ],
    [
      "an overflow that nobody compacted",
      async () => {
        await event("session.error", { sessionID: "root", error: { name: "ContextOverflowError", data: {} } });
        await status("idle");
      },
    ],
    [
      "words during the countdown",
      async () => {
        await status("idle");
        await until(1_000);
        await human("wait");
      },
    ],
  ])("nothing is sent after %s", async (_what, happens) => {
    await human("go");
    await todowrite("pending");
    await happens();
    await until(3_600_000);
    expect(world.prompts).toEqual([]);
  });

  test.each([
    [
      "a refusal with words, which the model took up",
      async () => {
        await event("permission.replied", { requestID: "p1", sessionID: "root", reply: "reject" });
        await world.plugin["chat.params"]({ sessionID: "root", agent: "build" });
      },
    ],
    [
      "an overflow that OpenCode compacted",
      async () => {
        await event("session.error", { sessionID: "root", error: { name: "ContextOverflowError", data: {} } });
        await event("session.compacted", { sessionID: "root" });
      },
    ],
    [
      "an answer that was cut at its limit",
      async () => {
        await event("session.error", { sessionID: "root", error: { name: "MessageOutputLengthError" } });
      },
    ],
    [
      "a question that was answered",
      async () => {
        await event("question.asked", { id: "q1", sessionID: "root" });
        await event("question.replied", { requestID: "q1", sessionID: "root" });
      },
    ],
  ])("it goes on after %s", async (_what, happens) => {
    await human("go");
    await todowrite("pending");
    await happens();
    await status("idle");
    await until(2_000);
    expect(world.prompts).toHaveLength(1);
  });

  test.each([
    ["plan", 0],
    ["mine", 0],
    ["gone", 0],
    ["build", 1],
  ])("the agent %s is sent on %i times", async (agent, times) => {
    await human("go", { agent });
    await todowrite("pending");
    await status("idle");
    await until(2_000);
    expect(world.prompts).toHaveLength(times);
    if (times === 0) expect(world.toasts).toHaveLength(1);
  });

  test("descendants are waited for, and are not sent on themselves", async () => {
    await human("go");
    await todowrite("pending");
    await status("busy", "child-1");
    await status("idle");
    await until(600_000);
    expect(world.prompts).toEqual([]);
    await status("idle", "child-1");
    await until(2_000);
    expect(world.prompts.map(({ session }) => session)).toEqual(["root"]);
  });

  test("a list that was finished elsewhere, and a session that works again, are seen before anything is sent", async () => {
    await begin("pending");
    world.busy = { root: { type: "busy" } };
    await until(2_000);
    expect(world.prompts).toEqual([]);
    world.busy = {};
    world.todos = [{ content: "item 0", status: "completed" }];
    await until(60_000);
    expect(world.prompts).toEqual([]);
  });

  test("a prompt that OpenCode refuses is tried again later", async () => {
    await begin("pending");
    world.refuses = true;
    await until(2_000);
    world.refuses = false;
    await until(5_000);
    await until(2_000);
    expect(world.prompts).toHaveLength(1);
  });

  test("our own prompts are not the human's: talk alone ends after three", async () => {
    await begin("pending");
    for (let turn = 0; turn < 6 && world.prompts.length === turn; turn++) {
      await until(2_000);
      if (world.prompts.length > turn) {
        await answer();
        await status("idle");
      }
    }
    expect(world.prompts).toHaveLength(3);
    expect(world.toasts.at(-1)!.message).toContain("nothing came of it");
  });

  test("items that OpenCode's list calls blocked are blocked, and words of the human free them", async () => {
    await begin("completed", "blocked");
    await until(60_000);
    expect(world.prompts).toEqual([]);
    expect(world.toasts.at(-1)!.message).toContain("blocked in the host's own list");
  });

  test("OpenCode's own prompt after a compaction is left out while a run is live, and the list goes along", async () => {
    const output = { enabled: true };
    await world.plugin["experimental.compaction.autocontinue"]({ sessionID: "root" }, output);
    expect(output.enabled).toBe(true);
    await human("go");
    await todowrite("pending");
    await world.plugin["experimental.compaction.autocontinue"]({ sessionID: "root" }, output);
    const context: string[] = [];
    await world.plugin["experimental.session.compacting"]({ sessionID: "root" }, { context });
    expect([output.enabled, context.join("\n")]).toEqual([false, expect.stringContaining("item 0")]);
  });

  test("hold outlives messages, and says so instead of starting a turn", async () => {
    await begin("pending");
    const hold = world.plugin["command.execute.before"](
      { command: "hold", sessionID: "root", arguments: "" },
      { parts: [] },
    );
    await expect(hold).rejects.toThrow("Held. /unhold lets it go on.");
    for (const words of ["one", "two"]) {
      await human(words);
      await status("idle");
      await until(10_000);
    }
    expect(world.prompts).toEqual([]);
    const unhold = world.plugin["command.execute.before"](
      { command: "unhold", sessionID: "root", arguments: "" },
      { parts: [] },
    );
    await expect(unhold).rejects.toThrow("The run goes on.");
    await until(2_000);
    expect(world.prompts).toHaveLength(1);
  });

  test("a thousand sessions that came and went leave no timer behind", async () => {
    for (let at = 0; at < 1_000; at++) {
      const sessionID = `s${at}`;
      await event("session.created", { info: { id: sessionID } });
      await human("hello", { sessionID });
      await status("idle", sessionID);
      await event("session.deleted", { info: { id: sessionID } });
    }
    expect(world.clock.pending).toBe(0);
  });
});
