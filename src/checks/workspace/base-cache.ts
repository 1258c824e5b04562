import { ContentSum } from "./content-sum.ts";
import type { GitBase } from "./git-base.ts";
import type { Kept } from "./kept.ts";

/** The sum of a commit's files, so that a short-lived process need not read a large tree anew. */
export interface BaseCache {
  load(root: string): GitBase | undefined;
  save(root: string, base: GitBase): void;
}

export function createBaseCache(kept: Kept): BaseCache {
  return {
    load: (root) => parse(kept.load(root)),
    save: (root, { commit, sum, submodules }) =>
      kept.save(root, { v: VERSION, commit, lanes: sum.lanes, submodules: [...submodules] }),
  };
}

const VERSION = 1;

function parse(kept: unknown): GitBase | undefined {
  if (typeof kept !== "object" || kept === null) return undefined;
  const { v, commit, lanes, submodules } = kept as Record<string, unknown>;
  if (v !== VERSION || typeof commit !== "string" || !/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
  if (!Array.isArray(lanes) || !lanes.every(Number.isInteger) || !Array.isArray(submodules)) return undefined;
  return { commit, sum: new ContentSum(lanes), submodules: new Map(submodules as [string, string][]) };
}
