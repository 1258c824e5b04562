import { linkSync, mkdirSync, readFileSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { attempt, errorCode, hashOf } from "../../machine/index.ts";

export type ObjectType = "blob" | "tree" | "commit";

/** Keeps a content under its name, as git does it, without a process of git's. */
export function writeObject(store: string, type: ObjectType, content: Buffer): string {
  const head = Buffer.from(`${type} ${content.length}\0`);
  const oid = oidOf(type, content);
  const path = pathOf(store, oid);
  if (isMadeYoung(path)) return oid;
  mkdirSync(dirname(path), { recursive: true });
  // Written aside and linked: no process reads half of one.
  const draft = `${path}.${crypto.randomUUID()}`;
  writeFileSync(draft, deflateSync(Buffer.concat([head, content]), { level: 1 }), { mode: 0o444 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error; // another process kept the same
  } finally {
    unlinkSync(draft);
  }
  return oid;
}

/** Undefined: it does not lie there on its own, or is not what its name says. */
export function readObject(store: string, type: ObjectType, oid: string): Buffer | undefined {
  if (oid === EMPTY_TREE && type === "tree") return Buffer.alloc(0);
  const content = attempt(() => inflateSync(readFileSync(pathOf(store, oid))));
  const body = content?.subarray(content.indexOf(0) + 1);
  return body && oidOf(type, body) === oid ? body : undefined;
}

export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Whether it lies there on its own, not in a pack. */
export const isKept = (store: string, oid: string): boolean =>
  statSync(pathOf(store, oid), { throwIfNoEntry: false }) !== undefined;

/** Pruning takes what is old and belongs to nothing: what is about to be used again is not old. */
function isMadeYoung(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return false;
  const now = Date.now();
  if (now - stat.mtimeMs < YOUNG_MS) return true;
  return attempt(() => utimesSync(path, now / 1000, now / 1000) ?? true) === true;
}

const YOUNG_MS = 60_000;

const pathOf = (store: string, oid: string): string => join(store, "objects", oid.slice(0, 2), oid.slice(2));

export const oidOf = (type: ObjectType, content: Buffer): string =>
  hashOf("sha1", Buffer.from(`${type} ${content.length}\0`), content).toString("hex");
