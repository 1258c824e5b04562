import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countedTokens } from "../../../src/core/run/index.ts";
import type { Call, ModelRequest, Step } from "../../../src/testing/index.ts";
import { askedFor, nudges, stopsAfterEachItem, workOn, writeList } from "../pi/models.ts";
import { runAgent } from "./in-process.ts";

/** What todo-driven execution must do, each line a test of the whole agent; the parts have tests of their own beside them. */

const isAnswered = ({ messages }: ModelRequest): boolean => messages.at(-1)?.role === "tool";
const all = (count: number, status: string) => Array.from({ length: count }, (_, item) => `item ${item}: ${status}`);
const edit = (action: string, item: number, reason?: string): Call => [
  "edit_todos",
  { action, indices: [item], ...(reason !== undefined && { reason }) },
];
/** Writes a list and never touches it again. */
const onlyWrites =
  (items: number) =>
  (_request: ModelRequest, count: number): Step =>
    count === 1 ? { calls: [writeList(items)] } : { text: "I think about it." };

describe("the parts, as the agent joins them", () => {
  test.each<[string, string, Parameters<typeof runAgent>[0]]>([
    ["the turn ended and todos are open", "goes on: done_unproven", { model: stopsAfterEachItem(2) }],
    ["there was never a todo", "stays: no_run", { model: () => ({ text: "Hello." }) }],
    ["continuation is off for this agent", "stays: disabled", { model: onlyWrites(2), agent: "task" }],
    ["this agent is unknown", "stays: disabled", { model: onlyWrites(2), agent: "stranger" }],
    [
      "the turn failed and retrying cannot help",
      "stays: provider_error",
      { model: (_, count) => (count === 1 ? { calls: [writeList(1)] } : { status: 401, message: "no such key" }) },
    ],
    ["everything is blocked", "stays: blocked", { model: blocks }],
  ])("whether it continues - %s: %s", async (_what, expected, given) => {
    const { outcome, requests } = await runAgent(given);
    expect(`${nudges(requests).length > 0 ? "goes on" : "stays"}: ${outcome.reason}`).toBe(expected);
  });

  test.each([
    ["agents: { coder: { maxTodoContinuations: 2 } }", "no_progress"],
    ["agents: { coder: { todoDrivenExecution: false } }", "disabled"],
    ["agents: { coder: { max_todo_continuations: 2 } }", "refused"],
    ["agents: { coder: { maxTodoContinuations: many } }", "refused"],
  ])("configuration is read and validated - %s: %s", async (config, expected) => {
    const ended = runAgent({ model: onlyWrites(1), config });
    const reason = await ended.then(
      ({ outcome }) => outcome.reason,
      () => "refused",
    );
    expect(reason).toBe(expected);
  });

  test.each<[string, Record<string, string>, string]>([
    ["idle turns", {}, "no_progress"],
    ["turns without a new state of the files", { "max-todo-continuations": "1" }, "no_progress"],
    ["tokens", { "max-tokens": "1" }, "budget_tokens"],
  ])("a safety mechanism ends it - %s", async (_what, flags, reason) => {
    const { outcome, requests } = await runAgent({ model: onlyWrites(2), flags });
    expect(outcome.reason).toBe(reason);
    expect(nudges(requests).length).toBeLessThanOrEqual(3);
  });

  test("what it is told follows the state of its todos", async () => {
    const answers: readonly Step[] = [
      { calls: [writeList(3)] },
      { text: "Listed." },
      { calls: [edit("start", 0), ["write", { path: "a.txt", content: "a" }]] },
      { text: "Begun." },
      { calls: [edit("complete", 0), edit("block", 1, "needs a key")] },
      { text: "Shall I go on?" },
      { calls: [edit("start", 2), ["write", { path: "b.txt", content: "b" }], edit("complete", 2)] },
      { text: "Done." },
    ];
    const { requests, outcome } = await runAgent({ model: (_, count) => answers[count - 1] ?? { text: "Done." } });
    const told = requests.flatMap(({ messages }) => {
      const last = messages.at(-1);
      return last?.role === "user" ? [/Next action: (.*)/.exec(last.text)?.[1] ?? "none"] : [];
    });
    expect(told).toEqual(["none", "edit_todos start [0]", "edit_todos complete [0]", "edit_todos start [2]"]);
    expect(outcome).toMatchObject({ reason: "blocked", says: expect.stringContaining("needs a key") });
  });
});

