import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Which state of the code was measured. */
export interface Source {
  readonly commit: string;
  /** What stands in no commit, by its digest; absent where the tree was clean. */
  readonly changes?: string;
}

/** The state of the checkout in this folder. */
export function sourceOf(folder: string): Source {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  const commit = git("rev-parse", "HEAD").trim();
  const news = git("ls-files", "--others", "--exclude-standard", "-z").split("\0").filter(Boolean);
  const changed = git("diff", "HEAD", "--binary");
  if (changed === "" && news.length === 0) return { commit };
  const digest = createHash("sha256").update(changed);
  for (const path of news) digest.update(path).update(readFileSync(`${folder}/${path}`));
  return { commit, changes: digest.digest("hex").slice(0, 12) };
}

export const isSame = (one: Source, other: Source): boolean =>
  one.commit === other.commit && one.changes === other.changes;

export const named = ({ commit, changes }: Source): string =>
  `${commit.slice(0, 12)}${changes === undefined ? "" : ` with uncommitted changes (${changes})`}`;
