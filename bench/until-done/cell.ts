import type { ModelRequest, Persona } from "../../src/testing/index.ts";

/** What came of one persona on one system. */
export type Cell =
  | Ran
  /** It was still at it when its time was up, which may be the machine's fault. */
  | { readonly status: "no end"; readonly afterMs: number }
  /** `again`: it may be a matter of luck, such as a server that was not up in time. */
  | { readonly status: "not run"; readonly why: string; readonly again?: true };

export interface Ran {
  readonly status: "ran";
  /** The human's check passes at the end, on the tests as they were: the work is really done. */
  readonly finished: boolean;
  /** What the system says: that it is done, or that it is not. */
  readonly claims: "done" | "not done";
  /** In its own words: tildone's reason, or the exit code. */
  readonly reason: string;
  /** How often the model was asked, requests for titles and the like aside. */
  readonly requests: number;
  /** Answers that this host needs beside those of the script: one to start an agent in the background. */
  readonly besides?: number;
  /** User messages that the human did not write, and their characters. */
  readonly nudges: number;
  readonly added: number;
  /** Characters of the first request: instructions and tools are sent with every one. */
  readonly opening: number;
  readonly ms: number;
  /** The most memory that the process and all it started held together, in MiB; where it was asked for. */
  readonly memory?: number;
}

export interface System {
  readonly name: string;
  /** What was measured: the version of the host. */
  readonly version: string;
  /** Systems of one host stand beside each other. */
  readonly family: string;
  /** The same without what is measured: its time and memory are the floor. */
  readonly beside?: string;
  /** Only played when everything is: another way to start a system that is played anyway. */
  readonly onlyInFull?: true;
  /** Which personas a default run plays on it; without it, all. */
  readonly isFor?: (persona: Persona) => boolean;
  /** Gets what it needs; the answer says why it cannot be run here, if so. */
  readonly whyNot?: () => string | undefined;
  readonly play: (persona: Persona, terms: Terms) => Promise<Cell>;
}

/** What every play is subject to. */
export interface Terms {
  readonly longestMs: number;
  /** The longest without a question to the model. */
  readonly quietMs: number;
  readonly watchesMemory?: boolean;
  /** Is given how a cell came about, for whoever wants to know. */
  readonly keep: (transcript: Transcript) => void;
}

export interface Transcript {
  /** What the model was asked. */
  readonly requests: readonly ModelRequest[];
  /** The end of what the program printed. */
  readonly output: string;
}

/** A persona that can be finished is finished by its script when nobody stops it. */
export const canFinish = (persona: Persona): boolean => persona.ends.reason === "all_done";

const ENDLESS = 1000;

/** The fewest requests that finish it: each answer of the script is one. */
export function fewestRequests(persona: Persona): number {
  const plays = persona.plays();
  for (let count = 0; count < ENDLESS; count++) if (plays.next({ user: "", results: [], turn: 1 }).done) return count;
  return ENDLESS;
}

/** What a cell comes to. Its order is that of the questions; the first fault is told. */
export const VERDICTS = {
  "not run": "Could not be run here; the note says why.",
  "no end": "Was still at it when its time was up.",
  "never stopped": "Asked a model that gets nowhere until the benchmark ended it.",
  "false claim": "Says that the work is done, and it is not.",
  unfinished: "Could have been finished and was not.",
  "false alarm": "Says that the work is not done, and it is.",
  "nudged needlessly": "Sent the model on where it should have been left alone.",
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
  return "good";
}

/** Nudges beyond those that the persona calls for: after an abort, on a question, on work that is done. */
export const needlessNudges = ({ ends }: Persona, { nudges }: Ran): number => Math.max(0, nudges - ends.nudges.atMost);

/** A system that asks more often than this does not stop by itself. */
export const RUNAWAY = 150;
