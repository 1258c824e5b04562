import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./git.ts";
import type { Repository } from "./git-repository.ts";

const MOST = 1000;

/**
 * Files that git was told not to look at: their changes are changes all the same. Asked for anew only when the index was
 * written since. Paths are bytes (latin1).
 */
export function createHiddenFiles(git: Git, { root, index }: Repository): () => Promise<readonly string[]> {
  let known: { readonly mark: string; readonly files: readonly string[] } | undefined;
  return async () => {
    const mark = markOf(index);
    if (known?.mark !== mark) known = { mark, files: await hiddenIn(git, root) };
    return known.files;
  };
}

function markOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.mtimeNs} ${stat.size} ${stat.ino}` : "none";
}

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
