import { expect, test } from "vitest";
import * as door from "./index.ts";

test("the public names of tildone/scheduler", () =>
  expect(Object.keys(door).sort()).toEqual([
    "LIMITS",
    "TransientError",
    "UNANSWERED",
    "createCommander",
    "createMessageQueue",
    "createRunScheduler",
    "createScheduler",
    "cutOffCalls",
    "loadPolicy",
    "performAction",
    "toolBox",
  ]));
