import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
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
    for (const [at, [path, { mode }]] of files.entries()) write(asBytes(target), path, mode, contents[at]!);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

function write(target: string, path: string, mode: string, content: Buffer): void {
  makeWay(target, path);
  const file = bytesOf(`${target}/${path}`);
  if (mode === "120000") symlinkSync(content, file);
  else writeFileSync(file, content, { mode: mode === "100755" ? 0o777 : 0o666, flag: "wx" });
}

/** What a link leads to is no part of the target: it is in the way, as a file would be. */
function makeWay(target: string, path: string): void {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const folder = bytesOf(`${target}/${path.slice(0, end)}`);
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) mkdirSync(folder);
  }
}
