/** What the forerunner of this adapter got wrong, row by row; each test fails with the old behaviour. */
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { memoryStore } from "../../../src/store/index.ts";
import { type Call, createFakeClock } from "../../../src/testing/index.ts";
import { calls, fails, type InProcess, openInProcess, says, until } from "./in-process.ts";

const write = (...texts: readonly string[]): Call => [
  "write_todos",
  { mode: "replace", todos: texts.map((text) => ({ text })) },
];
const edit = (action: string, ...indices: readonly number[]): Call => ["edit_todos", { action, indices }];
const work = (name: string): Call => ["write", { path: `${name}.txt`, content: name }];

/** Results of our tools, in order: whether pi marked them as errors, and what they said. */
const results = (pi: InProcess) =>
  pi.session.messages.flatMap((message) =>
    message.role === "toolResult" && message.toolName.endsWith("_todos")
      ? [
          {
            isError: message.isError,
            text: message.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
            details: message.details as { action: string; todos: { text: string; status: string }[] },
          },
        ]
      : [],
  );
const listed = (pi: InProcess) =>
  results(pi)
    .at(-1)!
    .details.todos.map(({ status, text }) => `${status} ${text}`);

test("T1 a cleared list stays cleared after resume, from the log and from the session alone", async () => {
  const store = memoryStore();
  const sessionManager = SessionManager.inMemory();
  {
    await using pi = await openInProcess({ store, sessionManager });
    pi.faux.setResponses([
      calls(write("a", "b")),
      calls(["write_todos", { mode: "replace", todos: [] }]),
      says("Gone."),
    ]);
    await pi.session.prompt("go");
    expect(results(pi).map(({ isError }) => isError)).toEqual([false, false]);
  }
  for (const resumed of [store, memoryStore()]) {
    await using pi = await openInProcess({ store: resumed, sessionManager });
    pi.faux.setResponses([calls(["list_todos", {}]), says("Nothing.")]);
    await pi.session.prompt("what is left?");
    expect([results(pi).at(-1)!.text, listed(pi), pi.nudges()]).toEqual(["No todos", [], []]);
  }
});

test("T2 blank text is refused, and a damaged entry never shifts the items after it", async () => {
  const sessionManager = SessionManager.inMemory();
  const store = memoryStore();
  {
    await using pi = await openInProcess({ sessionManager, store });
    pi.faux.setResponses([
      calls(write("a", "  ", "c")),
      calls(["write_todos", { mode: "replace", todos: [{ text: "" }] }]),
      calls(write("a", "b", "c")),
      calls(work("a"), edit("complete", 0, 1, 2)),
      says("Done."),
    ]);
    await pi.session.prompt("go");
    expect(results(pi).map(({ isError }) => isError)).toEqual([true, true, false, false]);
    expect(results(pi)[0]!.text).toBe("The todo at position 1 of 'todos' has no text. Say what is to be done.");
  }
  const written = sessionManager
    .getEntries()
    .find(
      (entry) =>
        entry.type === "custom" &&
        entry.customType === "til-done-plan" &&
        (entry.data as { event: { type: string } }).event.type === "todos.written",
    );
  Object.assign((written as { data: { event: { items: object[] } } }).data.event.items[1]!, { text: 7 });
  // The log knows the whole list; where only half a branch is left, nothing is made up.
  for (const [known, list] of [
    [store, ["completed a", "completed b", "completed c"]],
    [memoryStore(), []],
  ] as const) {
    await using pi = await openInProcess({ sessionManager, store: known });
    pi.faux.setResponses([calls(["list_todos", {}]), says("Nothing.")]);
    await pi.session.prompt("what is left?");
    expect(listed(pi)).toEqual(list);
    expect(pi.notices().join()).toContain("The list may be incomplete");
  }
});

test("T3 every mode checks the limit of items", async () => {
  await using pi = await openInProcess();
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `item ${index}` }));
  pi.faux.setResponses([
    calls(["write_todos", { mode: "replace", todos: many(101) }]),
    calls(["write_todos", { mode: "replace", todos: many(100) }]),
    calls(["write_todos", { mode: "append", todos: [{ text: "one more" }] }]),
    calls(["write_todos", { mode: "insert", index: 0, todos: [{ text: "one more" }] }]),
    calls(["edit_todos", { action: "block", indices: [0], reason: "enough" }]),
    says("ok"),
    says("no"),
    says("no"),
    says("no"),
  ]);
  await pi.session.prompt("go");
  expect(results(pi).map(({ isError }) => isError)).toEqual([true, false, true, true, false]);
  expect(results(pi).at(-1)!.details.todos.length).toBe(100);
});

