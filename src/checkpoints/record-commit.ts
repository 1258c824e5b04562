import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { composeTree, EMPTY_TREE, type Entry, type PrivateStore, writeObject } from "../checks/index.ts";
import { attempt } from "../machine/index.ts";

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

/** A commit of our own under a ref of our own: the ref is written when everything it names is. False: it cannot be written. */
export function recordCommit({ place }: PrivateStore, commit: NewCommit): boolean {
  return attempt(() => setRef(place, refOf(commit), writeCommit(place, commit))) !== undefined;
}

const refOf = ({ run, id, tree }: NewCommit): string => `${refsOf(run)}${id}-${tree.slice(0, 8)}`;

function writeCommit(place: string, { run, id, tree, facts, staged, now }: NewCommit): string {
  const all = composeTree(
    place,
    EMPTY_TREE,
    new Map([
      ["facts", { mode: "100644", oid: writeObject(place, "blob", Buffer.from(facts, "latin1")) }],
      ["files", { mode: "40000", oid: tree }],
      ...staged.map(([path, entry]) => [`staged/${path}`, entry] as const),
    ]),
  );
  const who = `tildone <tildone@localhost> ${Math.floor(now / 1000)} +0000`;
  const text = `tree ${all}\nauthor ${who}\ncommitter ${who}\n\nCheckpoint ${id} of run ${run}\n`;
  return writeObject(place, "commit", Buffer.from(text));
}

/** Written aside and moved: no process reads half of one. Pruning removes empty folders: then it is made again. */
function setRef(place: string, ref: string, commit: string): true {
  const path = join(place, ref);
  const draft = join(place, `ref.${crypto.randomUUID()}`);
  writeFileSync(draft, `${commit}\n`);
  mkdirSync(dirname(path), { recursive: true });
  if (attempt(() => renameSync(draft, path) ?? true) === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    renameSync(draft, path);
  }
  return true;
}
