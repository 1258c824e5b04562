import { expect, test } from "vitest";
import * as door from "./index.ts";

test("the public names of tildone/scheduler", () =>
  expect(Object.keys(door).sort()).toEqual([
    "LIMITS",
    "MODES",
    "NEXT",
    "TransientError",
    "UNANSWERED",
    "conflict",
    "createCommander",
    "createMessageQueue",
    "createRunScheduler",
    "createScheduler",
    "cutOffCalls",
    "isSettled",
    "loadPolicy",
    "performAction",
    "toolBox",
  ]));
