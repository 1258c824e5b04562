import { expect, test } from "vitest";
import * as api from "./index.ts";

test("the public names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "DEFAULTS",
    "EVENTS",
    "REFUSALS",
    "RULES",
    "STATUSES",
    "STOP",
    "StoreError",
    "UNBORN",
    "WAIT",
    "begin",
    "contextText",
    "createEngine",
    "decide",
    "decisionText",
    "eventText",
    "evolve",
    "fold",
    "memoryStore",
    "nudgeText",
    "openRun",
    "openStore",
    "openTildone",
    "plainList",
    "react",
    "speak",
    "themedList",
  ]);
});
