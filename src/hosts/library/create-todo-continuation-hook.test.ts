import { describe, expect, test } from "vitest";
import { createFakeClock } from "../../testing/index.ts";
import {
  type AgentInfo,
  createTodoContinuationHook,
  type Message,
  type Toast,
  type Todo,
  type TodoContinuationOptions,
} from "./index.ts";

type Status = Todo["status"];

/** A program with a list, an agent and toasts: what a host of the hook looks like. */
function aProgram(given: TodoContinuationOptions = {}) {
  const clock = createFakeClock(1_000_000);
  const toasts: Toast[] = [];
  const prompts: { readonly session: string; readonly text: string; readonly agent: string | undefined }[] = [];
  const state = {
    todos: todos("completed", "pending", "pending") as readonly Todo[] | null,
    messages: [{ role: "assistant" }] as readonly Message[] | null,
    background: 0 as number | null,
    agent: { agent: "coder", hasWritePermission: true } as AgentInfo | null,
    main: "main" as string | null | undefined,
    refuses: false,
  };
  const hook = createTodoContinuationHook({
    clock,
    cwd: "/project",
    getTodos: () => state.todos,
    getMessages: async () => state.messages,
    getBackgroundTaskCount: () => state.background,
    getMainSessionId: () => state.main,
    isSubagentSession: (session) => session.startsWith("child"),
    getAgentInfo: () => state.agent,
    showToast: (toast) => void toasts.push(toast),
    injectPrompt: async (session, text, agent) => {
      if (state.refuses) throw new Error("busy");
      prompts.push({ session, text, agent });
    },
    ...given,
  });
  const on = (event: string, data?: unknown, sessionId = "main") => hook.handler({ event, sessionId, data });
  return {
    clock,
    toasts,
    prompts,
    state,
    hook,
    on,
    idle: (session = "main") => on("session.idle", undefined, session),
  };
}

const todos = (...statuses: readonly Status[]): readonly Todo[] =>
  statuses.map((status, at) => ({ id: `${at}`, content: `item ${at}`, status, priority: "medium" }));
const user = (text?: string, id?: string) => ({ info: { role: "user", id }, ...(text !== undefined && { text }) });
const assistant = (more: object = {}) => ({ info: { role: "assistant", ...more } });
const COUNTDOWN = 2_000;

test("the value that programs register", () => {
  const { hook } = aProgram();
  expect(hook).toMatchObject({
    name: "todo-continuation-enforcer",
    priority: 40,
    events: [
      "session.idle",
      "session.error",
      "session.deleted",
      "message.updated",
      "message.after",
      "tool.before",
      "tool.after",
    ],
  });
});

describe("the test plan", () => {
  test("should start countdown on idle with incomplete todos", async () => {
    const { idle, prompts, clock, toasts } = aProgram();
    expect(await idle()).toMatchObject({ status: "counting_down" });
    expect(toasts).toHaveLength(1);
    await clock.advance(COUNTDOWN - 1);
    expect(prompts).toEqual([]);
  });

  test("should cancel countdown on user message", async () => {
    const { idle, on, prompts, clock } = aProgram();
    await idle();
    await clock.advance(600);
    await on("message.updated", user("wait", "m1"));
    await clock.advance(60_000);
    expect(prompts).toEqual([]);
  });

  test.each([
    ["message.updated", assistant({ id: "a1" })],
    ["message.after", assistant()],
    ["tool.before", { tool: "bash" }],
    ["tool.after", { tool: "bash", args: {}, result: "x" }],
  ])("should cancel countdown on assistant message: %s", async (event, data) => {
    const { idle, on, prompts, clock } = aProgram();
    await idle();
    await on(event, data);
    await clock.advance(60_000);
    expect(prompts).toEqual([]);
  });

  test("should skip during recovery", async () => {
    const { idle, hook, prompts, clock } = aProgram();
    hook.markRecovering("main");
    expect(await idle()).toMatchObject({ status: "waiting", reason: "recovering" });
    await clock.advance(30_000);
    expect(prompts).toEqual([]);
    hook.markRecoveryComplete("main");
    await clock.advance(COUNTDOWN);
    expect(prompts).toHaveLength(1);
  });

  test("should skip when background tasks running", async () => {
    const { idle, state, prompts, clock } = aProgram();
    state.background = 2;
    expect(await idle()).toMatchObject({ status: "waiting", reason: "background" });
    await clock.advance(60_000);
    expect(prompts).toEqual([]);
    state.background = 0; // no event tells it: it is counted every second
    await clock.advance(1_000 + COUNTDOWN);
    expect(prompts).toHaveLength(1);
  });

  test("should inject prompt after countdown", async () => {
    const { idle, prompts, clock } = aProgram();
    await idle();
    await clock.advance(COUNTDOWN);
    expect(prompts).toMatchObject([{ session: "main", agent: "coder" }]);
  });

  test("should respect grace period", async () => {
    const { idle, on, prompts, clock } = aProgram();
    await idle();
    await clock.advance(499);
    await on("message.updated", user());
    await clock.advance(COUNTDOWN - 499);
    expect(prompts).toHaveLength(1);
  });

  test("the grace period ends", async () => {
    const { idle, on, prompts, clock } = aProgram();
    await idle();
    await clock.advance(500);
    await on("message.updated", user());
    await clock.advance(COUNTDOWN);
    expect(prompts).toEqual([]);
  });
});

