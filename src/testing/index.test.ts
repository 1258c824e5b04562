import { expect, test } from "vitest";
import * as testing from "./index.ts";

test("the public names", () => {
  expect(Object.keys(testing).sort()).toEqual([
    "HOST_KINDS",
    "PERSONAS",
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
    "history",
    "playPersona",
    "receiptsOf",
    "said",
    "scriptOf",
    "startScriptedModel",
    "todos",
  ]);
});
