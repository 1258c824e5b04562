import { describe, expect, test } from "vitest";
import { reportOf } from "../../../test/builders/report-of.ts";
import { type History, history } from "../../testing/index.ts";
import { standText } from "../command/index.ts";
import type { Checkpoint, Envelope } from "../run/index.ts";
import { viewOf } from "../view/index.ts";
import { react } from "./react.ts";
import type { Trigger } from "./trigger.ts";

const point = (id: string): Checkpoint => ({
  ...{ id, tree: id, facts: "f", changed: { files: 0, added: 0, removed: 0 }, ms: 1 },
});
const taken = (id: string): Trigger => ({
  ...{ type: "checkpoint.taken", moment: "list", ids: [], checkpoint: point(id) },
});
const UNDO: Trigger = {
  ...{ type: "human.undo", undo: "u1", ids: ["t1"], before: point("c1"), after: point("c2"), steps: [] },
  words: { id: "w1", text: "Undone", kind: "steer" },
};
const since = (it: History, act: (it: History) => unknown): readonly string[] => {
  const { length } = it.envelopes;
  act(it);
  return it.envelopes.slice(length).map(({ event }) => event.type);
};
const finished = () => history().writes("a").says().works().completes(0).ends();

describe("a checkpoint", () => {
  test("is the next one, or another process was first", () => {
    const it = history().writes("a");
    const replies = ["c2", "c1", "c1", "c3", "c0", "c2"].map((id) => it.tell(taken(id)).reply.type);
    expect(replies).toEqual(["ignored", "done", "ignored", "ignored", "ignored", "done"]);
    expect(it.run.ledger.checkpoints.taken).toBe(2);
  });

  test("is recorded when the run is over, too", () => {
    const it = history().writes("a").tell({ type: "human.clear" });
    expect(since(it, () => it.tell(taken("c1")))).toEqual(["checkpoint.taken"]);
  });

  test("decides nothing anew", () => {
    const it = history().writes("a").says().fails("overload").after(3_600_000);
    expect([it.said, since(it, () => it.tell(taken("c1")))]).toEqual(["wait backoff", ["checkpoint.taken"]]);
  });
});

describe("work that you undo", () => {
  test("opens a run again that was done", () => {
    const it = finished();
    expect([it.run.status, it.run.ledger.endReason]).toEqual(["ended", "done_unproven"]);
    expect(since(it, () => it.tell(UNDO)).slice(0, 2)).toEqual(["run.reopened", "files.undone"]);
    expect([it.run.status, it.run.plan.todos[0]?.status]).toEqual(["live", "not_started"]);
  });

  test("takes back the verdict of a run that was done, on every screen", () => {
    const it = finished();
    const { run, events } = react(it.run, UNDO, { now: it.now, limits: it.limits, role: "bystander" });
    expect(viewOf(run, { now: it.now, isGone: true, isOurs: true })).toMatchObject({
      state: {
        ...{ word: "stopped", actsNext: "you" },
        says: `open again after it was done: 1 todo open. \`tildone run --resume ${run.id}\` continues.`,
      },
    });
    expect(viewOf(run, { now: it.now }).decision).toBeUndefined();
    const log = [...it.envelopes, ...events].map((event, at): Envelope => ({ ...event, seq: at + 1 }));
    expect(reportOf(log).verdict.reason).toBe("open_again");
    expect(standText(run)).toBe("Open again after it was done.");
  });

  test.each<[string, () => History, string]>([
    ["a run that lives", () => history().writes("a").says(), "live"],
    ["a run that you cleared", () => history().writes("a").tell({ type: "human.clear" }), "ended"],
  ])("leaves %s as it is", (_which, given, status) => {
    const it = given();
    const events = since(it, () => it.tell(UNDO));
    expect([events.includes("run.reopened"), events.includes("files.undone"), it.run.status]).toEqual([
      ...[false, true],
      status,
    ]);
  });

  test("may be undone from a process that does not drive the run", () => {
    const { run, limits, now } = history().writes("a");
    const { events } = react(run, UNDO, { now, limits, role: "bystander" });
    expect(events.map(({ event }) => event.type)).toContain("files.undone");
  });
});