describe("the success criteria", () => {
  test("countdown starts on session.idle with incomplete todos, and only then", async () => {
    const { idle, state } = aProgram();
    state.todos = todos("completed", "cancelled");
    expect((await idle())?.status).not.toBe("counting_down");
    state.todos = todos("completed", "pending");
    expect(await idle()).toMatchObject({ status: "counting_down" });
  });

  test("toast shows countdown progress", async () => {
    const { idle, toasts, clock } = aProgram();
    await idle();
    await clock.advance(COUNTDOWN - 1);
    expect(toasts).toEqual(
      [2, 1].map((seconds) => ({
        title: "Todo Continuation",
        message: `Resuming in ${seconds}s... (2 tasks remaining)`,
        variant: "warning",
        duration: 900,
      })),
    );
  });

  test("countdown cancels on activity, with its toasts", async () => {
    const { idle, on, toasts, clock } = aProgram();
    await idle();
    await clock.advance(600);
    await on("message.updated", user("stop"));
    await clock.advance(10_000);
    expect(toasts).toHaveLength(1);
  });

  test("respects recovery state that begins during the countdown", async () => {
    const { idle, hook, prompts, clock } = aProgram();
    await idle();
    await clock.advance(1_000);
    hook.markRecovering("main");
    await clock.advance(10_000);
    expect(prompts).toEqual([]);
  });

  test("skips when background tasks start during the countdown", async () => {
    const { idle, state, prompts, clock } = aProgram();
    await idle();
    state.background = 1;
    await clock.advance(20_000);
    expect(prompts).toEqual([]);
    state.background = 0;
    await clock.advance(10_000);
    expect(prompts).toHaveLength(1);
  });

  test("injects continuation prompt correctly", async () => {
    const { idle, prompts, clock } = aProgram();
    await idle();
    await clock.advance(COUNTDOWN);
    expect(prompts[0]!.text).toBe(`Todos remain: 1/3 done, 2 remaining. Continue with them.

– [1] item 1
– [2] item 2

Next action: mark [1] as in progress in your todo list and do it

<!-- tildone nudge b1 -->`);
  });
});

describe("what is asked again before anything is sent", () => {
  test("the list was finished during the countdown", async () => {
    const { idle, state, prompts, clock } = aProgram();
    await idle();
    state.todos = todos("completed", "completed", "completed");
    await clock.advance(60_000);
    expect(prompts).toEqual([]);
  });

  test("the agent was changed to plan during the countdown", async () => {
    const { idle, state, prompts, toasts, clock } = aProgram();
    await idle();
    state.agent = { agent: "Plan", hasWritePermission: true };
    await clock.advance(60_000);
    expect(prompts).toEqual([]);
    expect(toasts.at(-1)?.message).toBe('The agent "Plan" only plans. [1/3 done · 0 proven]');
  });

  test("the last answer was aborted during the countdown", async () => {
    const { idle, state, prompts, clock } = aProgram();
    await idle();
    state.messages = [{ role: "assistant", error: { name: "AbortError" } }];
    await clock.advance(600_000);
    expect(prompts).toEqual([]);
  });

  test("the user spoke while the program was answering", async () => {
    const asked = Promise.withResolvers<readonly Message[]>();
    const { idle, on, prompts, clock } = aProgram({ getMessages: () => asked.promise });
    const idling = idle();
    await on("message.updated", user("wait"));
    asked.resolve([{ role: "assistant" }]);
    expect(await idling).toMatchObject({ status: "ignored" });
    await clock.advance(60_000);
    expect(prompts).toEqual([]);
  });
});

