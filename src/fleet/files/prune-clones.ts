import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../machine/index.ts";

export interface Clones {
  /** Where the worker keeps clones (`repos`) and runs (`runs`). */
  readonly state: string;
  /** So many are kept. */
  readonly most: number;
  readonly now: number;
}

/** A run that begins opens its clone before its workspace names it. */
const FRESH_MS = 60 * 60_000;

/** Removes clones beyond the limit, the one that was not used for longest first, and none that a workspace takes its objects from. */
export function pruneClones({ state, most, now }: Clones): readonly string[] {
  const folder = join(state, "repos");
  const names = attempt(() => readdirSync(folder)) ?? [];
  for (const name of names.filter((each) => each.startsWith(GOING))) remove(join(folder, name)); // cut short the last time
  const clones = names
    .filter((name) => /^[0-9a-f]{32}\.git$/.test(name))
    .flatMap((name) => {
      const usedAt = attempt(() => statSync(join(folder, name)).mtimeMs);
      return usedAt === undefined ? [] : [{ name, usedAt }];
    })
    .sort((a, b) => b.usedAt - a.usedAt);
  const removed: string[] = [];
  for (const { name, usedAt } of clones.slice(most)) {
    if (now - usedAt < FRESH_MS || inUse(state).has(name)) continue;
    const going = join(folder, `${GOING}${name}`);
    renameSync(join(folder, name), going); // at once: half a clone is never used
    remove(going);
    removed.push(name);
  }
  return removed;
}

const GOING = "going-";

/** Clones whose objects a workspace of this folder needs. */
function inUse(state: string): ReadonlySet<string> {
  const runs = join(state, "runs");
  const used = new Set<string>();
  for (const run of attempt(() => readdirSync(runs)) ?? [])
    for (const place of ["exact.git", "work/.git"]) {
      const named = attempt(() => readFileSync(join(runs, run, place, "objects/info/alternates"), "utf8")) ?? "";
      for (const [, name] of named.matchAll(/([0-9a-f]{32}\.git)\/objects/g)) used.add(name!);
    }
  return used;
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