function blocks(request: ModelRequest, count: number): Step {
  if (count === 1) return { calls: [writeList(1)] };
  return isAnswered(request) && count === 2
    ? { calls: [edit("block", 0, "the key is missing")] }
    : { text: "Blocked." };
}

describe("the whole agent", () => {
  test("end to end: a list is carried through to its last todo although every turn stops early", async () => {
    const { outcome, todos, requests } = await runAgent({ goal: "seven files", model: stopsAfterEachItem(7) });
    expect([outcome.exit, todos, nudges(requests).length]).toEqual([0, all(7, "completed"), 7]);
  });

  test("work of several steps: priorities and needs order it, and a workflow's phases follow each other", async () => {
    const list: Call = [
      "write_todos",
      {
        mode: "replace",
        todos: [
          { text: "item 0", priority: "low" },
          { text: "item 1", needs: [2] },
          { text: "item 2", priority: "high" },
        ],
      },
    ];
    const ordered = await runAgent({
      model: (request) => {
        if (isAnswered(request)) return { text: "I stop here." };
        const item = askedFor(request);
        return { calls: item === undefined ? [list] : workOn(item) };
      },
    });
    const order = ordered.events.flatMap((event) => (event.type === "todo.completed" ? event.ids : []));
    expect(order).toEqual(["t3", "t2", "t1"]);

    const flow = await runAgent({
      prompt: "/workflow bugfix it breaks",
      model: (request) => {
        if (isAnswered(request)) return { text: "I stop here." };
        const { messages } = request; // the phase is told behind the nudge
        const item = askedFor({ ...request, messages: messages.slice(0, -1) });
        if (item !== undefined) return { calls: [edit("start", item), edit("complete", item)] };
        return { calls: [["workflow_step", { action: "next", summary: "done" }]] };
      },
    });
    const entered = flow.events.flatMap((event) =>
      event.type === "phase.entered" ? [event.path.at(-1)?.phaseId] : [],
    );
    expect(entered).toEqual(["fix", "verify"]);
    expect(flow.run.plan.workflow?.status).toBe("finished");
  });

  test("errors: a failing tool, an overloaded provider and a todo that cannot be done do not end it", async () => {
    let failures = 0;
    const { outcome, todos, events } = await runAgent({
      config: "waits: { backoff: 1ms }\n",
      model: (request) => {
        const item = askedFor(request);
        if (item === 1 && failures++ === 0) return { status: 529, message: "overloaded" };
        if (isAnswered(request)) return { text: "I stop here." };
        if (item === undefined) return { calls: [writeList(3)] };
        if (item === 0) return { calls: [["read", { path: "none.txt" }], edit("block", 0, "there is no such file")] };
        return { calls: workOn(item) };
      },
    });
    expect(todos).toEqual(["item 0: blocked", "item 1: completed", "item 2: completed"]);
    expect(outcome.reason).toBe("blocked");
    expect(events.some((event) => event.type === "decision.made" && event.decision.type === "wait")).toBe(true);
  });

  test("permission: the run pauses while a call waits for approval, and continues with the answer", async () => {
    const order: string[] = [];
    const { outcome } = await runAgent({
      model: (request) => {
        if (isAnswered(request)) return { text: "I stop here." };
        const item = askedFor(request);
        order.push(`asked for ${item}`);
        if (item === undefined) return { calls: [writeList(2)] };
        return { calls: [edit("start", item), ["bash", { command: `touch ${item}.txt` }], edit("complete", item)] };
      },
      onOpen: ({ scheduler }) =>
        scheduler.observe((update) => {
          if (update.type !== "call.entered" || update.call.status !== "awaiting_approval") return;
          order.push("permission");
          scheduler.approve(update.call.request.id, { type: "once" });
        }),
    });
    expect(order).toEqual(["asked for undefined", "asked for 0", "permission", "asked for 1", "permission"]);
    expect(outcome.reason).toBe("done_unproven");
  });
});