test("T4 with a finished list no turn ever reports a limit", async () => {
  await using pi = await openInProcess();
  pi.faux.setResponses([calls(write("a")), calls(work("a"), edit("complete", 0)), says("Done.")]);
  await pi.session.prompt("go");
  const before = pi.notices();
  for (let turn = 0; turn < 25; turn++) {
    pi.faux.setResponses([says("Hello.")]);
    await pi.session.prompt("hello");
  }
  expect([pi.notices(), pi.nudges()]).toEqual([before, []]);
});

test("T5 a provider error does not continue; it says why, and can be taken up again", async () => {
  await using pi = await openInProcess();
  pi.faux.setResponses([calls(write("a")), fails("400 the request is malformed")]);
  await pi.session.prompt("go");
  expect([pi.nudges(), pi.faux.state.callCount]).toEqual([[], 2]);
  expect(pi.notices()).toEqual([
    "The model provider failed: 400 the request is malformed. [0/1 done] /unhold tries again.",
  ]);
  pi.faux.setResponses([calls(work("a"), edit("complete", 0)), says("Done.")]);
  await pi.session.prompt("/unhold");
  expect(listed(pi)).toEqual(["completed a"]);
});

test("T6 touching the list is no progress: the run stops, however often an item is started", async () => {
  await using pi = await openInProcess();
  pi.faux.setResponses([
    calls(write("a")),
    says("stop"),
    ...Array.from({ length: 60 }, () => [calls(edit("start", 0)), says("stop")]).flat(),
  ]);
  await pi.session.prompt("go");
  expect(pi.nudges().length).toBe(3);
  expect(pi.notices()).toEqual([
    "The agent made no progress: 3 turns in a row without any activity. [0/1 done] Send a hint, or /extend to let it try again.",
  ]);
});

test("T6 the limit holds for a model that keeps busy without getting anywhere, and can be set by a flag", async () => {
  await using pi = await openInProcess({ env: { TILDONE_MAX_CONTINUATIONS: "5" } });
  const busy = Array.from({ length: 60 }, (_, at) => [calls(["bash", { command: `echo ${at}` }]), says("stop")]).flat();
  pi.faux.setResponses([calls(write("a")), says("stop"), ...busy]);
  await pi.session.prompt("go");
  expect(pi.nudges().length).toBe(5);
});

test("T7 finished items stay finished, and an index is named once", async () => {
  await using pi = await openInProcess();
  pi.faux.setResponses([
    calls(write("a", "b")),
    calls(work("a"), edit("complete", 0)),
    calls(edit("start", 0)),
    calls(edit("complete", 1, 1, 1)),
    calls(edit("complete", 1, 7)),
    calls(edit("complete", 1)),
    says("Done."),
  ]);
  await pi.session.prompt("go");
  expect(results(pi).map(({ isError }) => isError)).toEqual([false, false, true, true, true, false]);
  expect(results(pi)[2]!.text).toBe(
    "Todo [0] is completed and stays so. If there is more to do, append a new todo for it.\n\n◇ [0] a\n– [1] b",
  );
});

test("T8 details always carry the list: of a listing, and of a refusal", async () => {
  await using pi = await openInProcess();
  pi.faux.setResponses([
    calls(write("a")),
    calls(["list_todos", {}]),
    calls(edit("complete", 9)),
    calls(work("a"), edit("complete", 0)),
    says("Done."),
  ]);
  await pi.session.prompt("go");
  expect(results(pi).map(({ details }) => [details.action, details.todos.map(({ status }) => status)])).toEqual([
    ["write", ["not_started"]],
    ["list", ["not_started"]],
    ["edit", ["not_started"]],
    ["edit", ["completed"]],
  ]);
});

test("T11 a retry ends a low-level run twice, and the boundary is decided once", async () => {
  await using pi = await openInProcess({ retries: 1 });
  pi.faux.setResponses([
    calls(write("a")),
    says("stop"),
    fails("500 internal server error"),
    calls(work("a"), edit("complete", 0)),
    says("Done."),
  ]);
  await pi.session.prompt("go");
  expect(pi.events.filter((type) => type === "agent_end").length).toBe(3);
  const types = pi.store.log.read(pi.run()!.run, 0).events.map(({ event }) => event.type);
  expect(types.filter((type) => type === "turn.started").length).toBe(2);
  expect([pi.nudges().length, pi.faux.state.callCount]).toEqual([1, 5]);
});

