import type { Entry } from "./entries.ts";
import { readObject, writeObject } from "./loose-object.ts";

/** Undefined: there is no such file any more. */
export type Changes = ReadonlyMap<string, Entry | undefined>;

/** The tree that a tree becomes with some files changed; undefined: part of it does not lie in the store on its own. */
export function composeTree(place: string, base: string, changes: Changes): string | undefined {
  if (changes.size === 0) return base;
  try {
    return changed(place, base, [...changes]) ?? writeObject(place, "tree", Buffer.alloc(0));
  } catch (error) {
    if (error instanceof NotLoose) return undefined;
    throw error;
  }
}

class NotLoose extends Error {}

const FOLDER = "40000";
type Change = readonly [path: string, entry: Entry | undefined];

/** Undefined: nothing is left in it. */
function changed(place: string, tree: string | undefined, changes: readonly Change[]): string | undefined {
  const rows = tree === undefined ? new Map<string, Entry>() : readRows(place, tree);
  const below = new Map<string, Change[]>();
  const own: Change[] = [];
  for (const [path, entry] of changes) {
    const slash = path.indexOf("/");
    if (slash < 0) {
      own.push([path, entry]);
      continue;
    }
    const name = path.slice(0, slash);
    const inside = below.get(name) ?? [];
    if (inside.length === 0) below.set(name, inside);
    inside.push([path.slice(slash + 1), entry]);
  }
  // A file may give way to a folder, and a folder to a file.
  for (const [name, entry] of own) if (!entry && rows.get(name)?.mode !== FOLDER) rows.delete(name);
  for (const [name, inside] of below) {
    const folder = rows.get(name);
    const next = changed(place, folder?.mode === FOLDER ? folder.oid : undefined, inside);
    if (next !== undefined) rows.set(name, { mode: FOLDER, oid: next });
    else if (folder?.mode === FOLDER) rows.delete(name);
  }
  for (const [name, entry] of own) if (entry) rows.set(name, entry);
  return rows.size === 0 ? undefined : writeObject(place, "tree", asTree(rows));
}

function readRows(place: string, oid: string): Map<string, Entry> {
  const content = readObject(place, "tree", oid);
  if (!content) throw new NotLoose();
  const rows = new Map<string, Entry>();
  for (let at = 0; at < content.length; ) {
    const [space, zero] = [content.indexOf(0x20, at), content.indexOf(0, at)];
    const [mode, name] = [content.toString("latin1", at, space), content.toString("latin1", space + 1, zero)];
    rows.set(name, { mode, oid: content.toString("hex", zero + 1, zero + 21) });
    at = zero + 21;
  }
  return rows;
}

/** git sorts a folder as if its name ended with a slash. */
function asTree(rows: ReadonlyMap<string, Entry>): Buffer {
  const keyed = [...rows].map(([name, entry]) => ({ key: entry.mode === FOLDER ? `${name}/` : name, name, entry }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const row = ({ name, entry: { mode, oid } }: (typeof keyed)[number]) =>
    `${mode} ${name}\0${Buffer.from(oid, "hex").toString("latin1")}`;
  return Buffer.from(keyed.map(row).join(""), "latin1");
}
