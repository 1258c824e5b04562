import { ContentSum, entryOf } from "./content-sum.ts";
import type { Git } from "./git.ts";
import { GITLINK } from "./git-status.ts";

/** What a commit holds: the sum of its files, and its submodules, which are looked at one by one. */
export interface GitBase {
  readonly commit: string;
  readonly sum: ContentSum;
  readonly submodules: ReadonlyMap<string, string>;
}

/** From the base we know if there is one, else from the whole tree. Undefined: git did not answer. */
export async function baseOf(git: Git, root: string, commit: string, known?: GitBase): Promise<GitBase | undefined> {
  if (known?.commit === commit) return known;
  return (known && (await moved(git, root, commit, known))) ?? (await whole(git, root, commit));
}

async function whole(git: Git, root: string, commit: string): Promise<GitBase | undefined> {
  const answer = await git(root, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  if (answer.status !== "ok") return undefined;
  const sum = new ContentSum();
  const submodules = new Map<string, string>();
  for (const line of records(answer.output)) {
    if (line.subarray(0, 6).equals(LINK)) {
      const [fields = "", path = ""] = line.toString("latin1").split("\t");
      submodules.set(path, fields.slice(-OID_AT_MOST).split(" ").at(-1)!);
    } else sum.add(line);
  }
  return { commit, sum, submodules };
}

const LINK = Buffer.from(GITLINK);
const OID_AT_MOST = 64;

/** ":mode mode oid oid X" and the path, in turn. */
async function moved(git: Git, root: string, commit: string, known: GitBase): Promise<GitBase | undefined> {
  const answer = await git(root, ["diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", known.commit, commit]);
  if (answer.status !== "ok") return undefined;
  const sum = known.sum.copy();
  const submodules = new Map(known.submodules);
  const fields = answer.output.toString("latin1").split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = "", after = "", oldOid = "", newOid = ""] = fields[at]!.slice(1).split(" ");
    const path = fields[at + 1]!;
    if (before === GITLINK) submodules.delete(path);
    else if (before !== "000000") sum.remove(entryOf(before, oldOid, path));
    if (after === GITLINK) submodules.set(path, newOid);
    else if (after !== "000000") sum.add(entryOf(after, newOid, path));
  }
  return { commit, sum, submodules };
}

function* records(output: Buffer): Generator<Buffer> {
  for (let from = 0; from < output.length; ) {
    const to = output.indexOf(0, from);
    if (to < 0) return;
    yield output.subarray(from, to);
    from = to + 1;
  }
}
