import { expect, test } from "vitest";
import type { Run } from "../core/run/index.ts";
import { type Seen, viewOf } from "../core/view/index.ts";
import { history } from "../testing/index.ts";
import { showRun } from "./show-run.ts";

const IO = { columns: 80, hasColour: false };
const shown = (run: Run, seen: Seen) => showRun({ seen, view: viewOf(run, seen) }, IO);
const MINUTE = 60_000;
const working = () => history().writes("a").turn("human");

test.each([
  ["one that works", working(), 0, "working: the agent is working"],
  ["one that was not heard of for a while", working(), 14 * MINUTE, "working: the agent is working"],
  ["one that was not heard of for long", working(), 3 * 60 * MINUTE, "silent: no sign of it for 3 h."],
  ["one that waits for the human may be silent", working().holds(), 3 * 60 * MINUTE, "held: "],
  [
    "one whose turn is being ended",
    history({ birth: { budget: { tokens: 100 } } })
      .writes("a")
      .turn("human")
      .tell({ type: "answer.seen", calls: 1, usage: { input: 100, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 } }),
    0,
    "ending: tildone ends this turn. The token budget is spent: 100 of 100 tokens\nused.",
  ],
  ["one whose host is gone", working().tell({ type: "host.left" }), 0, "left: the host exited in the middle of a turn"],
])("%s", (_what, { run }, silentMs, expected) => {
  const now = run.ledger.began + 10 * 60 * MINUTE;
  expect(shown(run, { now, heardAt: now - silentMs })).toContain(`\n${expected}`);
});

test.each([true, false])("a turn that has to end, where no hook can end one (%s): what ends it", (endsNoTurn) => {
  const { run } = history({ birth: { budget: { tokens: 100 } } })
    .writes("a")
    .turn("human")
    .tell({ type: "answer.seen", calls: 1, usage: { input: 100, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 } });
  expect(shown(run, { now: run.ledger.began, endsNoTurn }).includes("Esc in the")).toBe(endsNoTurn);
});
