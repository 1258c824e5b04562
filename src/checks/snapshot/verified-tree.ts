import type { Entries, Entry } from "./entries.ts";
import { oidOf } from "./loose-object.ts";

/**
 * The files of a tree, from what `git ls-tree -r -t -z` prints: "mode type oid<tab>path". Every tree is named anew by what it holds.
 * Undefined: something was put in the place of one.
 */
export function verifiedTree(tree: string, output: Buffer): Entries | undefined {
  const entries = new Map<string, Entry>();
  const folders = new Map<string, string>([["", tree]]);
  const contents = new Map<string, string[]>();
  for (const line of output.toString("latin1").split("\0")) {
    const tab = line.indexOf("\t");
    if (tab < 0) continue;
    const [mode = "", type, oid = ""] = line.slice(0, tab).split(" ");
    const path = line.slice(tab + 1);
    const slash = path.lastIndexOf("/");
    const above = slash < 0 ? "" : path.slice(0, slash);
    const held = contents.get(above) ?? [];
    if (held.length === 0) contents.set(above, held);
    held.push(`${mode.replace(/^0+/, "")} ${path.slice(slash + 1)}\0${Buffer.from(oid, "hex").toString("latin1")}`);
    if (type === "tree") folders.set(path, oid);
    else entries.set(path, { mode, oid });
  }
  for (const [path, oid] of folders) {
    const content = Buffer.from((contents.get(path) ?? []).join(""), "latin1");
    if (oidOf("tree", content) !== oid) return undefined;
  }
  return entries;
}
