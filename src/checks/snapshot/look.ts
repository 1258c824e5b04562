import type { GitAnswer } from "../workspace/git.ts";
import type { PrivateStore } from "./private-store.ts";

/** One walk over the project, compared with an index. Paths are root-relative bytes. */
export interface Look {
  /** In the index, and no longer as it says. */
  readonly changed: readonly string[];
  /** Some of these: no file stands there. */
  readonly gone: readonly string[];
  /** Not in the index and not ignored; a repository within ends with a slash. */
  readonly untracked: readonly string[];
  /** Ignored: files, and folders that are ignored as a whole, with a slash at the end. */
  readonly ignored: readonly string[];
}

/** HEAD of the store is the tree of its index, so git has nothing to say about the two. */
const STATUS = [
  ...["status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=dirty"],
  ...["--untracked-files=all", "--ignored=matching"],
];

/** Undefined: git could not look. */
export async function lookAtProject(store: PrivateStore, index: string): Promise<Look | undefined> {
  const answer = await store.git(STATUS, { index });
  return answer.status === "ok" ? parseStatus(answer) : undefined;
}

/** "XY path\0": what we staged, what lies on the disk. */
function parseStatus({ output }: GitAnswer & { status: "ok" }): Look {
  const look = { changed: [] as string[], gone: [] as string[], untracked: [] as string[], ignored: [] as string[] };
  const text = output.toString("latin1");
  for (let from = 0, end = text.indexOf("\0"); end >= 0; from = end + 1, end = text.indexOf("\0", from)) {
    const kind = text[from + 1];
    const path = text.slice(from + 3, end);
    if (kind === "?") look.untracked.push(path);
    else if (kind === "!") look.ignored.push(path);
    else if (kind !== " ") look.changed.push(path);
    if (kind === "D") look.gone.push(path);
  }
  return look;
}