describe("edges", () => {
  test.each<[string, (request: ModelRequest, count: number) => Step]>([
    ["does nothing", onlyWrites(3)],
    ["only talks of its list", (request) => (isAnswered(request) ? { text: "ok" } : { calls: [["list_todos", {}]] })],
    [
      "starts over and over",
      (request, count) =>
        isAnswered(request) ? { text: "ok" } : { calls: count === 1 ? [writeList(3)] : [edit("start", 0)] },
    ],
  ])("no endless loop: a model that %s is left alone after a few nudges", async (_what, model) => {
    const { outcome, requests } = await runAgent({ goal: "three items", model });
    expect(outcome.exit).not.toBe(0);
    expect(nudges(requests).length).toBeLessThanOrEqual(4);
  });

  test("a token limit: the turn that reaches it ends there", async () => {
    const { outcome, run, events } = await runAgent({ model: stopsAfterEachItem(20), flags: { "max-tokens": "6000" } });
    expect(outcome).toMatchObject({ reason: "budget_tokens", exit: 4 });
    const costs = events.flatMap((event) => (event.type === "answer.seen" ? [countedTokens(event.usage)] : []));
    expect(countedTokens(run.ledger.spent)).toBeLessThan(6000 + 2 * Math.max(...costs));
  });

  test("a limit reached between two turns: one last turn, then it stops and says which budget is spent", async () => {
    const { outcome, requests } = await runAgent({
      model: stopsAfterEachItem(20),
      config: "budget:\n  continuations: 3\n",
    });
    expect(outcome).toMatchObject({ reason: "budget_continuations", exit: 4 });
    const lastWords = requests.flatMap(({ messages }) =>
      messages.at(-1)?.role === "user" ? [messages.at(-1)!.text] : [],
    );
    expect(lastWords.filter((text) => text.startsWith("The budget is spent"))).toHaveLength(1);
  });

  test.each<[string, readonly object[]]>([
    ["an empty text", [{ text: "  " }]],
    ["no text at all", [{ priority: "high" }]],
    ["a need on itself", [{ text: "item 0", needs: [0] }]],
    ["the same text twice", [{ text: "item 0" }, { text: "item 0" }]],
    ["more than a list holds", Array.from({ length: 101 }, (_, item) => ({ text: `item ${item}` }))],
  ])(
    "malformed todos - %s: refused whole and with a reason, and the run goes on with a good list",
    async (_what, todos) => {
      const good = stopsAfterEachItem(2);
      const {
        outcome,
        requests,
        todos: ended,
      } = await runAgent({
        model: (request, count) =>
          count === 1
            ? { calls: [["write_todos", { mode: "replace", todos }]] }
            : count === 2
              ? { calls: [writeList(2)] }
              : good(request),
      });
      expect(requests[1]?.messages.at(-1)?.text).toMatch(/text|needs|itself|twice|same|100|required/i);
      expect([outcome.reason, ended]).toEqual(["done_unproven", all(2, "completed")]);
    },
  );

  test("sessions at the same time keep their lists, counters and endings apart", async () => {
    const home = mkdtempSync(join(tmpdir(), "tildone-home-"));
    const ended = await Promise.all([
      runAgent({ home, model: stopsAfterEachItem(5) }),
      runAgent({ home, model: onlyWrites(2) }),
      runAgent({ home, model: stopsAfterEachItem(3) }),
    ]);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    expect(ended.map(({ outcome, todos }) => [outcome.reason, todos])).toEqual([
      ["done_unproven", all(5, "completed")],
      ["no_progress", all(2, "not_started")],
      ["done_unproven", all(3, "completed")],
    ]);
    expect(new Set(ended.map(({ run }) => run.id)).size).toBe(3);
  });
});

