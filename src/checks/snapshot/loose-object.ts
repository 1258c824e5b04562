import { linkSync, mkdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { errorCode, hashOf } from "../../machine/index.ts";

/** Keeps a content under its name, as git does it, without a process of git's. */
export function writeObject(store: string, type: "blob" | "tree", content: Buffer): string {
  const head = Buffer.from(`${type} ${content.length}\0`);
  const oid = oidOf(type, content);
  const path = pathOf(store, oid);
  if (isKept(store, oid)) return oid;
  mkdirSync(dirname(path), { recursive: true });
  // Written aside and linked: nobody reads half of one.
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

/** Whether it lies there on its own, not in a pack. */
export const isKept = (store: string, oid: string): boolean =>
  statSync(pathOf(store, oid), { throwIfNoEntry: false }) !== undefined;

const pathOf = (store: string, oid: string): string => join(store, "objects", oid.slice(0, 2), oid.slice(2));

export const oidOf = (type: "blob" | "tree", content: Buffer): string =>
  hashOf("sha1", Buffer.from(`${type} ${content.length}\0`), content).toString("hex");
