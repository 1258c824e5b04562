import type { FleetAccess } from "../ledger/index.ts";

export interface WorkerOptions {
  readonly access: FleetAccess;
  /** Absent: one that this folder keeps. */
  readonly id?: string;
  readonly slots: number;
  readonly queues: readonly string[];
  readonly labels: readonly string[];
  /** Repositories whose submitted commands may run here. */
  readonly allow: readonly string[];
  /** Runs of one repository, and of one model server, at the same time in the whole fleet. */
  readonly perRepository?: number;
  readonly perProvider?: number;
  /** How long a run that is over is kept; absent: without end. */
  readonly keepMs?: number;
  /** Clones of repositories that are kept; absent: all. */
  readonly clones?: number;
  /** How often it is looked for such runs. */
  readonly tidyMs?: number;
  readonly metricsPort?: number;
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  readonly version: string;
  /** One JSON line each. */
  readonly log: (line: string) => void;
  /** A worker that is silent for longer is dead. */
  readonly leaseMs?: number;
  /** How long the queue may take to open: DBOS asks a database that is away without end. */
  readonly launchMs?: number;
  /** How long a turn may take to end when the worker does. */
  readonly drainMs?: number;
  /** It could not start, and something of it waits in this process without end: only the end of the process ends it. */
  readonly stuck?: () => void;
  /** How this tildone is started, where it is not installed. */
  readonly programs?: WorkerPrograms;
}

export interface WorkerPrograms {
  readonly runner: readonly string[];
  readonly tildone: readonly string[];
}

export interface Worker {
  readonly id: string;
  readonly metricsPort?: number;
  /** Resolves when nothing runs here any more; `newer`: the fleet has runs of a newer tildone, and this one should be updated. */
  readonly drained: Promise<"asked" | "newer">;
  drain(): Promise<void>;
  /** At once: others continue from the last checkpoint. */
  kill(): Promise<void>;
}

export class WorkerError extends Error {
  override readonly name = "WorkerError";
}
