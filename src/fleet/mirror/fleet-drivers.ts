import { type Driver, type RunCard, summaryOf } from "../../engine/index.ts";
import type { FleetRun, WorkerRow } from "../ports.ts";

/** A worker that was silent for so long is believed dead; others take its runs over much earlier. */
const SILENT_MS = 30_000;

/** Who works on a run, as screens ask it: the worker that has it, dead if it is silent. */
export function driversOf(run: FleetRun, card: RunCard, workers: readonly WorkerRow[]): readonly Driver[] {
  if (run.state === "running") {
    const worker = workers.find(({ id }) => id === run.driver);
    return [driverOf(run, card, worker !== undefined && worker.silentMs < SILENT_MS)];
  }
  // It was ended from outside: whatever its log says is under way is not.
  return run.state === "cancelled" || run.state === "poisoned" ? [driverOf(run, card, false)] : [];
}

const driverOf = (run: FleetRun, card: RunCard, isAlive: boolean): Driver => ({
  kind: "engine",
  driver: summaryOf(card).driver ?? run.driver ?? "",
  program: "tildone worker",
  pid: 0,
  machine: run.driver ?? "",
  since: run.updatedAt,
  isHere: false,
  isAlive,
});
