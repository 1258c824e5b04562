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
    "cardOf",
    "carriageOf",
    "contextChange",
    "contextText",
    "createEngine",
    "decide",
    "decisionText",
    "eventText",
    "evolve",
    "fold",
    "foldStored",
    "memoryStore",
    "nudgeText",
    "openRun",
    "openStore",
    "openTildone",
    "plainList",
    "react",
    "record",
    "speak",
    "themedList",
  ]);
});
