import { expect, test } from "vitest";
import { reportOf } from "../../../test/builders/report-of.ts";
import { type History, history } from "../../testing/index.ts";
import type { CallEvent } from "../call/index.ts";
import { htmlReport, markdownReport } from "../report/index.ts";
import { contextText, nudgeText } from "../words/index.ts";

const intended = (call: string, what: string): CallEvent => ({
  type: "call.intended",
  ...{ call, tool: "bash", what, writes: [], attempt: 1 },
});
const settled = (call: string, effect: "done" | "failed"): CallEvent => ({
  type: "call.settled",
  ...{ call, tool: "bash", status: effect === "done" ? "success" : "error", effect, digest: call },
});

/** A turn in which one call is under way, one has ended and one has failed. */
const inTheMiddle = (): History =>
  history()
    .writes("a", "b")
    .turn("human")
    .starts(0)
    .tell({
      type: "calls.journal",
      events: [
        intended("c1", "npm publish"),
        intended("c2", "echo 1 >> log"),
        settled("c2", "done"),
        intended("c3", "make"),
        settled("c3", "failed"),
      ],
    });

const cutOff = ({ run }: History) => run.ledger.cutCalls.map(({ what, effect }) => `${what}: ${effect}`);
const opened = (unanswered: readonly string[] = []) =>
  inTheMiddle().tell({ type: "run.open", driver: "two", goOn: false, unanswered });

test.each<[string, readonly string[], readonly string[]]>([
  ["what had not ended may have run", [], ["npm publish: unknown"]],
  ["what had ended did run, if the agent never heard of it", ["c2"], ["npm publish: unknown", "echo 1 >> log: done"]],
  ["what had failed is told as that", ["c3", "c9"], ["npm publish: unknown", "make: failed"]],
])("a process dies in the middle of calls: %s", (_what, unanswered, expected) => {
  expect(cutOff(opened(unanswered))).toEqual(expected);
});

test("a call is cut off once, however often processes die after it", () => {
  const run = opened(["c2"]).tell({ type: "run.open", driver: "three", goOn: false, unanswered: ["c2"] });
  expect(run.envelopes.filter(({ event }) => event.type === "call.cut").length).toBe(2);
});

test("the agent is told with the next nudge and with the user's words, until a turn has ended", () => {
  const run = opened(["c2"]).unholds();
  const told = 'cut off: bash "npm publish" may or may not have run\n> cut off: bash "echo 1 >> log" did run';
  expect(nudgeText(run.run, "todo")).toContain(told);
  expect(contextText(run.run)).toContain(told);
  expect(nudgeText(run.turn("nudge").ends({ outcome: "failed" }).run, "todo")).toContain(told);
  expect(nudgeText(run.turn("nudge").works().ends().run, "todo")).not.toContain("cut off");
});

test("the user is told at once, and in the report for good", () => {
  const run = opened();
  const says = 'cut off: bash "npm publish" may or may not have run';
  expect(run.effects).toContainEqual({ type: "human.tell", notice: `Not everything ended: ${says}.` });
  const report = reportOf(run.unholds().turn("nudge").works().ends().envelopes);
  expect(report.cutOff).toEqual([says]);
  expect([markdownReport(report), htmlReport(report)].map((text) => /<h2>Cut off|## Cut off/.test(text))).toEqual([
    true,
    true,
  ]);
});

test("forgets the calls of a turn that ended", () => {
  const run = inTheMiddle()
    .ends()
    .tell({ type: "run.open", driver: "two", goOn: false, unanswered: ["c2"] });
  expect(cutOff(run)).toEqual([]);
});

test("a turn of very many calls is not remembered whole", () => {
  const run = history().writes("a").turn("human");
  for (let call = 0; call < 300; call++)
    run.tell({ type: "calls.journal", events: [intended(`c${call}`, "x"), settled(`c${call}`, "done")] });
  expect(run.run.ledger.calls.length).toBe(100);
  expect(run.run.ledger.calls.at(-1)?.call).toBe("c299");
});

test("very many that were cut off are neither remembered nor told whole: the last ones are", () => {
  const run = history().writes("a").turn("human");
  run.tell({ type: "calls.journal", events: Array.from({ length: 60 }, (_, at) => intended(`c${at}`, `make ${at}`)) });
  run.tell({ type: "run.open", driver: "two", goOn: false });
  expect(cutOff(run)).toHaveLength(50);
  const told = nudgeText(run.run, "todo").match(/^> .*$/gm);
  expect(told?.at(-2)).toContain("make 59");
  expect([told?.length, told?.at(-1)]).toEqual([11, "> (40 more)"]);
});
