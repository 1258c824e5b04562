import { rmdirSync, rmSync } from "node:fs";
import { attempt } from "../../machine/index.ts";
import { asBytes, bytesOf, differingIn, type Entries, type Entry, GITLINK, type Snapshots } from "../snapshot/index.ts";
import { type Listing, lineOf, listAgain } from "./folder-listing.ts";
import type { KeptRoom } from "./kept-rooms.ts";

/** More than so many differences are not worth it. */
const MOST = 5_000;

export interface Refreshed {
  readonly tree: string;
  /** As it is now; to be asked for when all else in the room is done. */
  listing(): Listing;
}

/**
 * Makes a room what these entries say: what the last check wrote, changed or deleted is put right, and so is what differs between the
 * last entries and these. Undefined: it is quicker, or safer, to make a new one.
 */
export async function refreshRoom(
  snapshots: Snapshots,
  cwd: string,
  kept: KeptRoom,
  entries: Entries,
): Promise<Refreshed | undefined> {
  const { now, changed } = await (kept.relisted ?? listAgain(kept.work, kept.listing));
  const wrong = new Set<string>();
  const moved: string[] = [];
  for (const [path, line] of changed.before) {
    const found = changed.after.get(path);
    if (!isFolder(line) || !isFolder(found)) wrong.add(path);
    else if (modeOf(line) === modeOf(found)) moved.push(path);
    else return undefined;
  }
  for (const path of changed.after.keys()) if (!changed.before.has(path)) wrong.add(path);
  const others = differingIn(kept.entries, entries);
  for (const path of others) wrong.add(path);
  if (wrong.size > MOST) return undefined;

  const top = asBytes(kept.work);
  // From the top down: what was put in the place of a folder is gone before anything below it is looked for.
  for (const path of [...wrong].sort()) rmSync(bytesOf(`${top}/${path}`), { recursive: true, force: true });
  for (const path of wrong)
    if (!entries.has(path)) for (const above of foldersAbove(path)) if (!attemptRemove(`${top}/${above}`)) break;
  const only: Entries = new Map(
    [...wrong].flatMap((path) => {
      const entry = entries.get(path);
      return entry ? [[path, entry]] : [];
    }),
  );
  const changes = new Map(others.map((path) => [path, asFile(entries.get(path))]));
  const tree = await snapshots.layOut(cwd, entries, kept.work, only, { tree: kept.tree, changes });
  if (tree === undefined) return undefined;
  return {
    tree,
    listing() {
      const touched = new Set([...moved, ...[...wrong].flatMap((path) => [path, ...foldersAbove(path)])]);
      return { rows: now.rows, since: new Map([...touched].map((path) => [path, lineOf(kept.work, path)])) };
    },
  };
}

/** A repository within is no file, and nothing is laid out for it. */
const asFile = (entry: Entry | undefined): Entry | undefined => (entry?.mode === GITLINK ? undefined : entry);

const isFolder = (line: string | undefined): line is string => line?.startsWith("d ") ?? false;
const modeOf = (line: string): string | undefined => line.split(" ", 2)[1];

/** The nearest first. */
function foldersAbove(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) found.push(path.slice(0, at));
  return found;
}

/** Only an empty one goes. */
const attemptRemove = (path: string): boolean =>
  attempt(() => {
    rmdirSync(bytesOf(path));
    return true;
  }) ?? false;
