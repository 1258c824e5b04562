import { expect, test } from "vitest";
import { reportOf } from "../../../test/builders/report-of.ts";
import { history } from "../../testing/index.ts";
import { stopRow } from "../reason/index.ts";
import { markdownReport } from "../report/index.ts";
import { resumeCommand } from "../view/index.ts";
import { stoppedText } from "../words/index.ts";
import { decisionText, eventText, evolve, fold, isUnread, type LogRow, nextStepText, readRow } from "./index.ts";

const row = (event: unknown, more: Partial<LogRow> = {}): LogRow => ({
  seq: 3,
  at: 9,
  by: "engine",
  v: 1,
  event,
  ...more,
});
const started = { type: "todo.started", ids: ["t1"] };

test.each<[string, LogRow, "read" | "damaged" | "newer", string]>([
  ["an event", row(started), "read", ""],
  ["a field more than we know", row({ ...started, colour: "red" }), "read", ""],
  ["no JSON", row(undefined), "damaged", "not JSON"],
  ["no event", row([1, 2]), "damaged", "not an event: it has no type"],
  ["no time", row(started, { at: Number.NaN }), "damaged", "its time is not a number"],
  ["a field that is none", row({ type: "todo.started", ids: 1 }), "damaged", "\"todo.started\" has no readable 'ids'"],
  ["a reason that is no name", row(decided("on\nhold")), "damaged", "\"decision.made\" has no readable 'decision'"],
  ["a later version", row(started, { v: 2 }), "newer", '"todo.started" was written by a newer tildone (version 2)'],
  ["a type of its own", row({ type: "moon.rose" }), "newer", '"moon.rose" is not an event that this version knows'],
  ["an author that we do not know", row(started, { by: "moon" }), "newer", 'unknown author "moon"'],
])("%s", (_what, given, status, problem) => {
  const read = readRow(given);
  expect(isUnread(read) ? [read.status, read.problem] : ["read", ""]).toEqual([status, problem]);
  if (!isUnread(read)) expect(read).toEqual(given);
});

test.each(["moonrise", "constructor"])(
  "a reason that only a newer tildone knows (%s) is read, and has a sentence",
  (reason) => {
    const { envelopes } = history().writes("a").turn("human").tell({ type: "turn.ended", outcome: "completed" });
    const boundary = envelopes.flatMap(({ event }) => (event.type === "turn.ended" ? [event.boundary] : [])).at(-1);
    const later = readRow({
      seq: envelopes.length + 1,
      at: 99,
      by: "engine",
      v: 1,
      event: { ...decided(reason), boundary },
    });
    if (isUnread(later)) throw new Error(later.problem);
    const run = fold([...envelopes, later]);
    const { decision } = run.ledger;
    expect(run.ledger.boundary?.status).toBe("stopped");
    expect(decision && decisionText(decision)).toBe(
      `Stopped for a reason that only a newer tildone knows (${reason}).`,
    );
    expect(decision && nextStepText(decision)).toContain("Update tildone to read more: `git pull && npm ci`");
    expect(eventText(later.event, run)).toContain(`stop ${reason}: Stopped`);
    expect(stoppedText(run, reason as never, { hasCommands: false })?.text).toContain(reason);
    expect(resumeCommand(run, reason as never)).toBe(`tildone run --resume ${run.id}`);
    expect(markdownReport(reportOf([...envelopes, later]))).toContain(reason);
    expect(stopRow(reason).exit).toBe(5);
  },
);

test("a turn that a newer tildone ended for a reason of its own is continued by your word like any other", () => {
  const begun = history().writes("a").turn("human");
  const turn = begun.run.ledger.turn!.id;
  const braked = readRow(row({ type: "turn.braked", turn, reason: "moonrise", how: "now" }));
  if (isUnread(braked)) throw new Error(braked.problem);
  begun.run = evolve(begun.run, braked);
  const ended = begun.aborts();
  expect(ended.run.ledger.decision).toMatchObject({ type: "stop", reason: "moonrise" });
  const { run } = ended.tell({ type: "human.resume" });
  expect(run.ledger.decision).toMatchObject({ type: "continue" });
});

test("a wait that only a newer tildone knows has a sentence, too", () => {
  const read = readRow(
    row({ type: "decision.made", boundary: "b1", decision: { type: "wait", reason: "moonrise", rule: "m" } }),
  );
  if (isUnread(read)) throw new Error(read.problem);
  expect(eventText(read.event, history().writes("a").run)).toBe(
    "wait moonrise: Waiting for something that only a newer tildone knows (moonrise).",
  );
});

function decided(reason: string) {
  return { type: "decision.made", boundary: "b1", decision: { type: "stop", reason, rule: "moon" } };
}
