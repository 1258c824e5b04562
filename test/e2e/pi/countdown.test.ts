import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../src/testing/index.ts";
import { type Answer, calls, type InProcess, openInProcess, says, until } from "./in-process.ts";

const MOMENTS = Array.from({ length: 50 }, (_, index) => index * 60);
const writes = (...texts: readonly string[]): Answer =>
  calls(["write_todos", { mode: "replace", todos: texts.map((text) => ({ text })) }]);
const works = (name: string): Answer => calls(["write", { path: `${name}.txt`, content: name }]);

async function openWithList() {
  const clock = createFakeClock(1_000_000);
  const pi = await openInProcess({ mode: "tui", clock });
  const begin = async (words: string, ...answers: readonly Answer[]) => {
    pi.faux.appendResponses([...answers]);
    const prompt = pi.session.prompt(words);
    await until(() => pi.terminal.countdown() !== undefined, "the countdown");
    return prompt;
  };
  return { clock, pi, begin };
}

/** Nothing is left of a countdown: no widget, no watcher, no timer but the look at the log. */
function expectQuiet(pi: InProcess): void {
  expect([pi.terminal.countdown(), pi.terminal.watchers, pi.errors]).toEqual([undefined, 0, []]);
}

test.each([
  ["a key", (pi: InProcess) => pi.terminal.press("x")],
  [
    "Esc, which pi takes as an abort",
    (pi: InProcess) => {
      pi.terminal.press("\x1b");
      void pi.session.abort();
    },
  ],
])("%s at any moment of the countdown: no nudge, then it follows the user", async (_what, interrupt) => {
  const { clock, pi } = await openWithList();
  await using _ = pi;
  for (const [round, moment] of MOMENTS.entries()) {
    pi.faux.setResponses([round === 0 ? writes("a", "b") : works(`round-${round}`), says("I stop here.")]);
    const before = pi.faux.state.callCount;
    // After the first round these words come after an interrupt: the agent takes the work up, so the run continues.
    const prompt = pi.session.prompt("no, do it differently");
    await until(() => pi.terminal.countdown() !== undefined, `the countdown of round ${round}`);
    await clock.advance(moment);
    expect(pi.terminal.countdown()).toBe(
      `⏳ Auto-continuing in ${Math.ceil((3000 - moment) / 1000)}s... (type anything to interrupt)`,
    );
    interrupt(pi);
    await prompt;
    await clock.advance(60_000);
    expect(pi.faux.state.callCount - before).toBe(2);
    expectQuiet(pi);
    expect(pi.terminal.statuses.get("til-done")).toBe("📋 0/2 done · interrupted");

    pi.faux.setResponses([says("I wrote the list.")]);
    await pi.session.prompt("what did you do?");
    await clock.advance(60_000);
    expect([pi.faux.state.callCount - before, pi.terminal.countdown()]).toEqual([3, undefined]);
  }
  expect(pi.nudges()).toEqual([]);
  expect(pi.notices().at(-1)).toContain("Send a message or /unhold to continue.");
});

test("queued words at any moment of the countdown: they are answered instead of the nudge", async () => {
  const { clock, pi } = await openWithList();
  await using _ = pi;
  for (const [round, moment] of MOMENTS.entries()) {
    pi.faux.setResponses([
      round === 0 ? writes("a", "b") : works(`round-${round}`),
      says("I stop here."),
      says("As you say."),
    ]);
    const before = pi.faux.state.callCount;
    const prompt = pi.session.prompt("go on");
    await until(() => pi.terminal.countdown() !== undefined, `the countdown of round ${round}`);
    await clock.advance(moment);
    await pi.session.steer(`words ${round}`);
    await clock.advance(10); // our extension asks whether pi has queued them
    await until(() => pi.faux.state.callCount - before === 3, "the answer to the words");
    await until(() => pi.terminal.countdown() !== undefined, "the countdown after the answer");
    pi.terminal.press("x");
    await prompt;
    await clock.advance(60_000);
    expect(pi.faux.state.callCount - before).toBe(3);
    expectQuiet(pi);
  }
  expect(pi.nudges()).toEqual([]);
  const said = pi.session.messages.flatMap((message) =>
    message.role === "user" ? [JSON.stringify(message.content)] : [],
  );
  expect(said.filter((text) => text.includes("words ")).length).toBe(MOMENTS.length);
});

test.each([
  ["keeps them for half a second", 500, 2],
  ["keeps them to itself", undefined, 1],
])("words typed during the countdown, where another extension %s", async (_what, after, answers) => {
  const clock = createFakeClock(1_000_000);
  const typed = Promise.withResolvers<void>();
  const slow: ExtensionFactory = (api) => {
    api.on("input", async ({ streamingBehavior }) => {
      if (streamingBehavior === undefined) return undefined;
      if (after === undefined) return { action: "handled" };
      await typed.promise;
      return undefined;
    });
  };
  const pi = await openInProcess({ mode: "tui", clock, after: [slow] });
  await using _ = pi;
  pi.faux.setResponses([writes("a"), says("I stop here."), says("As you say.")]);
  const prompt = pi.session.prompt("go");
  await until(() => pi.terminal.countdown() !== undefined, "the countdown");
  const steered = pi.session.steer("tabs");
  await until(() => pi.terminal.countdown() === undefined, "the end of the countdown");
  for (let turn = 0; turn < 250; turn++) await clock.advance((after ?? 0) / 250); // many turns of the event loop
  typed.resolve();
  await steered;
  if (answers === 2) {
    await clock.advance(10);
    await until(() => pi.faux.state.callCount === 3, "the answer to the words");
    await until(() => pi.terminal.countdown() !== undefined, "the countdown after the answer");
    pi.terminal.press("x");
  } else await clock.advance(5_000);
  await prompt;
  expect([pi.nudges(), pi.errors, pi.session.pendingMessageCount]).toEqual([[], [], 0]);
  expect(pi.faux.state.callCount).toBe(1 + answers);
});

test("a hold from another process ends the countdown at once", async () => {
  const { clock, pi, begin } = await openWithList();
  await using _ = pi;
  const prompt = begin("go", writes("a"), says("I stop here."));
  await until(() => pi.terminal.countdown() !== undefined, "the countdown");
  const { run } = pi.run()!;
  const held = { at: clock.now(), by: "human", v: 1, event: { type: "human.held", now: false } } as const;
  pi.store.log.transact(run, pi.store.log.last(run), () => ({ append: [held], value: undefined }));
  await clock.advance(250);
  await prompt;
  await clock.advance(60_000);
  expect([pi.faux.state.callCount, pi.nudges()]).toEqual([2, []]);
  expect(pi.terminal.statuses.get("til-done")).toBe("📋 0/1 done · ✋ held");
  expectQuiet(pi);
});

test("left alone it continues when the countdown ends, not before", async () => {
  const { clock, pi, begin } = await openWithList();
  await using _ = pi;
  const prompt = begin(
    "go",
    writes("a"),
    says("I stop here."),
    works("a"),
    calls(["edit_todos", { action: "complete", indices: [0] }]),
    says("Done."),
  );
  await until(() => pi.terminal.countdown() !== undefined, "the countdown");
  await clock.advance(2999);
  expect(pi.faux.state.callCount).toBe(2);
  await clock.advance(1);
  await prompt;
  expect([pi.faux.state.callCount, pi.nudges().length]).toEqual([5, 1]);
  expect(pi.events.filter((type) => type === "agent_settled")).toEqual(["agent_settled"]);
  expectQuiet(pi);
});
