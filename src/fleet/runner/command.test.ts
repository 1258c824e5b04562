import { expect, test } from "vitest";
import type { Submission } from "../ports.ts";
import { commandOf } from "./command.ts";

const submission: Submission = {
  ...{
    run: "r1",
    goal: "--help",
    repo: "/r",
    checks: ["npm test"],
    queue: "runs",
    needs: [],
    priority: 1,
    pr: false,
    by: "t",
  },
  budget: { tokens: 5, minutes: 2 },
  model: "a/b",
};

test("a goal is never read as an option", () => {
  expect(commandOf(submission, "begin", "/p/plan.md")).toEqual([
    ...[
      "run",
      "--model=a/b",
      "--check=npm test",
      "--file=/p/plan.md",
      "--max-tokens=5",
      "--max-minutes=2",
      "--",
      "--help",
    ],
  ]);
});

test("continuing says nothing in your name", () => {
  expect(commandOf(submission, "continue", undefined)).toEqual(["run", "--resume", "--model=a/b", "--", "r1"]);
});
