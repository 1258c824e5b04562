import type { Entry, PrivateStore } from "../checks/index.ts";

export interface NewCommit {
  readonly run: string;
  readonly id: string;
  /** The tree of the snapshot. */
  readonly tree: string;
  readonly facts: string;
  /** What is only staged, so that no pruning takes it away. */
  readonly staged: readonly (readonly [path: string, entry: Entry])[];
  readonly now: number;
}

/** Where the checkpoints of a run are kept in our store: by id and the beginning of the tree, so that no two processes share one. */
export const refsOf = (run: string): string => `refs/tildone/checkpoint/${run}/`;

/** A commit of our own under a ref of our own, in one step: the ref is written when everything it names is. */
export async function recordCommit(store: PrivateStore, commit: NewCommit): Promise<boolean> {
  const { run, id, tree, facts, staged, now } = commit;
  const message = `Checkpoint ${id} of run ${run}\n`;
  const parts = [
    `commit ${refsOf(run)}${id}-${tree.slice(0, 8)}\n`,
    `committer tildone <tildone@localhost> ${Math.floor(now / 1000)} +0000\n`,
    data(message),
    `M 040000 ${tree} files\n`,
    "M 100644 inline facts\n",
    data(facts),
    ...staged.map(([path, { mode, oid }]) => `M ${mode} ${oid} ${quoted(`staged/${path}`)}\n`),
    "done\n",
  ];
  const answer = await store.git(["fast-import", "--quiet", "--force", "--done"], {
    input: Buffer.from(parts.join(""), "latin1"),
    settings: [["fastimport.unpackLimit", "1000000"]],
  });
  return answer.status === "ok";
}

/** `text` is bytes. */
const data = (text: string): string => `data ${text.length}\n${text}\n`;

const quoted = (path: string): string =>
  `"${path.replace(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;
