/** What the rooms of the fleet need from each other and from the database. Everything here may stand on another machine. */
import type { RunCard } from "../engine/index.ts";

/**
 *     queued --claim--> running --finish--> finished
 *       ^                 |  |  \--poison-> poisoned   (3 claims died before a new checkpoint)
 *       |                 |  +--cancel----> cancelled  (also from queued and parked)
 *       +--wake-- parked <+
 *       +--hand back------+   (a worker that drains, or is too old for the log)
 */
export const FLEET_STATES = ["queued", "running", "parked", "finished", "poisoned", "cancelled"] as const;
export type FleetState = (typeof FLEET_STATES)[number];

/** What you submit. Nothing of it is a secret: it stands in the database and on screens. */
export interface Submission {
  readonly run: string;
  readonly goal: string;
  /** As the worker's git is given it, without credentials. */
  readonly repo: string;
  /** A branch, tag or commit of it; absent: its default branch. */
  readonly ref?: string;
  readonly checks: readonly string[];
  /** Runs once in a new workspace, before the agent: `npm ci`. */
  readonly prepare?: string;
  /** A plan, as Markdown. */
  readonly plan?: string;
  readonly queue: string;
  /** Labels that its worker must have. */
  readonly needs: readonly string[];
  /** 0 is first. */
  readonly priority: number;
  readonly budget: { readonly tokens?: number; readonly cost?: number; readonly minutes?: number };
  /** Absent: tildone's own agent. */
  readonly host?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly approval?: string;
  /** Whether the result is described for a pull request. */
  readonly pr: boolean;
  readonly by: string;
}

/** A run as the database has it. */
export interface FleetRun extends Submission {
  readonly state: FleetState;
  /** How many claims there were; who has an older one is fenced off. */
  readonly epoch: number;
  /** The worker that has it, while it runs. */
  readonly driver?: string;
  /** Position of the newest event. */
  readonly seq: number;
  readonly checkpoint?: Mark;
  /** Claims since one of them worked from a checkpoint to the next. */
  readonly attempts: number;
  /** How often it was put on the queue: names its workflow. */
  readonly generation: number;
  /** Absent before the run has a log. */
  readonly card?: RunCard;
  /** Version of the newest event, so that an older worker does not drive it. */
  readonly eventVersion: number;
  /** Why it stopped: a reason of the STOP table, or a sentence. Of one that is running: what it waits for. */
  readonly outcome?: string;
  readonly resultCommit?: string;
  readonly submittedAt: number;
  readonly updatedAt: number;
}

/** The unit of truth: log, conversation and files up to here belong together. */
export interface Mark {
  readonly seq: number;
  /** The files, as a commit that stands in the remote. Absent: nothing was changed yet. */
  readonly commit?: string;
  /** Length of the conversation's file. */
  readonly bytes: number;
}

/** An event as it is stored: `event` is JSON text, because jsonb refuses what agents print. */
export interface Row {
  readonly seq: number;
  readonly at: number;
  readonly by: string;
  readonly v: number;
  readonly event: string;
}

/** Shows that a run is ours, and until when: every write names it, and one that is too old writes nothing. */
export interface Lease {
  readonly run: string;
  readonly epoch: number;
}

/** Everything a new driver starts from. `lost`: events after the checkpoint, which do not count any more. */
export interface Claimed {
  readonly lease: Lease;
  readonly run: FleetRun;
  readonly rows: readonly Row[];
  readonly conversation: Uint8Array;
  /** Which file the conversation is, relative to the home of its agent. */
  readonly session?: string;
  readonly words: readonly Word[];
  readonly lost: number;
  /** What was used in all turns of the run that were ever lost: no log has them, and budgets count them. */
  readonly lostSpend: { readonly tokens: number; readonly cost: number; readonly minutes: number };
}

export type ClaimAnswer =
  | { readonly status: "claimed"; readonly claimed: Claimed }
  | { readonly status: "finished"; readonly outcome: string; readonly resultCommit?: string }
  | { readonly status: "poisoned" | "cancelled" }
  /** It waits for you. A workflow that was started again after its end meets it. */
  | { readonly status: "parked"; readonly why: string }
  /** Its log was written by a newer tildone. Nothing was changed. */
  | { readonly status: "newer"; readonly eventVersion: number }
  /** Another one claimed it since this attempt began. Nothing was changed. */
  | { readonly status: "overtaken" }
  /** As many runs as this limit allows are running. Nothing was changed. */
  | { readonly status: "limited"; readonly by: string }
  | { readonly status: "unknown" };

/** Runs that share something, in the whole fleet, and how many of them may be running at the same time. */
export type Limit = readonly [name: string, most: number];

/** What one process wants that is about to drive a run. */
export interface Attempt {
  /** Another one in each process: a claim that is made again because its answer was lost gets what it got, and is no second death. */
  readonly token?: string;
  /** The newest claim when this attempt began; who claimed it since keeps it. */
  readonly after?: number;
  readonly limits?: readonly Limit[];
}

/** Something you said, on its way to the process that drives. `trigger` is a trigger of core/react as JSON text. */
export interface Word {
  readonly id: number;
  readonly run: string;
  readonly trigger: string;
  /** Who said it and where, as JSON text of a `Spoken`. */
  readonly from: string;
  readonly at: number;
}
export interface WordState extends Word {
  /** Where in the log it stands; absent: it was not applied yet. */
  readonly appliedSeq?: number;
  /** Why it was refused. */
  readonly refused?: string;
}
export interface AppliedWord {
  readonly id: number;
  readonly seq: number;
  readonly refused?: string;
}

