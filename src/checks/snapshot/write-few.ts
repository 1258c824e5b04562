import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../../machine/index.ts";
import { asBytes, bytesOf, type Entries, GITLINK } from "./entries.ts";
import { readObject } from "./loose-object.ts";

/**
 * Lays out a few files sooner than git starts. False: one of them does not lie in the store on its own, is not what its name says, or
 * something stands in its way.
 */
export function writeFew(place: string, entries: Entries, target: string): boolean {
  const files = [...entries].filter(([, { mode }]) => mode !== GITLINK);
  const contents = files.map(([, { oid }]) => readObject(place, "blob", oid));
  if (contents.includes(undefined)) return false;
  try {
    for (const [at, [path, { mode }]] of files.entries()) write(`${asBytes(target)}/${path}`, mode, contents[at]!);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

function write(path: string, mode: string, content: Buffer): void {
  mkdirSync(bytesOf(dirname(path)), { recursive: true });
  if (mode === "120000") symlinkSync(content, bytesOf(path));
  else writeFileSync(bytesOf(path), content, { mode: mode === "100755" ? 0o777 : 0o666, flag: "wx" });
}