test("T12 the list is told with each prompt, and nothing of it stays in the transcript", async () => {
  const contexts: number[] = [];
  await using pi = await openInProcess({
    after: [
      (api) => {
        api.on("context_with_system", ({ messages }) => {
          contexts.push(
            messages.filter((message) => message.role === "custom" && message.customType === "til-done-context").length,
          );
        });
      },
    ],
  });
  pi.faux.setResponses([
    calls(write("a")),
    calls(["edit_todos", { action: "block", indices: [0], reason: "key" }]),
    says("Blocked."),
  ]);
  await pi.session.prompt("go");
  for (let prompt = 0; prompt < 3; prompt++) {
    pi.faux.setResponses([
      calls(work(`w${prompt}`)),
      calls(["edit_todos", { action: "block", indices: [0], reason: "key" }]),
      says("Blocked."),
    ]);
    await pi.session.prompt("again");
  }
  expect(contexts).toEqual([0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]);
  const held = pi.session.sessionManager
    .getEntries()
    .filter((entry) => JSON.stringify(entry).includes("til-done-context"));
  expect(held).toEqual([]);
});

test("T13 sessions of one process share nothing, and a session that ends leaves nothing behind", async () => {
  const clock = createFakeClock(1_000_000);
  await using one = await openInProcess({ mode: "tui", clock });
  await using two = await openInProcess({ mode: "tui", clock });
  one.faux.setResponses([calls(write("a")), says("stop")]);
  two.faux.setResponses([calls(["list_todos", {}]), says("stop")]);
  const prompt = one.session.prompt("go");
  await until(() => one.terminal.countdown() !== undefined, "the countdown");
  await two.session.prompt("go");
  expect([results(two).at(-1)!.text, two.terminal.statuses.size]).toEqual(["No todos", 0]);
  await one.session.extensionRunner.emit({ type: "session_shutdown", reason: "new" });
  await prompt;
  expect([clock.pending, one.terminal.watchers, one.terminal.widgets.size, one.terminal.statuses.size]).toEqual([
    0, 0, 0, 0,
  ]);
  await clock.advance(60_000);
  expect([one.nudges(), one.faux.state.callCount, one.errors]).toEqual([[], 2, []]);
});

test("T13 a session that the embedding program dropped without a word is noticed, and ends quietly", async () => {
  const clock = createFakeClock(1_000_000);
  const pi = await openInProcess({ mode: "tui", clock });
  pi.faux.setResponses([calls(write("a")), fails("429 rate limit, try again in 60 seconds")]);
  await pi.session.prompt("go");
  await pi[Symbol.asyncDispose]();
  expect(clock.pending).toBeGreaterThan(0);
  await clock.advance(80_000);
  expect([clock.pending, pi.errors]).toEqual([0, []]);
});

test("T14 a status is one line, also with several items in progress", async () => {
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode: "tui", clock });
  pi.faux.setResponses([calls(write("a", "b\nc", "d"), ["list_todos", {}]), calls(edit("start", 0, 1)), says("stop")]);
  const prompt = pi.session.prompt("go");
  await until(() => pi.terminal.countdown() !== undefined, "the countdown");
  expect([...pi.terminal.statuses]).toEqual([
    ["til-done", "📋 0/3 done"],
    ["til-done-active", "[0] a · [1] b c"],
  ]);
  pi.terminal.press("x");
  await prompt;
});

test("T16 and T17 refusals are errors, calls of one batch run in order, and an old index is refused after the list moved", async () => {
  await using pi = await openInProcess();
  pi.faux.setResponses([
    calls(write("b", "c"), work("b")),
    calls(write("a", "b"), edit("complete", 0), ["edit_todos", { action: "defer", indices: [0] }]),
    calls(edit("complete", 0), edit("complete", 1)),
    says("Done."),
  ]);
  await pi.session.prompt("go");
  expect(results(pi).map(({ isError }) => isError)).toEqual([false, false, true, true, false, false]);
  expect(results(pi)[2]!.text).toContain("The list was rewritten earlier in this batch of calls");
});
