import { statSync } from "node:fs";
import { join } from "node:path";
import { mayLookTheSame } from "../../machine/index.ts";
import { type Entry, indexInfo } from "./entries.ts";
import type { IgnoredFile } from "./ignored.ts";
import { writeObject } from "./loose-object.ts";
import type { PrivateStore } from "./private-store.ts";
import { indexNow, isDone, treeIn } from "./project-files.ts";
import type { Tree } from "./quick-tree.ts";

/** Keeps ignored files that are small. The same ones mostly lie there as before. */
export function createIgnoredKeeper() {
  let known: { readonly mark: string; readonly tree: Tree } | undefined;

  return async (store: PrivateStore, files: readonly IgnoredFile[], beganAt: number): Promise<Tree | undefined> => {
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
    if (!before && files.length === 0)
      return { tree: writeObject(store.place, "tree", EMPTY), entries: () => new Map() };
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
