import { expect, test } from "vitest";
import { aBoundary, aRun, history, todos } from "../../testing/index.ts";
import { shortState } from "./index.ts";

const open = todos("completed", "in_progress", "not_started");

test.each([
  ["nothing yet", undefined, aRun({ todos: [] })],
  ["at work", "📋 1/3 done · 0 proven", history().writes("a", "b", "c").works().completes(0).run],
  ["abandoned counts as finished", "📋 1/2 done · 0 proven", history().writes("a", "b").edits("abandon", 0).run],
  ["held", "📋 1/3 done · 0 proven · ✋ held", aRun({ todos: open, held: true })],
  ["interrupted", "📋 0/1 done · interrupted", history().writes("a").aborts().run],
  ["blocked", "📋 0/1 done · ⏸ blocked", history().writes("a").edits("block", 0).ends().run],
  ["waiting for the provider", "📋 0/1 done · waits: provider", history().writes("a").fails("overload").run],
  ["the provider failed", "📋 0/1 done · provider failed", history().writes("a").fails("other").run],
  [
    "parked",
    "📋 1/3 done · 0 proven · parked: send a message, or /unhold",
    aRun({ todos: open, boundary: aBoundary({ status: "parked" }) }),
  ],
  [
    "finished, nothing proves it",
    "☑ Finished, not proven (1 todo)",
    history().writes("a").works().completes(0).ends().run,
  ],
])("%s -> %s", (_situation, expected, run) => expect(shortState(run)).toBe(expected));

test("done is said only of what is proven", () => {
  const ended = (endReason: string) => {
    const run = aRun({ todos: todos("completed") });
    return shortState({ ...run, status: "ended", ledger: { ...run.ledger, endReason } });
  };
  expect([ended("all_done"), ended("done_unproven"), ended("done_accepted"), ended("cleared")]).toEqual([
    "✓ Done (1 todo)",
    "☑ Finished, not proven (1 todo)",
    "✓ Finished, accepted (1 todo)",
    "📋 1/1 done · 0 proven",
  ]);
});
