import { hash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ContentSum } from "./content-sum.ts";
import type { GitBase } from "./git-base.ts";

/** Keeps the sum of a commit's files between processes, so that a short-lived one need not read a large tree anew. */
export interface BaseCache {
  load(root: string): GitBase | undefined;
  save(root: string, base: GitBase): void;
}

export const NO_CACHE: BaseCache = { load: () => undefined, save: () => {} };

export function createBaseCache(directory: string): BaseCache {
  const fileOf = (root: string) => join(directory, `${hash("sha256", root).slice(0, 32)}.json`);
  return {
    load(root) {
      try {
        return parse(JSON.parse(readFileSync(fileOf(root), "utf8")));
      } catch {
        return undefined; // none yet, or not ours: the tree is read instead
      }
    },
    save(root, { commit, sum, submodules }) {
      try {
        mkdirSync(directory, { recursive: true });
        const draft = `${fileOf(root)}.${process.pid}`;
        writeFileSync(draft, JSON.stringify({ v: VERSION, commit, lanes: sum.lanes, submodules: [...submodules] }));
        renameSync(draft, fileOf(root));
      } catch {
        // A full or read-only disk costs time at the next start and nothing else.
      }
    },
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
