import type { Persona } from "../../src/testing/index.ts";
import type { Cell, Ran } from "./cell.ts";
import { canFinish, requestsDue } from "./requests-due.ts";

/** What a cell comes to. Its order is that of the questions; the first fault is told. */
export const VERDICTS = {
  "not run": "Could not be run here; the note says why.",
  "no end": "Its process had not ended when its time was up, or when it had asked the model nothing for long.",
  "never stopped": "Asked a model that gets nowhere until the benchmark ended it.",
  "false claim": "Says that the work is done, and it is not.",
  unfinished: "Could have been finished and was not.",
  "false alarm": "Says that the work is not done, and it is.",
  "nudged needlessly":
    "Sent the model on where it should have been left alone: after an abort, in a wait, on a question, on work that is done.",
  "asked too often":
    "Asked the model more often than the work and its early stops, or the limits of a runaway, call for.",
  good: "Finished, or stopped as it should, and truthfully reported.",
} as const satisfies Record<string, string>;
export type Verdict = keyof typeof VERDICTS;

export function verdict(persona: Persona, cell: Cell): Verdict {
  if (cell.status !== "ran") return cell.status;
  if (cell.requests > RUNAWAY) return "never stopped";
  if (cell.claims === "done" && !cell.finished) return "false claim";
  if (canFinish(persona) && !cell.finished) return "unfinished";
  if (canFinish(persona) && cell.claims === "not done") return "false alarm";
  if (needlessNudges(persona, cell) > 0) return "nudged needlessly";
  if (requestsTooMany(persona, cell) > 0) return "asked too often";
  return "good";
}

/** Nudges beyond those that the persona calls for, and all that come in a wait. */
export const needlessNudges = ({ ends }: Persona, { nudges, inWait = 0 }: Ran): number =>
  Math.max(inWait, nudges - ends.nudges.atMost, 0);

/** Requests beyond those that the work and its early stops call for, or the limits of a runaway. */
export function requestsTooMany(persona: Persona, { requests, besides = 0 }: Ran): number {
  const { most } = requestsDue(persona);
  return most === undefined ? 0 : Math.max(0, requests - besides - most);
}

/** The worst of several. */
export const worst = (verdicts: readonly Verdict[]): Verdict =>
  ORDER.find((each) => verdicts.includes(each)) ?? "not run";
const ORDER = Object.keys(VERDICTS) as readonly Verdict[];

/** A system that asks more often than this does not stop by itself. */
export const RUNAWAY = 150;
