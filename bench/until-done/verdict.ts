import type { Persona } from "../../src/testing/index.ts";
import type { Cell, NoEnd, Ran } from "./cell.ts";
import { canFinish, requestsDue } from "./requests-due.ts";

/** What a cell comes to. Its order is that of the questions; the first fault is told. */
export const VERDICTS = {
  "not run": "Could not be run here; the note says why.",
  "never stopped": "Asked a model that gets nowhere until the benchmark ended it.",
  "no end": "Was still at work when its time was up, or rested on finished work where a script waits for its exit.",
  "false claim": "Says that the work is done, and it is not.",
  unfinished: "Could have been finished and was not.",
  "false alarm": "Says that the work is not done, and it is.",
  "no word": "Its process is gone, and what it shows says that it is still at work.",
  "nudged needlessly":
    "Told the model to continue where it should not: after an abort, in a wait, on a question, on work that is done.",
  "asked too often": "Asked the model more often than the work and its early stops need, or than a runaway may.",
  good: "Finished, or stopped as it should, and truthfully reported.",
} as const satisfies Record<string, string>;
export type Verdict = keyof typeof VERDICTS;

/** By what a system is taken at its word. Everybody is judged by all three. */
export const YARDSTICKS = {
  process: 'what the process says: exit code 0 is "done", any other is "not done"',
  person: "what a person can see: tildone's verdict, or the system's own list of todos beside its exit code",
  files: "what the files say: finished or not, stopped or not, without asking what is claimed",
} as const satisfies Record<string, string>;
export type Yardstick = keyof typeof YARDSTICKS;
export const EACH_YARDSTICK = Object.keys(YARDSTICKS) as readonly Yardstick[];

export type Verdicts = Readonly<Record<Yardstick, Verdict>>;

export const verdictsOf = (persona: Persona, cell: Cell): Verdicts => ({
  process: verdict(persona, cell, "process"),
  person: verdict(persona, cell, "person"),
  files: verdict(persona, cell, "files"),
});

export function verdict(persona: Persona, cell: Cell, by: Yardstick): Verdict {
  if (cell.status === "not run") return "not run";
  if (cell.requests > RUNAWAY) return "never stopped";
  if (cell.status === "no end") return ofOneThatRests(persona, cell, by) ?? overdone(persona, cell) ?? "good";
  return ofItsWord(persona, cell, by) ?? overdone(persona, cell) ?? "good";
}

/** A process that rests has stopped, and claims nothing. Only a script that waits for its exit is not served by that. */
function ofOneThatRests(persona: Persona, { still, finished }: NoEnd, by: Yardstick): Verdict | undefined {
  if (still === "works") return "no end";
  if (!canFinish(persona)) return undefined;
  if (!finished) return "unfinished";
  return by === "process" ? "no end" : undefined;
}

function ofItsWord(persona: Persona, cell: Ran, by: Yardstick): Verdict | undefined {
  const claims = claimOf(cell, by);
  if (claims === "done" && !cell.finished) return "false claim";
  if (canFinish(persona) && !cell.finished) return "unfinished";
  if (canFinish(persona) && claims === "not done") return "false alarm";
  return claims === "at work" ? "no word" : undefined;
}

/** What a system says of its work; undefined where it is not asked. */
function claimOf({ exit, shows }: Ran, by: Yardstick): "done" | "not done" | "at work" | undefined {
  if (by === "files") return undefined;
  if (by === "person" && shows !== undefined) return shows.state;
  return exit === 0 ? "done" : "not done";
}

function overdone(persona: Persona, cell: Ran | NoEnd): Verdict | undefined {
  if (needlessNudges(persona, cell) > 0) return "nudged needlessly";
  return requestsTooMany(persona, cell) > 0 ? "asked too often" : undefined;
}

/** Nudges beyond those that the persona calls for, and all that come in a wait. */
export function needlessNudges(persona: Persona, cell: Ran | NoEnd): number {
  const inWait = cell.status === "ran" ? (cell.inWait ?? 0) : 0;
  return Math.max(inWait, cell.nudges - (requestsDue(persona).nudges ?? cell.nudges), 0);
}

/** Requests beyond those that the work and its early stops call for, or that a runaway deserves. */
export function requestsTooMany(persona: Persona, cell: Ran | NoEnd): number {
  const { most } = requestsDue(persona);
  const besides = cell.status === "ran" ? (cell.besides ?? 0) : 0;
  return most === undefined ? 0 : Math.max(0, cell.requests - besides - most);
}

/** The worst of several. */
export const worst = (verdicts: readonly Verdict[]): Verdict =>
  ORDER.find((each) => verdicts.includes(each)) ?? "not run";
const ORDER = Object.keys(VERDICTS) as readonly Verdict[];

/** A system that asks more often than this does not stop by itself. */
export const RUNAWAY = 150;
