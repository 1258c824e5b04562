import { expect, test } from "vitest";
import { type History, history } from "../../testing/index.ts";
import { eventText } from "../run/index.ts";
import type { HostFact, Leaving, Rechecked } from "./index.ts";

const COUNTDOWN = 2_000;

/** A nudge is due, and the host says this when it is asked. */
const asked = (said: Rechecked, run: History = counting()): History =>
  run.tell({ type: "host.rechecked", before: { boundary: "b1" }, ...said });
const counting = (): History =>
  history({ limits: { countdownMs: COUNTDOWN }, asksFirst: true })
    .writes("a", "b")
    .says()
    .works()
    .ends()
    .after(COUNTDOWN);
const ready = (...facts: readonly HostFact[]): Rechecked => ({ status: "ready", facts });
const since = (run: History, type: string) => {
  const types = run.envelopes.map(({ event }) => event.type as string);
  return types.slice(types.indexOf(type));
};

test("nothing changed: the nudge leaves in the same step", () => {
  const run = asked(ready());
  expect([since(run, "nudge.intended"), run.nudges.map(({ id }) => id)]).toEqual([["nudge.intended"], ["b1"]]);
});

test("another list: the nudge leaves at once, and says what is open now", () => {
  const run = asked(ready({ type: "todos.mirror", items: [{ text: "other", status: "not_started" }], by: "model" }));
  expect(run.nudges).toHaveLength(1);
  expect(run.nudges[0]?.text).toContain("other");
  expect(run.nudges[0]?.text).toContain("mark [0] as in progress in your todo list");
});

test.each<[string, string, HostFact, string]>([
  [
    "a subagent works",
    "wait background",
    { type: "background.changed", agents: 1, awaited: 0 },
    "Waiting for a subagent",
  ],
  ["plan mode", "stop read_only", { type: "mode.changed", readOnly: true }, "read-only mode"],
  ["you aborted", "stop interrupted", { type: "human.interrupt", how: "abort" }, "Stopped by you"],
])("%s -> %s: the nudge is withdrawn, and the log says why", (_fact, decision, fact, why) => {
  const run = asked(ready(fact));
  const withdrawn = run.envelopes.find(({ event }) => event.type === "nudge.withdrawn");
  expect([run.said, run.nudges, withdrawn && eventText(withdrawn.event, run.run)]).toEqual([
    decision,
    [],
    expect.stringContaining(why),
  ]);
});

test("busy: withdrawn because the session was busy, and asked again later and later", () => {
  const run = asked({ status: "busy" });
  const says = run.envelopes.map(({ event }) => eventText(event, run.run));
  expect(says).toContain("nudge b1 withdrawn: the session was busy");
  expect(says.join("\n")).not.toMatch(/provider|overload/i);
  expect([run.said, run.run.ledger.boundary?.until]).toEqual(["wait busy", run.now + 5_000]);
  run.after(5_000).tell({ type: "timer.fired", boundary: "b1" }).after(COUNTDOWN);
  asked({ status: "busy" }, run);
  expect([run.said, run.run.ledger.boundary?.until]).toEqual(["wait busy", run.now + 10_000]);
  expect(run.run.ledger.failures.tries).toBe(0);
});

test("a host that cannot say is tried again like one that did not take the nudge", () => {
  const run = asked({ status: "unknown", message: "no answer" });
  expect([run.said, run.run.ledger.failures.tries]).toEqual(["wait host_failed", 1]);
});

test.each<[string, (run: History) => unknown]>([
  ["you put it on hold", (run) => run.holds()],
  ["another turn began", (run) => run.turn("human")],
  ["it was withdrawn a moment ago", (run) => asked({ status: "busy" }, run)],
])("an answer that comes after %s changes nothing", (_what, act) => {
  for (const said of [ready(), { status: "busy" }, { status: "unknown", message: "x" }] as const) {
    const run = counting();
    act(run);
    const before = run.envelopes.length;
    asked(said, run);
    expect([run.envelopes.slice(before), run.nudges]).toEqual([[], []]);
  }
});

test.each<[string, Rechecked, string]>([
  ["the session is busy", { status: "busy" }, "the session was busy"],
  ["the host cannot say", { status: "unknown", message: "no answer" }, "no answer"],
  ["you interrupted", ready({ type: "human.interrupt", how: "abort" }), "you interrupted"],
])("words that were to leave stay queued where %s", (_what, said, message) => {
  const run = counting().queues("w1");
  expect(run.run.ledger.sending).toEqual(["w1"]);
  run.tell({ type: "host.rechecked", before: { words: ["w1"] }, ...said });
  expect(run.envelopes.map(({ event }) => event)).toContainEqual({ type: "words.failed", ids: ["w1"], message });
  expect([run.run.ledger.sending, run.run.ledger.words.length]).toEqual([[], 1]);
});

test("a nudge that has not left yet is withdrawn on your word, and the decision is taken again", () => {
  const run = asked(ready()).holds().tell({ type: "nudge.withdraw", nudge: "b1", why: "you hold the run" });
  expect([run.said, since(run, "nudge.withdrawn")]).toEqual(["stop held", ["nudge.withdrawn", "decision.made"]]);
});

test.each<[string, (run: History) => History, readonly string[]]>([
  ["about words lets no nudge go", (run) => readyFor(run, { words: ["w1"] }), []],
  ["about another boundary lets none go either", (run) => readyFor(run, { boundary: "b7" }), []],
  ["about this boundary does", (run) => readyFor(run, { boundary: "b1" }), ["b1"]],
  ["is needed: the end of the countdown lets none go", (run) => run.tell({ type: "timer.fired", boundary: "b1" }), []],
])("the word of the host that it is ready %s", (_what, act, nudges) => {
  const run = counting();
  expect(act(run).nudges.map(({ id }) => id)).toEqual(nudges);
});

const readyFor = (run: History, before: Leaving): History => run.tell({ type: "host.rechecked", before, ...ready() });
