import { expect, test } from "vitest";
import { shown } from "./tildone.ts";

test.each([
  [{ state: "ended", reason: "all_done" }, "done"],
  [{ state: "ended", reason: "done_unproven" }, "done"],
  [{ state: "stop", reason: "no_progress" }, "not done"],
  [{ state: "left" }, "not done"],
  [{ state: "wait", reason: "question" }, "not done"],
  [{ state: "wait", reason: "compacting" }, "at work"],
  [{ state: "wait", reason: "backoff" }, "at work"],
  [{ state: "continue" }, "at work"],
  [{ state: "working" }, "at work"],
  [{ state: "working", reason: "no_progress" }, "at work"],
] as const)("a run that says %o is %s once its process is gone", (summary, expected) =>
  expect(shown(summary).state).toBe(expected),
);

test.each([
  [{ state: "working" }, "not done"],
  [{ state: "continue" }, "not done"],
  [{ state: "wait", reason: "compacting" }, "not done"],
  [{ state: "ended", reason: "all_done" }, "done"],
] as const)("a run that says %o is %s where the screens know that its process ended", (summary, expected) =>
  expect(shown(summary, true).state).toBe(expected),
);
