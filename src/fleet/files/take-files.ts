import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../machine/index.ts";
import type { GitCall } from "./fleet-git.ts";
import type { RunGit } from "./run-git.ts";
import { holdsSecret } from "./withheld.ts";

/** The files of the agent at one moment. */
export interface Taken {
  readonly head: string;
  readonly branch?: string | undefined;
  readonly tree: string;
  readonly staged: string;
  /** New files that are kept back: they look like secrets. */
  readonly withheld: readonly string[];
}

export const isSameFiles = (a: Taken, b: Taken): boolean =>
  a.head === b.head && a.branch === b.branch && a.tree === b.tree && a.staged === b.staged;

/** Takes the files of the agent, byte for byte. */
export function createTaker(runGit: RunGit, place: string) {
  const { work, exact, index, into, inWork, trying, alternates, laidOut } = runGit;
  const searched = new Map<string, boolean>();
  return { take, whereabouts };

  async function take(): Promise<Taken> {
    const { head, branch } = await whereabouts();
    const there = { variables: laidOut() };
    if (!existsSync(index)) await into(["read-tree", head], there);
    await into(["add", "-A", "--ignore-errors"], there, "may fail"); // a file may go while it is read
    const withheld = await withhold(head, there);
    const tree = await into(["write-tree"], there);
    return { head, branch, tree, staged: await stagedTree(head), withheld };
  }

  async function whereabouts(): Promise<{ readonly head: string; readonly branch?: string }> {
    const head = await inWork(["rev-parse", "HEAD"]);
    const branch = await trying(["-C", work, "symbolic-ref", "-q", "--short", "HEAD"]);
    return branch === undefined ? { head } : { head, branch };
  }

  /** New files that hold what looks like a key do not leave this machine. */
  async function withhold(head: string, there: GitCall): Promise<readonly string[]> {
    const listed = await into(["diff-index", "--cached", "-z", "--diff-filter=A", "--no-renames", head], there);
    const found: string[] = [];
    for (const [, oid, path] of listed.matchAll(/:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) A\0([^\0]*)\0/g)) {
      const known = searched.get(oid!);
      const isSecret = known ?? holdsSecret(readNow(join(work, Buffer.from(path!, "latin1").toString())));
      searched.set(oid!, isSecret);
      if (isSecret) found.push(path!);
    }
    if (found.length > 0)
      await into(["update-index", "-z", "--force-remove", "--stdin"], {
        ...there,
        input: found.map((path) => `${path}\0`).join(""),
      });
    return found;
  }

  /** What the agent staged; in the middle of a merge, what was committed. */
  async function stagedTree(head: string): Promise<string> {
    const copy = join(place, "staged.index");
    const own = join(work, ".git/index");
    const headTree = () => into(["rev-parse", `${head}^{tree}`], { variables: alternates() });
    if (!existsSync(own)) return headTree();
    copyFileSync(own, copy);
    const variables = { ...alternates(), GIT_INDEX_FILE: copy };
    return (await trying(["--git-dir", exact, "write-tree"], { variables })) ?? headTree();
  }
}

/** It may be gone by now, or be a link or a folder: there is nothing to search. */
function readNow(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return Buffer.alloc(0);
  }
}
