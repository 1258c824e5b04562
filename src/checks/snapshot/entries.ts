/** One file of a tree, as git names it. */
export interface Entry {
  readonly mode: string;
  readonly oid: string;
}
/** A tree as a flat list. A path is bytes (latin1), relative to the project's root, with slashes. */
export type Entries = ReadonlyMap<string, Entry>;

export const GITLINK = "160000";

/** What `git ls-tree -r -z` prints: "mode type oid<tab>path". */
export function parseTree(output: Buffer): Entries {
  const entries = new Map<string, Entry>();
  for (const line of output.toString("latin1").split("\0")) {
    const tab = line.indexOf("\t");
    if (tab < 0) continue;
    const [mode = "", , oid = ""] = line.slice(0, tab).split(" ");
    entries.set(line.slice(tab + 1), { mode, oid });
  }
  return entries;
}

/** What `git update-index --index-info -z` reads. */
export const indexInfo = (entries: Entries): Buffer =>
  Buffer.from([...entries].map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}\0`).join(""), "latin1");

export const bytesOf = (path: string): Buffer => Buffer.from(path, "latin1");
export const asText = (path: string): string => bytesOf(path).toString("utf8");
export const asBytes = (path: string): string => Buffer.from(path).toString("latin1");

export const isSame = (a: Entry | undefined, b: Entry | undefined): boolean => a?.oid === b?.oid && a?.mode === b?.mode;
