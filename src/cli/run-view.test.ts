import { expect, test } from "vitest";
import type { Envelope, Run } from "../core/run/index.ts";
import { aRun, todos } from "../testing/index.ts";
import type { Io } from "./io.ts";
import { textView } from "./run-view.ts";

/** A terminal of 80 columns: what stands on it after every cursor movement. */
function aTerminal() {
  const lines: string[] = [];
  const alerts: string[] = [];
  const clock: { tick: () => void; now: number } = { tick: () => {}, now: 0 };
  const io = {
    isTerminal: true,
    alert: (text: string) => alerts.push(text),
    columns: 80,
    now: () => clock.now,
    every: (_ms: number, act: () => void) => {
      clock.tick = act;
      return () => {
        clock.tick = () => {};
      };
    },
    out: (text: string) => {
      const erased = /^\u001b\[(\d+)A\u001b\[J\u001b\[1A$/.exec(text);
      if (erased) lines.length -= Number(erased[1]);
      else lines.push(text);
    },
  } as unknown as Io;
  return { io, lines, alerts, clock };
}

const event = { seq: 1, at: 0, by: "engine", v: 1, event: { type: "nothing" } } as unknown as Envelope;
const silent = { event: () => undefined, answer: () => undefined, call: () => undefined };
const shown = (run: Run) => ({ type: "event", event, run }) as const;

test("the block says how far it is, what it is at and how long it has been, and the time goes on by itself", () => {
  const { io, lines, clock } = aTerminal();
  const view = textView(io, silent);
  clock.tick();
  expect(lines).toEqual(["⠋ waiting for the agent · 0 s"]);
  view.take(shown(aRun()));
  expect(lines[0]).toBe("[--------------------] no todos yet");
  view.take(shown(aRun({ todos: todos("completed", "in_progress") })));
  expect(lines[0]).toMatch(/^\[#{10}-{10}\] 1\/2 done · 0 proven {2}\[1\] /);
  expect(lines[1]).toContain("0 s");
  clock.now = 61_000;
  clock.tick();
  expect(lines[1]).toContain("61 s");
  expect(lines).toHaveLength(2);
});

test("a user whom a run waits for is told so, and can copy the answer from a line of its own", () => {
  const { io, lines, alerts } = aTerminal();
  const question = "asks for approval: ".padEnd(300, "x");
  const view = textView(io, { ...silent, event: () => question, answer: () => "  tildone approve --run abc" });
  const approval = { call: "c1", tool: "bash", what: "x", at: 0 };
  view.take(shown(aRun({ todos: todos("not_started"), approvals: [approval as never] })));
  expect(lines[1]).toBe("  tildone approve --run abc");
  expect(alerts).toEqual(["a call waits for your answer"]);
  expect(lines[2]).toContain("waits for your answer");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

test("the end draws the eye to it once", () => {
  const { io, lines, alerts } = aTerminal();
  const view = textView(io, silent);
  view.end(
    { outcome: { reason: "blocked", says: "Nothing is free.", exit: 5 }, run: undefined, session: "s" },
    undefined,
  );
  expect(lines).toEqual(["Nothing is free."]);
  expect(alerts).toEqual(["Nothing is free."]);
});

test.each([
  ["once, where the end says the same", "Stopped.", ["Stopped."]],
  ["beside the end, where it says something else", "Ended by a signal.", ["Stopped.", "Ended by a signal."]],
])("why it stops is said %s", (_what, says, expected) => {
  const { io, lines } = aTerminal();
  const view = textView(io, { ...silent, event: () => "Stopped." });
  const stop = { ...event, event: { type: "decision.made", decision: { type: "stop" } } } as unknown as Envelope;
  view.take({ type: "event", event: stop, run: aRun() });
  view.end({ outcome: { reason: "held", says, exit: 5 }, run: undefined, session: "s" }, undefined);
  expect(lines).toEqual(expected);
});

test("a reason to stop that was not the end is said when the next line comes", () => {
  const { io, lines } = aTerminal();
  const view = textView(io, { ...silent, event: () => "Stopped." });
  const stop = { ...event, event: { type: "decision.made", decision: { type: "stop" } } } as unknown as Envelope;
  view.take({ type: "event", event: stop, run: aRun() });
  view.take({ type: "said", text: "I go on" });
  expect(lines.slice(0, 2)).toEqual(["Stopped.", "agent: I go on"]);
});
