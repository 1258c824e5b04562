import { createReadStream, lstatSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { bytesOf, type Entry, isSame } from "../checks/index.ts";
import { errorCode } from "../machine/index.ts";
import { blobName } from "./open-checkpoint.ts";

/** A place in a project, as bytes: names need not be text. */
export const placeOf = (root: string, path: string): Buffer =>
  bytesOf(join(Buffer.from(root).toString("latin1"), path));

export function statAt(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(placeOf(root, path), { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined; // a file stands where its folder was
    throw error;
  }
}

/** Whether that very file stands there now; undefined: none, and no file at all does. */
export async function standsThere(root: string, path: string, entry: Entry | undefined): Promise<boolean> {
  const stat = brokenWay(root, path) === undefined ? statAt(root, path) : undefined;
  if (!stat || stat.isDirectory()) return entry === undefined; // a folder is removed only if it is empty
  return entry !== undefined && isSame(await entryAt(root, path, stat), entry);
}

async function entryAt(root: string, path: string, stat: Stats): Promise<Entry | undefined> {
  const place = placeOf(root, path);
  if (stat.isSymbolicLink()) return { mode: "120000", oid: blobName(readlinkSync(place, { encoding: "buffer" })) };
  if (!stat.isFile()) return undefined;
  const hash = process.getBuiltinModule("node:crypto").createHash("sha1");
  hash.update(`blob ${stat.size}\0`);
  for await (const chunk of createReadStream(place)) hash.update(chunk as Buffer);
  return { mode: stat.mode & 0o100 ? "100755" : "100644", oid: hash.digest("hex") };
}

/** The first folder on the way to a file that is none, such as a link to somewhere else: nothing is written through it. */
export function brokenWay(root: string, path: string): string | undefined {
  const names = path.split("/").slice(0, -1);
  for (let count = 1; count <= names.length; count++) {
    const folder = names.slice(0, count).join("/");
    const stat = statAt(root, folder);
    if (!stat) return undefined;
    if (!stat.isDirectory()) return folder;
  }
  return undefined;
}
