import type { Action } from "./action.ts";
import type { DiskKind } from "./disk.ts";
import { type History, playActions } from "./simulate.ts";

/**
 * The shortest history that still breaks the same promise: parts are left out, large ones first, as long as the rest
 * fails the same way (delta debugging). `most` bounds the tries.
 */
export async function shrink(history: History, store: DiskKind, most = 600): Promise<History> {
  let best = history;
  let tries = 0;
  for (let size = Math.ceil(best.actions.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = best.actions.length - size; from > -size && tries < most; from -= size) {
      const actions = without(best.actions, Math.max(0, from), from + size);
      if (actions.length === best.actions.length) continue;
      tries++;
      const shorter = await playActions(history.setup, actions, store);
      if (shorter.violation?.invariant === history.violation?.invariant) best = shorter;
    }
  }
  return best;
}

const without = (actions: readonly Action[], from: number, to: number): readonly Action[] => [
  ...actions.slice(0, from),
  ...actions.slice(to),
];