describe("agents and sessions", () => {
  test.each([
    ["plan", true],
    ["PLANNER", true],
    ["coder", false],
    ["coder", undefined],
  ])("%s with write permission %s is not sent on", async (agent, hasWritePermission) => {
    const { idle, state, prompts, toasts, clock } = aProgram();
    state.agent = { agent, ...(hasWritePermission !== undefined && { hasWritePermission }) };
    expect(await idle()).toMatchObject({ status: "stopped", reason: "read_only" });
    await clock.advance(60_000);
    expect(prompts).toEqual([]);
    expect(toasts).toHaveLength(1);
  });

  test.each([
    ["child-1", "subagent"],
    ["other", "not_main"],
  ])("%s: %s", async (session, reason) => {
    const { idle } = aProgram();
    expect(await idle(session)).toMatchObject({ status: "stopped", reason });
  });

  test("without a main session every root session continues, each for itself", async () => {
    const { idle, state, prompts, clock } = aProgram();
    state.main = undefined;
    await idle("one");
    await idle("two");
    await clock.advance(COUNTDOWN);
    expect(prompts.map(({ session }) => session)).toEqual(["one", "two"]);
  });

  test.each(["todos", "messages", "background", "agent", "main"] as const)(
    "%s: null stops, and says so",
    async (name) => {
      const { idle, state, prompts, toasts, clock } = aProgram();
      (state as Record<string, unknown>)[name] = null;
      expect(await idle()).toMatchObject({ status: "stopped", reason: "unanswered" });
      expect(toasts).toHaveLength(1);
      expect(toasts[0]!.message).toContain("answered null");
      await clock.advance(60_000);
      expect(prompts).toEqual([]);
    },
  );

  test("what is left out is not checked", async () => {
    const clock = createFakeClock();
    const prompts: string[] = [];
    const hook = createTodoContinuationHook({
      clock,
      getTodos: async () => todos("pending"),
      injectPrompt: (_session, text) => void prompts.push(text),
    });
    expect(await hook.handler({ event: "session.idle", sessionId: "s" })).toMatchObject({ status: "counting_down" });
    await clock.advance(COUNTDOWN);
    expect(prompts).toHaveLength(1);
  });

  test("without injectPrompt it says that nothing can be sent", async () => {
    const toasts: Toast[] = [];
    const hook = createTodoContinuationHook({
      clock: createFakeClock(),
      getTodos: () => todos("pending"),
      showToast: (toast) => void toasts.push(toast),
    });
    expect(await hook.handler({ event: "session.idle", sessionId: "s" })).toMatchObject({ status: "stopped" });
    expect(toasts).toHaveLength(1);
  });

  test("switched off", async () => {
    const { idle, toasts } = aProgram({ config: { enabled: false } });
    expect(await idle()).toMatchObject({ status: "stopped", reason: "disabled" });
    expect(toasts).toEqual([]);
  });
});

