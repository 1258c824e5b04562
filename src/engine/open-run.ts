import { type Envelope, evolve, FOLD_VERSION, type Run, UNBORN } from "../core/run/index.ts";
import type { Log } from "./ports.ts";

/** A run as one process knows it: the fold up to `seq`. Reads only what is new. */
export interface Known {
  readonly run: Run;
  readonly seq: number;
}

/** How many events may follow the last kept fold before it is kept anew. */
export const KEEP_EVERY = 256;
/** The same for processes that live for one event: each of them folds what follows. */
export const KEEP_OFTEN = 64;

/** A run from the log, by its id. */
export function openRun(log: Log, id: string, keepEvery = KEEP_EVERY): Known {
  const kept = log.loadSnapshot(id);
  const isGood = kept?.version === FOLD_VERSION && isRun(kept.state, UNBORN) && kept.seq <= log.last(id);
  const from: Known = isGood ? { run: kept.state as Run, seq: kept.seq } : { run: UNBORN, seq: 0 };
  const known = foldOn(log, id, from);
  if (known.seq - from.seq > keepEvery) keep(log, id, known); // a long way is not gone twice
  return known;
}

/** A kept fold is a row like any other and may be damaged: what a run always has, it must have, too. */
function isRun(kept: unknown, model: unknown): boolean {
  if (typeof kept !== typeof model || Array.isArray(kept) !== Array.isArray(model)) return false;
  if (Array.isArray(model) || typeof model !== "object" || model === null) return true;
  if (kept === null) return false;
  return Object.entries(model).every(([key, value]) => isRun((kept as Record<string, unknown>)[key], value));
}

const PAGE = 1024;

/** Page by page, so that a long log never stands in memory as a whole. */
function foldOn(log: Log, id: string, from: Known): Known {
  let known = from;
  for (let tail = log.read(id, known.seq, PAGE); tail.last > known.seq; tail = log.read(id, known.seq, PAGE))
    known = { run: foldStored(known.run, tail.events), seq: tail.last };
  return known;
}

/** A kept fold only saves time: one that cannot be kept must not undo what is already in the log, nor what follows from it. */
export function keep(log: Log, id: string, { run, seq }: Known): void {
  try {
    log.saveSnapshot(id, { seq, version: FOLD_VERSION, state: run });
  } catch {
    // A disk that fails says so at the next write that matters.
  }
}

/** A run with more events of its log; those that cannot be applied are left out. */
export function foldStored(run: Run, events: readonly Envelope[]): Run {
  return events.reduce(evolve, run);
}
