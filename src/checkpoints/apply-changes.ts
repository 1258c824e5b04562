import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import type { Entries } from "../checks/index.ts";
import { attempt, FILE_TICK_MS } from "../machine/index.ts";
import { brokenWay, placeOf, standsThere, statAt } from "./file-on-disk.ts";
import type { FileChange } from "./plan-undo.ts";
import type { Parts } from "./ports.ts";

/** Lays out every new file beside the project, so that a full disk is found before the first one changes. */
export async function stage(
  parts: Parts,
  cwd: string,
  staging: string,
  changes: readonly FileChange[],
): Promise<boolean> {
  const entries: Entries = new Map(changes.flatMap(({ path, to }) => (to ? [[path, to]] : [])));
  mkdirSync(staging, { mode: 0o700 });
  mkdirSync(join(staging, "old"));
  mkdirSync(join(staging, "new"));
  return entries.size === 0 || (await parts.snapshots.layOut(cwd, entries, join(staging, "new"))) !== undefined;
}

export type Applied =
  | { readonly status: "applied" }
  /** Nothing of it stands: what had been changed was changed back. */
  | { readonly status: "failed"; readonly why: string };

interface Place {
  readonly root: string;
  /** Where the run works, as the path of a file: this folder stays, however empty and however young. */
  readonly own: string;
  readonly staging: string;
}

/**
 * Each file in one step, from what it is to what it was. `since`: folders that are younger go when they are empty. `resumed`: a process
 * died over it, and what was changed since is left as it is.
 */
export async function applyChanges(
  at: Place,
  changes: readonly FileChange[],
  since: number,
  how: "fresh" | "resumed",
): Promise<Applied> {
  const order = inOrder(changes);
  for (const [count, { change, old }] of order.entries())
    try {
      if (await standsThere(at.root, change.path, change.to)) continue; // done by a process that died
      const stands = (await standsThere(at.root, change.path, change.from)) || isBetween(at, change, old);
      if (stands) applyOne(at, change, old, since);
      else if (how === "fresh") throw new Error("it changed meanwhile");
    } catch (error) {
      if (how === "resumed") continue;
      const lost = takeBack(at, order.slice(0, count + 1)).map(shown);
      const why = `${shown(change.path)}: ${error instanceof Error ? error.message : String(error)}`;
      return { status: "failed", why: lost.length > 0 ? `${why}; not put back: ${lost.join(", ")}` : why };
    }
  return { status: "applied" };
}

interface Ordered {
  readonly change: FileChange;
  /** Where the old file is kept until everything is done. */
  readonly old: string;
}

/** First what goes, the deepest first; then what comes: a file may stand where a folder was. */
function inOrder(changes: readonly FileChange[]): readonly Ordered[] {
  const ordered = changes.map((change, at) => ({ change, old: join("old", `${at}`) }));
  const depth = ({ change }: Ordered) => change.path.split("/").length;
  const [going, coming] = [ordered.filter(({ change }) => !change.to), ordered.filter(({ change }) => change.to)];
  return [...going.sort((a, b) => depth(b) - depth(a)), ...coming];
}

/** It was moved away, and the process died before the new one came. */
const isBetween = ({ root, staging }: Place, { path }: FileChange, old: string): boolean =>
  statAt(root, path) === undefined && lstatSync(join(staging, old), { throwIfNoEntry: false }) !== undefined;

function applyOne({ root, own, staging }: Place, { path, from, to }: FileChange, old: string, since: number): void {
  const broken = brokenWay(root, path);
  if (broken !== undefined) throw new Error(`${shown(broken)} is not a folder`);
  const place = placeOf(root, path);
  const before = statAt(root, path);
  const kept = join(staging, old);
  if (!to) {
    renameSync(place, kept);
    removeEmptyAbove({ root, own }, path, since);
    return;
  }
  makeWay(root, path);
  if (before?.isDirectory()) removeEmptyFolders(place);
  const next = placeOf(join(staging, "new"), path);
  takeOver(next, before ?? lstatSync(placeOf(root, parentOf(path))), from !== undefined && before?.isFile() === true);
  if (
    from &&
    before &&
    attempt(() => linkSync(place, kept)) === undefined &&
    lstatSync(kept, { throwIfNoEntry: false }) === undefined
  )
    renameSync(place, kept); // a file system without links
  renameSync(next, place);
}

/** Owner and permissions as they were; git knows only whether a file is executable. */
function takeOver(file: Buffer, like: Stats, isSameFile: boolean): void {
  const stat = lstatSync(file);
  if (process.getuid?.() === 0 && (stat.uid !== like.uid || stat.gid !== like.gid) && !stat.isSymbolicLink())
    attempt(() => chownSync(file, like.uid, like.gid));
  if (!isSameFile || !stat.isFile()) return;
  const executable = stat.mode & 0o100 ? (like.mode & 0o444) >> 2 : 0;
  chmodSync(file, (like.mode & 0o666) | executable);
}

/** Back to what it was, newest first. What cannot go back is still in the checkpoint before the undo, and is named. */
function takeBack({ root, own, staging }: Place, done: readonly Ordered[]): readonly string[] {
  const began = lstatSync(staging).birthtimeMs;
  return done.toReversed().flatMap(({ change: { path, from, to }, old }) => {
    const isBack = attempt(() => {
      const kept = join(staging, old);
      const place = placeOf(root, path);
      if (lstatSync(kept, { throwIfNoEntry: false })) {
        makeWay(root, path);
        renameSync(kept, place);
      } else if (!from && to && statAt(root, path)?.isDirectory() === false) {
        renameSync(place, placeOf(join(staging, "new"), path));
        removeEmptyAbove({ root, own }, path, began); // a link or a file may have stood where its folders are
      }
      return true;
    });
    return isBack ? [] : [path];
  });
}

const parentOf = (path: string): string => path.split("/").slice(0, -1).join("/");
const shown = (path: string): string => Buffer.from(path, "latin1").toString("utf8");

function makeWay(root: string, path: string): void {
  const names = path.split("/").slice(0, -1);
  for (let count = 1; count <= names.length; count++) {
    const folder = names.slice(0, count).join("/");
    if (!statAt(root, folder)) mkdirSync(placeOf(root, folder));
  }
}

/** A folder that came with the work goes with it; one that was there before stays, empty as it may be. */
function removeEmptyAbove({ root, own }: Omit<Place, "staging">, path: string, since: number): void {
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    const stat = statAt(root, folder);
    if (
      !stat ||
      folder === own ||
      stat.birthtimeMs < since - FILE_TICK_MS ||
      attempt(() => rmdirSync(placeOf(root, folder)) ?? true) === undefined
    )
      return;
  }
}

/** Throws where there is anything else in it. */
function removeEmptyFolders(folder: Buffer): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: "buffer" })) {
    if (!entry.isDirectory()) throw new Error("a folder with files in it stands there");
    removeEmptyFolders(Buffer.concat([folder, Buffer.from("/"), entry.name]));
  }
  rmdirSync(folder);
}
