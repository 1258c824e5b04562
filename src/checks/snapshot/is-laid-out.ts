import { readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../../machine/index.ts";
import { asBytes, type Entries, type Entry, GITLINK } from "./entries.ts";

const AT_ONCE = 32;
const LINK = "120000";

/**
 * Whether every file in a folder is what its name says. git writes out what lies in its store under a name, and does not ask whether it is
 * that: somebody may have put another content there.
 */
export async function isLaidOut(entries: Entries, target: string): Promise<boolean> {
  const files = [...entries].filter(([, { mode }]) => mode !== GITLINK);
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const batch = files.slice(at, at + AT_ONCE);
    const fit = await Promise.all(batch.map(([path, entry]) => isItself(join(asBytes(target), path), entry)));
    if (fit.includes(false)) return false;
  }
  return true;
}

async function isItself(path: string, { mode, oid }: Entry): Promise<boolean> {
  const bytes = Buffer.from(path, "latin1");
  try {
    const content = mode === LINK ? await readlink(bytes, { encoding: "buffer" }) : await readFile(bytes);
    return hashOf("sha1", Buffer.from(`blob ${content.length}\0`), content).toString("hex") === oid;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false; // it is not there
    throw error;
  }
}
