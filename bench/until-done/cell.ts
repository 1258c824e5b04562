import type { ModelRequest, Persona } from "../../src/testing/index.ts";

/** The result of one persona on one system. */
export type Cell = Ran | NoEnd | { readonly status: "not run"; readonly why: string; readonly cause: Cause };

/**
 * `no fit`: the persona needs what this host does not have, so nothing is missing. `luck`: a server was not up in time, or the
 * like; it is tried again. The others leave a hole in the run.
 */
export type Cause = "no fit" | "not installed" | "luck" | "failed";

/** Its process was still there when its time was up, which may be the machine's fault. */
export interface NoEnd {
  readonly status: "no end";
  readonly afterMs: number;
  /** `rests`: it had not asked the model for long, so it may have stopped without ending. */
  readonly still: "works" | "rests";
  readonly finished: boolean;
  readonly requests: number;
  readonly nudges: number;
}

export interface Ran {
  readonly status: "ran";
  /** The user's check passes at the end, on the tests as they were: the work is really done. */
  readonly finished: boolean;
  /** How the process ended; null: by a signal. */
  readonly exit: number | null;
  /** What a person can read besides, where the system has something to read. */
  readonly shows?: Shown;
  /** How often the model was asked, requests for titles and the like aside. */
  readonly requests: number;
  /** Answers that this host needs beside those of the script: one to start an agent in the background. */
  readonly besides?: number;
  /** How often another model was asked whether the work is done, where the system has such a judge. */
  readonly judged?: number;
  /** User messages that the user did not write, and their characters. */
  readonly nudges: number;
  readonly added: number;
  /** Requests that came while the model waited for an agent of its own. */
  readonly inWait?: number;
  /** Characters of the first request: instructions and tools are sent with every one. */
  readonly opening: number;
  /** Characters of all requests together, those on the side as well. */
  readonly sent: number;
  readonly ms: number;
  /** The most memory that the process and all it started held together, in MiB; where it was asked for. */
  readonly memory?: number;
}

/** Of tildone it is the reason in its log, of any other system its own list of todos at the end. */
export interface Shown {
  readonly state: "done" | "not done" | "at work";
  readonly words: string;
}

export interface System {
  readonly name: string;
  /** What was measured: the version of the host. */
  readonly version: string;
  /** Systems of one host stand beside each other. */
  readonly family: string;
  /** tildone is in it, so it has to keep tildone's promises. */
  readonly isOurs?: true;
  /** The process is ours as well, so that its exit code has to keep them, too. */
  readonly exitsForUs?: true;
  /** The same without what is measured: its time and memory are the floor. */
  readonly beside?: string;
  /** Only played when everything is: another way to start a system that is played anyway. */
  readonly onlyInFull?: true;
  /** Gets what it needs; the answer says why it cannot be run here, if so. */
  readonly whyNot?: () => string | undefined;
  readonly play: (persona: Persona, terms: Terms) => Promise<Cell>;
}

/** What every play is subject to. */
export interface Terms {
  readonly longestMs: number;
  /** The longest without a question to the model. */
  readonly quietMs: number;
  /** Ends the play, and what it started. */
  readonly signal: AbortSignal;
  readonly watchesMemory?: boolean;
  /** Is given how a cell came about, for a reader who wants to know. */
  readonly keep: (transcript: Transcript) => void;
}

export interface Transcript {
  /** What the model was asked. */
  readonly requests: readonly ModelRequest[];
  /** The end of what the program printed. */
  readonly output: string;
}
