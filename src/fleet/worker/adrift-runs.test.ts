import { expect, test } from "vitest";
import type { FleetRun, FleetState } from "../ports.ts";
import { adriftRuns } from "./adrift-runs.ts";

const aRun = (run: string, state: FleetState, driver?: string) => ({ run, state, driver }) as FleetRun;

test.each([
  ["a run that waits", aRun("r", "queued"), true],
  ["a run of a dead worker", aRun("r", "running", "dead"), true],
  ["a run of another worker", aRun("r", "running", "other"), false],
  ["a run that this worker drives", aRun("driven", "running", "self"), false],
  ["a run that this worker had before it was started again", aRun("r", "running", "self"), true],
])("%s", (_situation, run, isAdrift) => {
  const fleet = { alive: new Set(["self", "other"]), self: "self", driving: new Set(["driven"]) };
  expect(adriftRuns([run], fleet).length > 0).toBe(isAdrift);
});
