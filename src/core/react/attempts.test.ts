import { expect, test } from "vitest";
import { reportOf } from "../../../test/builders/report-of.ts";
import { history } from "../../testing/index.ts";
import { DEFAULTS } from "../continuation/index.ts";
import { markdownReport } from "../report/index.ts";
import { eventText, type Run } from "../run/index.ts";
import { ATTEMPTS, type Attempt } from "../speaker/index.ts";
import { attemptOf, react, type Trigger } from "./index.ts";

const because = "a tool call of the agent (process 9) started it";
const attempt = (kind: Attempt = "extend", text = "tildone extend --tokens 9"): Trigger => ({
  type: "attempt.refused",
  attempt: kind,
  text,
  because,
});
const atWork = () => history().says().writes("a").works();
const bystander = (now: number) =>
  ({ now, limits: DEFAULTS, role: "bystander", speaker: () => ({ via: "process" as const }) }) as const;

/** Tries it every so many milliseconds, from a process that does not drive the run. */
function tries(run: Run, times: number, everyMs: number, kinds: readonly Attempt[] = ["extend"]) {
  const events = [];
  let now = run;
  for (let at = 0; at < times; at++)
    for (const kind of kinds) {
      const reaction = react(now, attempt(kind), bystander(1_000_000 + at * everyMs));
      now = reaction.run;
      events.push(...reaction.events);
    }
  return { run: now, events };
}

test("what the agent was refused stands in the log with where it came from, and changes nothing else", () => {
  const { run } = atWork();
  const { events, run: after } = tries(run, 1, 0);
  expect(events).toMatchObject([
    { by: "engine", event: { type: "attempt.refused", attempt: "extend", because, from: { via: "process" } } },
  ]);
  const { refused, ...ledger } = after.ledger;
  expect(refused).toEqual({ extend: { count: 1, at: 1_000_000 } });
  expect({ ...after, ledger }).toEqual(run);
});

test("a run that is over keeps it, too, and stays over", () => {
  const over = history().writes("a").tell({ type: "human.clear" }).run;
  const { run, events } = tries(over, 1, 0);
  expect([run.status, events.length]).toEqual(["ended", 1]);
});

test("an agent that tries in a loop leaves one event a minute and 20 of a kind", () => {
  const { run } = atWork();
  expect(tries(run, 5_000, 10).events).toHaveLength(1);
  const all = Object.keys(ATTEMPTS) as Attempt[];
  const { events } = tries(run, 5_000, 30_000, all);
  expect(events).toHaveLength(20 * all.length);
  const last = events.filter(({ event }) => event.type === "attempt.refused" && event.isLast);
  expect(last).toHaveLength(all.length);
  expect(eventText(events.at(-1)!.event, run)).toContain("tildone records no more attempts of this kind");
});

test("a clock that is set back does not silence it for long", () => {
  const { run } = tries(atWork().run, 1, 0);
  expect(react(run, attempt(), bystander(100_000)).events).toHaveLength(1);
});

test("the report and the log say it in one sentence, without secrets", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const { run, envelopes } = atWork();
  const { events } = react(run, attempt("approve", `tildone approve ${token}`), bystander(1_000_000));
  const report = reportOf([...envelopes, { ...events[0]!, seq: 99 }]);
  expect(report.refused).toMatchObject([{ attempt: "approve", from: { via: "process" } }]);
  expect(report.notAtTerminal).toEqual([]);
  const text = markdownReport(report);
  expect(text).toContain("## Tried by the agent in your name");
  expect(text).toMatch(
    /refused: the agent tried to approve a call \(tildone approve .*redacted.*\); a tool call of the agent/,
  );
  expect(text).not.toContain(token);
});

test.each<[Trigger, Attempt | undefined]>([
  [{ type: "human.accept" }, "accept"],
  [{ type: "human.accept", checks: "run" }, "accept_checks"],
  [{ type: "human.extend", budget: {} }, "extend"],
  [{ type: "human.unhold" }, "unhold"],
  [{ type: "human.resume" }, "resume"],
  [{ type: "human.clear" }, "clear"],
  [{ type: "human.answer", outcome: "once", words: "" }, "approve"],
  [{ type: "human.answer", outcome: "denied", words: "" }, undefined],
  [{ type: "human.answer", outcome: "stopped", words: "" }, undefined],
  [{ type: "todos.human_edit", edit: { action: "done", indices: [0] } }, "todo_done"],
  [{ type: "todos.human_edit", edit: { action: "drop", indices: [0] } }, "todo_drop"],
  [{ type: "todos.human_edit", edit: { action: "reopen", indices: [0] } }, undefined],
  [{ type: "human.hold", now: true }, undefined],
  [{ type: "words.queue", words: { id: "w", text: "x", kind: "steer" } }, undefined],
])("%j is %s", (trigger, expected) => expect(attemptOf(trigger)).toBe(expected));
