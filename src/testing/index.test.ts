import { expect, test } from "vitest";
import * as testing from "./index.ts";

test("the public names", () => {
  expect(Object.keys(testing).sort()).toEqual([
    "HOST_KINDS",
    "PERSONAS",
    "QUESTIONED_LIST",
    "STORE_CONTRACT",
    "Skipped",
    "aBoundary",
    "aFailure",
    "aReceipt",
    "aRun",
    "asCommand",
    "createFakeChecks",
    "createFakeClock",
    "createFakeHost",
    "createFakeWorkspace",
    "createFakeWorld",
    "generateQuestions",
    "history",
    "playPersona",
    "receiptsOf",
    "said",
    "scriptOf",
    "startScriptedModel",
    "todos",
  ]);
});
