import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { mayLookTheSame } from "../../machine/index.ts";
import type { Git } from "./git.ts";
import type { Repository } from "./git-repository.ts";
import type { Kept } from "./kept.ts";

const MOST = 1000;

/**
 * Files that git was told not to look at: their changes are changes all the same. Asked for anew only when the index was
 * written since, also by the next process. Paths are bytes (latin1).
 */
export function createHiddenFiles(
  git: Git,
  { root, index }: Repository,
  kept: Kept,
  now: () => number,
): () => Promise<readonly string[]> {
  let known: Hidden | undefined;
  return async () => {
    const mark = markOf(index, now());
    if (mark === NO_INDEX) return [];
    if (mark === undefined) return hiddenIn(git, root);
    if (known?.mark !== mark) known = parse(kept.load(`hidden ${root}`), mark) ?? (await found(mark));
    return known.files;
  };

  async function found(mark: string): Promise<Hidden> {
    const hidden = { v: VERSION, mark, files: await hiddenIn(git, root) };
    if (markOf(index, now()) === mark) kept.save(`hidden ${root}`, hidden);
    return hidden;
  }
}

interface Hidden {
  readonly mark: string;
  readonly files: readonly string[];
}

const VERSION = 2;

function parse(kept: unknown, mark: string): Hidden | undefined {
  if (typeof kept !== "object" || kept === null) return undefined;
  const { v, mark: then, files } = kept as { v?: unknown; mark?: unknown; files?: readonly string[] };
  return v === VERSION && then === mark && Array.isArray(files) ? { mark, files } : undefined;
}

/** Undefined: it changed just now, and may change again and look the same. */
function markOf(path: string, now: number): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat) return NO_INDEX;
  return mayLookTheSame(stat.ctimeMs, now) ? undefined : `${stat.mtimeNs} ${stat.ctimeNs} ${stat.size} ${stat.ino}`;
}

/** Nothing was ever added: there is nothing to hide. */
const NO_INDEX = "none";

/** Lines are "X path": a small letter is "assume unchanged", S is "skip", as a sparse checkout marks what it leaves out. */
async function hiddenIn(git: Git, root: string): Promise<readonly string[]> {
  const answer = await git(root, ["ls-files", "-v", "-z"]);
  if (answer.status !== "ok") return [];
  const found: string[] = [];
  for (const line of answer.output.toString("latin1").split("\0")) {
    if (!/^[a-zS] /.test(line)) continue;
    const path = line.slice(2);
    if (existsSync(join(root, Buffer.from(path, "latin1").toString("utf8"))) && found.push(path) >= MOST) break;
  }
  return found;
}