describe("at size", () => {
  const LONG = "x".repeat(900);
  const large = (request: ModelRequest): Step => {
    if (isAnswered(request)) return { text: "I stop here." };
    const item = askedFor(request);
    const todos = Array.from({ length: 100 }, (_, at) => ({ text: `item ${at} ${LONG}` }));
    return { calls: item === undefined ? [["write_todos", { mode: "replace", todos }]] : workOn(item) };
  };

  test("a hundred large todos: what is remembered of the run does not grow with its continuations", async () => {
    const sizes: number[] = [];
    const { outcome } = await runAgent({
      model: large,
      onOpen: ({ tildone, session }) => {
        const key = session.sessionManager.getSessionId();
        tildone.engine.watch(() => sizes.push(JSON.stringify(tildone.engine.run(key)).length));
      },
    });
    expect(outcome.reason).toBe("done_unproven");
    const atFifth = sizes[Math.floor(sizes.length / 5)]!;
    expect(sizes.at(-1)! / atFifth).toBeLessThan(1.2);
  }, 120_000);

  test("a hundred continuations take the same few requests and events each, from the first to the last", async () => {
    const { requests, events } = await runAgent({ model: stopsAfterEachItem(100) });
    expect(requests.length).toBe(2 + 2 * 100);
    const marks = events.flatMap((event, at) => (event.type === "decision.made" ? [at] : []));
    const costs = marks.slice(1).map((mark, at) => mark - marks[at]!);
    expect(Math.max(...costs)).toBeLessThanOrEqual(Math.min(...costs) + 2);
  }, 120_000);

  test("what a continuation adds to the context stays small, however long the list and however many came before", async () => {
    const { requests } = await runAgent({ model: large });
    const added = nudges(requests).map((text) => text.length);
    expect(added).toHaveLength(100);
    expect(Math.max(...added)).toBeLessThan(20 * 220 + 500);
  }, 120_000);
});

describe("how success is told", () => {
  test.each([1, 13, 40])("completion: every one of %i pending todos becomes completed", async (items) => {
    const { todos } = await runAgent({ model: stopsAfterEachItem(items) });
    expect(todos).toEqual(all(items, "completed"));
  });

  test("safety: no list of honest work is cut short, and none is nudged more often than it stops", async () => {
    const { outcome, requests } = await runAgent({ model: stopsAfterEachItem(25) });
    const stops = requests.filter(isAnswered).length;
    expect(outcome.reason).toBe("done_unproven");
    expect(nudges(requests).length).toBeLessThanOrEqual(stops);
  });

  test("compatibility: switched off, the same model stops where it stopped before, and its list stands", async () => {
    const { outcome, requests, todos } = await runAgent({
      model: stopsAfterEachItem(3),
      flags: { "auto-complete-todos": false },
    });
    expect([outcome.reason, requests.length, todos]).toEqual(["disabled", 2, all(3, "not_started")]);
  });

  test("feedback: the list, every continuation, every todo and the end are said in plain lines", async () => {
    const { lines, outcome } = await runAgent({ model: stopsAfterEachItem(1) });
    expect(lines).toEqual([
      "list written: 1 todo",
      "The agent stopped with open todos: told it to continue.",
      "started [0] item 0",
      "write file-0.txt",
      "◇ completed [0] item 0",
      "Finished, but not all of it is proven by a check.",
    ]);
    expect(outcome.says).toBe("Finished, but not proven: you gave no check.");
  });

  test("efficiency: one continuation for each early stop, of some hundred tokens", async () => {
    const { requests } = await runAgent({ model: stopsAfterEachItem(20) });
    const words = nudges(requests);
    expect(words).toHaveLength(20);
    expect(Math.max(...words.map((text) => text.length / 4))).toBeLessThan(200);
  });
});

test("an agent that is over leaves nothing behind in the process", async () => {
  const before = process.listenerCount("SIGINT");
  await runAgent({ model: stopsAfterEachItem(1) });
  expect(process.listenerCount("SIGINT")).toBe(before);
});

test("a signal that came before the agent heard of anything: it is asked nothing", async () => {
  const { outcome, requests } = await runAgent({ model: stopsAfterEachItem(1), stop: AbortSignal.abort(143) });
  expect({ exit: outcome.exit, requests }).toEqual({ exit: 143, requests: [] });
});
