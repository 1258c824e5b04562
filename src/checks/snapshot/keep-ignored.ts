import { readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { attempt, mayLookTheSame } from "../../machine/index.ts";
import { composeTree } from "./compose-tree.ts";
import { asBytes, bytesOf, type Entry, indexInfo } from "./entries.ts";
import type { IgnoredFile } from "./ignored.ts";
import { EMPTY_TREE, writeObject } from "./loose-object.ts";
import type { PrivateStore } from "./private-store.ts";
import { indexNow, isDone, treeIn } from "./project-files.ts";
import type { Tree } from "./quick-tree.ts";

/** Keeps ignored files that are small. The same ones mostly lie there as before; a few are read sooner than git starts. */
export function createIgnoredKeeper() {
  let known: { readonly mark: string; readonly tree: Tree } | undefined;

  return async (store: PrivateStore, files: readonly IgnoredFile[], beganAt: number): Promise<Tree | undefined> => {
    const few = attempt(() => keepFew(store, files));
    if (few) return few;
    const mark = markOf(store, files);
    if (known?.mark === mark) return known.tree;
    const tree = await keepAll(
      store,
      files.map(({ path }) => path),
    );
    // A file that changed just now may change again and look the same.
    const isOld = !files.some(({ stat }) => mayLookTheSame(stat.ctimeMs, beganAt));
    known = tree && isOld ? { mark: markOf(store, files), tree } : undefined;
    return tree;
  };
}

const MOST_FEW = 50;
const MOST_FEW_BYTES = 1024 * 1024;

/** Undefined: they are too many. Throws where one cannot be read; git leaves it out. */
function keepFew({ root, place }: PrivateStore, files: readonly IgnoredFile[]): Tree | undefined {
  const bytes = files.reduce((sum, { stat }) => sum + stat.size, 0);
  if (files.length > MOST_FEW || bytes > MOST_FEW_BYTES) return undefined;
  const entries = new Map(files.map(({ path, stat }) => [path, entryOf(place, join(asBytes(root), path), stat)]));
  if (entries.size === 0) return { tree: writeObject(place, "tree", EMPTY), entries: () => entries };
  const tree = composeTree(place, EMPTY_TREE, entries);
  return tree === undefined ? undefined : { tree, entries: () => entries };
}

function entryOf(place: string, path: string, stat: Stats): Entry {
  const [full, isLink] = [bytesOf(path), stat.isSymbolicLink()];
  const content = isLink ? readlinkSync(full, { encoding: "buffer" }) : readFileSync(full);
  const mode = isLink ? "120000" : stat.mode & 0o100 ? "100755" : "100644";
  return { mode, oid: writeObject(place, "blob", content) };
}

const EMPTY = Buffer.alloc(0);
const INDEX = "index.ignored";
const GONE: Entry = { mode: "0", oid: "0".repeat(40) };

/** The time of the last change cannot be set back. Pruning the store removes the index. */
function markOf({ place, root }: PrivateStore, files: readonly IgnoredFile[]): string {
  const index = statSync(join(place, INDEX), { throwIfNoEntry: false });
  const lines = files.map(
    ({ path, stat: { ino, mode, size, mtimeMs, ctimeMs } }) => `${path}\0${ino} ${mode} ${size} ${mtimeMs} ${ctimeMs}`,
  );
  return [root, `${index?.ino}`, ...lines].join("\n");
}

function keepAll(store: PrivateStore, files: readonly string[]): Promise<Tree | undefined> {
  return store.withIndex(INDEX, async (index, before) => {
    const now = new Set(files);
    const gone = before ? [...before.entries().keys()].filter((path) => !now.has(path)) : [];
    const input = indexInfo(new Map(gone.map((path) => [path, GONE])));
    if (gone.length > 0) await store.git(["update-index", "-z", "--replace", "--index-info"], { index, input });
    const paths = Buffer.from(files.map((path) => `${path}\0`).join(""), "latin1");
    const update = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    const added = await store.git(update, { index, input: paths });
    const after = isDone(added) ? indexNow(index) : undefined;
    return after && treeIn(store, index, after);
  });
}
