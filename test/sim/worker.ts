import { parentPort, workerData } from "node:worker_threads";
import type { DiskKind } from "./disk.ts";
import { shrink } from "./shrink.ts";
import { type History, playSeed } from "./simulate.ts";

/** Every `step`-th seed from `from` to `to`. */
export interface Task {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly store: DiskKind;
  /** Histories are not shortened. */
  readonly whole: boolean;
  /** Where the worker says which seed it plays, for the process that watches its progress. */
  readonly at: Int32Array<SharedArrayBuffer>;
}

export interface Failed {
  readonly seed: number;
  readonly history: History;
}

export type Message =
  | { readonly type: "played"; readonly count: number }
  | { readonly type: "failed"; readonly failed: Failed };

/** One history of each kind is shortened; of the others only the seed matters. */
const shown = new Set<string>();
const { from, to, step, store, whole, at } = workerData as Task;
const tell = (message: Message) => parentPort?.postMessage(message);

let count = 0;
for (let seed = from; seed <= to; seed += step) {
  Atomics.store(at, 0, seed);
  const history = await playSeed(seed, store);
  count++;
  if (history.violation) {
    const isNew = !shown.has(history.violation.invariant) && !whole;
    shown.add(history.violation.invariant);
    const shorter = isNew ? await shrink(history, store) : { ...history, logged: [] };
    tell({ type: "failed", failed: { seed, history: shorter } });
  }
  if (count % 50 === 0 || seed + step > to) tell({ type: "played", count });
}
