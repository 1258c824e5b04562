import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../machine/index.ts";
import { type Changes, composeTree } from "./compose-tree.ts";
import { asBytes, bytesOf, type Entries, type Entry, once } from "./entries.ts";
import type { IndexFile } from "./git-index.ts";
import type { Look } from "./look.ts";
import { writeObject } from "./loose-object.ts";
import type { PrivateStore } from "./private-store.ts";

/** The files of a project under one name. */
export interface Tree {
  readonly tree: string;
  readonly entries: () => Entries;
}

/** More than this git does faster, and then its index says so. */
const MOST_FILES = 100;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The tree of the files as they are, from an older index and what a look found to differ from it: no index is written, and git is not
 * asked a second time. Undefined: there is too much of it, or something that only git knows how to name.
 */
export function quickTree(store: PrivateStore, base: IndexFile, look: Look): Tree | undefined {
  // A new file goes into the index: once it stands there it stays part of the project, also if it is ignored later.
  if (look.untracked.length > 0) return undefined;
  const different = new Set([...look.changed, ...base.doubtful]);
  if (base.tree === undefined || base.young > MOST_FILES || different.size > MOST_FILES) return undefined;
  const links = new Set(base.links);
  const isReal = createFolderCheck(store.root);
  const changes = new Map<string, Entry | undefined>();
  let bytes = 0;
  for (const path of different) {
    const found = links.has(path) || path.endsWith("/") ? "other" : attempt(() => fileAt(store, path, isReal));
    if (found === undefined || found === "other") return undefined;
    changes.set(path, found === "none" ? undefined : found.entry);
    bytes += found === "none" ? 0 : found.bytes;
    if (bytes > MOST_BYTES) return undefined;
  }
  const tree = attempt(() => composeTree(store.place, base.tree!, changes));
  return tree === undefined ? undefined : { tree, entries: once(() => withChanges(base.entries(), changes)) };
}

/** `other`: neither a file nor a link, or too large to be read at once. */
function fileAt({ root, place }: PrivateStore, path: string, isReal: (folder: string) => boolean) {
  const full = bytesOf(join(asBytes(root), path));
  const stat = isReal(folderOf(path)) ? lstatSync(full, { throwIfNoEntry: false }) : undefined;
  if (!stat || stat.isDirectory()) return "none";
  if (!(stat.isSymbolicLink() || stat.isFile()) || stat.size > MOST_BYTES) return "other";
  const content = stat.isFile() ? readFileSync(full) : readlinkSync(full, { encoding: "buffer" });
  const mode = stat.isSymbolicLink() ? "120000" : stat.mode & 0o100 ? "100755" : "100644";
  return { entry: { mode, oid: writeObject(place, "blob", content) }, bytes: content.length };
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** A folder of the project itself; what a link leads to is no part of it. */
function createFolderCheck(root: string): (folder: string) => boolean {
  const known = new Map<string, boolean>([["", true]]);
  const isReal = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const full = bytesOf(join(asBytes(root), folder));
    const is = isReal(folderOf(folder)) && lstatSync(full, { throwIfNoEntry: false })?.isDirectory() === true;
    known.set(folder, is);
    return is;
  };
  return isReal;
}

function withChanges(entries: Entries, changes: Changes): Entries {
  const all = new Map(entries);
  for (const [path, entry] of changes)
    if (entry) all.set(path, entry);
    else all.delete(path);
  return all;
}