describe("aborts and failures", () => {
  const ABORT = { error: { name: "MessageAbortedError" } };

  test("an abort is sticky through idles, late updates and time", async () => {
    const { idle, on, prompts, clock } = aProgram();
    await on("session.error", ABORT);
    expect(await idle()).toMatchObject({ status: "stopped", reason: "interrupted" });
    await on("message.updated", assistant({ id: "a1", error: ABORT.error }));
    await idle();
    await clock.advance(3_600_000);
    expect(prompts).toEqual([]);
  });

  test("an abort during the countdown", async () => {
    const { idle, on, prompts, clock } = aProgram();
    await idle();
    await on("session.error", ABORT);
    await idle();
    await clock.advance(60_000);
    expect(prompts).toEqual([]);
  });

  test("it continues when the user spoke and the agent took the work up again", async () => {
    const { idle, on, prompts, clock, state } = aProgram();
    await on("session.error", ABORT);
    await idle();
    await on("message.updated", user("what happened?", "u2"));
    await on("message.updated", assistant({ id: "a2" }));
    expect(await idle()).toMatchObject({ reason: "interrupted" }); // it only talked
    await on("message.updated", user("go on then", "u3"));
    state.todos = todos("completed", "completed", "pending");
    expect(await idle()).toMatchObject({ status: "counting_down" });
    await clock.advance(COUNTDOWN);
    expect(prompts).toHaveLength(1);
  });

  test("an overloaded provider is tried again, and an error during the countdown does not end it", async () => {
    const { idle, on, prompts, clock } = aProgram();
    await on("tool.after");
    await on("session.error", { error: { name: "APIError", message: "503 overloaded" } });
    expect(await idle()).toMatchObject({ status: "waiting", reason: "backoff" });
    await clock.advance(5_000);
    await on("session.error", { error: { name: "APIError", message: "503 overloaded" } });
    await clock.advance(COUNTDOWN);
    expect(prompts).toHaveLength(1);
  });

  test("a prompt that is refused is tried again with growing pauses", async () => {
    const { idle, state, prompts, clock } = aProgram();
    state.refuses = true;
    await idle();
    await clock.advance(COUNTDOWN);
    state.refuses = false;
    await clock.advance(5_000 + COUNTDOWN);
    expect(prompts).toHaveLength(1);
  });

  test("what cannot be read is read again later", async () => {
    let fails = true;
    const { idle, prompts, toasts, clock } = aProgram({
      getTodos: async () => {
        if (fails) throw new Error("locked");
        return todos("pending");
      },
    });
    expect(await idle()).toMatchObject({ status: "waiting", reason: "unreadable" });
    expect(toasts[0]!.message).toBe("The session could not be read: locked");
    fails = false;
    await clock.advance(5_000 + COUNTDOWN);
    expect(prompts).toHaveLength(1);
  });
});

describe("runs that continue", () => {
  test("one idle, one prompt; a second idle at the same boundary adds nothing", async () => {
    const { idle, prompts, clock } = aProgram();
    await Promise.all([idle(), idle()]);
    await clock.advance(500);
    await idle();
    await clock.advance(60_000);
    expect(prompts).toHaveLength(1);
  });

  test("fast turns continue to the end of the list", async () => {
    const { idle, on, state, prompts, clock } = aProgram();
    const statuses: Status[] = Array(20).fill("pending");
    for (let at = 0; at <= 20; at++) {
      state.todos = todos(...statuses);
      await idle();
      await clock.advance(COUNTDOWN);
      if (at === 20) break;
      await on("message.updated", user(prompts.at(-1)!.text, `u${at}`));
      await on("message.updated", assistant({ id: `a${at}` }));
      statuses[at] = "completed";
    }
    expect(prompts).toHaveLength(20);
  });

  test("a model that only talks is let go after three prompts, though its program tells no text of our prompts", async () => {
    const { idle, on, prompts, toasts, clock } = aProgram();
    for (let turn = 0; turn < 10; turn++) {
      await idle();
      await clock.advance(COUNTDOWN);
      if (prompts.length === turn) break;
      await on("message.updated", user(undefined, `u${turn}`));
      await on("message.updated", assistant({ id: `a${turn}` }));
    }
    expect(prompts).toHaveLength(3);
    expect(toasts.at(-1)?.message).toContain("made no progress");
  });

  test("own prompts are known by their mark however late they come back", async () => {
    const { idle, on, prompts, clock } = aProgram();
    await idle();
    await clock.advance(COUNTDOWN);
    const own = prompts[0]!.text;
    await on("message.updated", user(own, "u1"));
    await idle();
    await clock.advance(1_000);
    await on("message.after", { info: { role: "user", id: "u9" }, parts: [{ type: "text", text: own }] });
    await clock.advance(1_000);
    expect(prompts).toHaveLength(2);
  });

  test("unknown and blank items are left out and shown", async () => {
    const { idle, state, toasts } = aProgram();
    state.todos = [...todos("pending"), { id: "9", content: " ", status: "pending", priority: "low" }];
    await idle();
    expect(toasts.some(({ message }) => message.includes("1 without text left out"))).toBe(true);
  });

  test("a thousand sessions leave nothing behind", async () => {
    const { hook, state, clock, idle, on } = aProgram();
    state.main = undefined;
    for (let at = 0; at < 1_000; at++) {
      await idle(`s${at}`);
      await on("session.deleted", undefined, `s${at}`);
    }
    expect(clock.pending).toBe(0);
    hook.dispose();
    hook.dispose();
  });
});