/** What was written about a run when it finished. */
export interface Papers {
  readonly report?: string;
  /** A description for a pull request, where one was asked for. */
  readonly pr?: string;
}

/** `fenced`: another one has the run by now, or it was cancelled; nothing was written. */
export type Written = { readonly status: "written" } | { readonly status: "fenced" };

/** A run is let go of only when everything said to it was applied and stands behind a barrier. `words`: apply these, then say it again. */
export type Released = Written | { readonly status: "words"; readonly words: readonly Word[] };

/** What a driver has new. `rows` follow each other and follow `from`. Saying it twice is harmless: an answer may get lost. */
export interface News {
  readonly from: number;
  readonly rows: readonly Row[];
  readonly card?: RunCard;
  readonly applied: readonly AppliedWord[];
}
/** With it everything up to `mark` becomes the truth. */
export interface Barrier extends News {
  readonly mark: Mark;
  /** This claim worked from one barrier to the next: deaths before it do not count any more. The first one is before its first turn. */
  readonly survived: boolean;
  readonly session?: string;
  /** Bytes of the conversation's file from `at` on; what was stored from there on is replaced. */
  readonly conversation?: { readonly at: number; readonly bytes: Uint8Array };
}

/**
 * The record of all runs of the fleet. Two implementations: PostgreSQL, and one in memory for the simulation. One contract suite runs on
 * both. Each method is one transaction; one whose answer is lost may be called again.
 */
export interface Ledger {
  submit(submission: Submission): Promise<void>;
  get(run: string): Promise<FleetRun | undefined>;
  /** The one changed last comes first. `changedAfter`, `changedBefore`: by the clock of the database, as `updatedAt` has it. */
  list(filter?: {
    readonly states?: readonly FleetState[];
    readonly limit?: number;
    readonly changedAfter?: number;
    readonly changedBefore?: number;
  }): Promise<readonly FleetRun[]>;
  /** How many runs there are in each state. Of those that are over it counts only what changed after `overAfter`: they become many. */
  counts(overAfter: number): Promise<readonly { readonly state: FleetState; readonly count: number }[]>;
  rows(run: string, after: number, limit: number): Promise<readonly Row[]>;
  lostRows(run: string): Promise<readonly (Row & { readonly epoch: number })[]>;

  /**
   * Epoch one up, events after the checkpoint are lost, their words are open again. `version`: the newest event this driver can read and
   * write. From here until it is let go of the run counts against its limits: both are one transaction.
   */
  claim(run: string, driver: string, version: number, attempt?: Attempt): Promise<ClaimAnswer>;
  /**
   * The first of its limits that is reached; undefined: none, and for some seconds it comes before others of these limits. A claim may still
   * find one reached.
   */
  askForTurn(run: string, limits: readonly Limit[]): Promise<string | undefined>;
  append(lease: Lease, news: News): Promise<Written>;
  barrier(lease: Lease, barrier: Barrier): Promise<Written>;
  /** What it waits for where that is not in its log; undefined: nothing. */
  waits(lease: Lease, why: string | undefined): Promise<Written>;
  /** Whether the lease still holds: asked after the clock leapt. */
  holds(lease: Lease): Promise<boolean>;
  finish(lease: Lease, end: { readonly outcome: string; readonly resultCommit?: string } & Papers): Promise<Released>;
  /** Waits for you. `unsaid`: ids of words that cannot be applied, because it did not start; the next claim has them again. */
  park(lease: Lease, why: string, unsaid?: readonly number[]): Promise<Released>;
  /** Finished runs whose result is not a branch yet, as far as is known. */
  unpublished(): Promise<readonly FleetRun[]>;
  published(run: string): Promise<void>;
  /** Gives it back to the queue: the next claim starts at the checkpoint. */
  handBack(lease: Lease): Promise<Written>;

  /**
   * Writes your word down. `wake`: the run was parked and is queued again; the caller puts it on the queue. `key`: one that is said
   * again with the same key, because its answer was lost, is the same word and gets the same answer. `over`: no worker will drive it again.
   */
  say(
    word: Omit<Word, "id" | "at"> & { readonly key?: string },
  ): Promise<
    | { readonly id: number; readonly wake?: { readonly generation: number } }
    | { readonly status: "unknown" }
    | { readonly status: "over"; readonly state: FleetState }
  >;
  words(run: string): Promise<readonly WordState[]>;
  /** Ends it: the worker that drives it is fenced off. False: it was over already. */
  cancel(run: string, by: string): Promise<boolean>;

  beat(worker: WorkerBeat): Promise<void>;
  workers(): Promise<readonly WorkerRow[]>;
  /**
   * Calls back when something was said to a run, or it was cancelled; with open words also every 2 s and after a reconnect, so a call may
   * come without any news. `only`: about this run alone.
   */
  listen(heard: (run: string) => void, only?: string): Promise<() => Promise<void>>;
  /** What came with `finish`. */
  papers(run: string): Promise<Papers>;
  /** Removes those of them that are over, with everything that belongs to them, and gives which. */
  remove(runs: readonly string[]): Promise<readonly string[]>;
  /** Forgets workers that were silent for so long. */
  forgetWorkers(silentMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface WorkerBeat {
  readonly id: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly queues: readonly string[];
  /** Repositories that it takes. Absent: an older worker, which does not say. */
  readonly allow?: readonly string[];
  readonly slots: number;
  readonly busy: number;
  readonly draining: boolean;
}
export interface WorkerRow extends WorkerBeat {
  /** Milliseconds since its last beat, by the clock of the database. */
  readonly silentMs: number;
}
