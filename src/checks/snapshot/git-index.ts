import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { hashOf } from "../../machine/index.ts";
import { type Entries, type Entry, GITLINK, once } from "./entries.ts";

/** An index file of git's, read here: asking git for 50,000 lines costs more than the look that they come from. */
export interface IndexFile {
  /** All files in it, in the order of their paths. */
  entries(): Entries;
  /** Their paths alone. */
  paths(): ReadonlySet<string>;
  /** Repositories within. */
  readonly links: readonly string[];
  /** The tree that it stands for; undefined: git has to write it first. */
  readonly tree: string | undefined;
  /** Files that may have changed since without git noticing. */
  readonly doubtful: readonly string[];
  /** How many files changed when it was written: git reads each of them at every look. */
  readonly young: number;
}

/** Undefined: there is none, or none of a kind that we write. */
export function readIndex(path: string): IndexFile | undefined {
  const file = contentOf(path);
  return file && parseIndex(file.content, Math.floor(file.writtenMs / 1000));
}

/**
 * `writtenAt` is the second before which all was looked at. git compares times in whole seconds: a file that changed in the second
 * in which it was looked at may change again and look the same. git itself reads such files anew, but goes by the time of the
 * content, which can be set back; the time of the change cannot.
 */
export function parseIndex(content: Buffer, writtenAt: number): IndexFile | undefined {
  if (content.length < HEADER + OID || content.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = content.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const count = content.readUInt32BE(8);
  const links: string[] = [];
  const doubtful: string[] = [];
  let young = 0;
  const pathAt = (at: number): string => content.toString("latin1", ...nameOf(content, at));
  let at = HEADER;
  for (let entry = 0; entry < count; entry++) {
    if (at + NAME > content.length) return undefined;
    if (content.readUInt32BE(at + MODE) === LINK_MODE) links.push(pathAt(at));
    const [ctime, mtime] = [content.readUInt32BE(at), content.readUInt32BE(at + MTIME)];
    if (ctime >= writtenAt || mtime >= writtenAt) young++;
    if (ctime >= writtenAt && mtime < writtenAt) doubtful.push(pathAt(at));
    at = nextAfter(content, at);
  }
  const tree = treeIn(content, at);
  if (tree === "other") return undefined;
  return {
    ...{ links, doubtful, young, tree },
    entries: once(() => entriesOf(content, count)),
    paths: () => pathsOf(content, count),
  };
}

const HEADER = 12;
const MTIME = 8;
const MODE = 24;
const NUMBERS = 40;
const OID = 20;
const FLAGS = NUMBERS + OID;
const NAME = FLAGS + 2;
const LINK_MODE = Number.parseInt(GITLINK, 8);
const FILE = "100644";
const FILE_MODE = Number.parseInt(FILE, 8);
const LONG_NAME = 0xfff;
const IS_EXTENDED = 0x4000;

function entriesOf(content: Buffer, count: number): Entries {
  const entries = new Map<string, Entry>();
  const modes = new Map<number, string>();
  for (let entry = 0, at = HEADER; entry < count; entry++, at = nextAfter(content, at)) {
    const number = content.readUInt32BE(at + MODE);
    const mode = modes.get(number) ?? number.toString(8).padStart(6, "0");
    modes.set(number, mode);
    const oid = content.toString("hex", at + NUMBERS, at + FLAGS);
    entries.set(content.toString("latin1", ...nameOf(content, at)), { mode, oid });
  }
  return entries;
}

function pathsOf(content: Buffer, count: number): ReadonlySet<string> {
  const paths = new Set<string>();
  for (let entry = 0, at = HEADER; entry < count; entry++, at = nextAfter(content, at))
    paths.add(content.toString("latin1", ...nameOf(content, at)));
  return paths;
}

function nameOf(content: Buffer, at: number): [from: number, to: number] {
  const flags = content.readUInt16BE(at + FLAGS);
  const from = at + NAME + (flags & IS_EXTENDED ? 2 : 0);
  const length = flags & LONG_NAME;
  return [from, length < LONG_NAME ? from + length : content.indexOf(0, from)];
}

/** An entry is filled up with one to eight zeros to a multiple of eight. */
function nextAfter(content: Buffer, at: number): number {
  const [, end] = nameOf(content, at);
  return at + (((end - at + 8) >> 3) << 3);
}

/** The extension TREE names the trees of all folders, the top one first; -1 in place of a number: it changed since. */
function treeIn(content: Buffer, from: number): string | undefined {
  for (let at = from; at + 8 <= content.length - OID; at += 8 + content.readUInt32BE(at + 4)) {
    const name = content.toString("latin1", at, at + 4);
    if (name === "link" || name === "sdir") return "other"; // part of it lies elsewhere
    if (name !== "TREE") continue;
    const end = content.indexOf("\n", at + 8);
    const isValid = /^\0\d+ \d+$/.test(content.toString("latin1", at + 8, end));
    return isValid ? content.toString("hex", end + 1, end + 1 + OID) : undefined;
  }
  return undefined;
}

/** They mostly are. */
function inOrder(entries: [string, Entry][]): readonly [string, Entry][] {
  const isSorted = entries.every(([path], at) => at === 0 || entries[at - 1]![0] < path);
  return isSorted ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** An index of these files, without repositories within, that knows nothing of how they lie on the disk. */
export function indexOf(entries: Entries): Buffer {
  const sorted = inOrder([...entries].filter(([, { mode }]) => mode !== GITLINK));
  const size = sorted.reduce((sum, [path]) => sum + (((NAME + path.length + 8) >> 3) << 3), HEADER);
  const content = Buffer.alloc(size + OID);
  content.write("DIRC", "latin1");
  content.writeUInt32BE(2, 4);
  content.writeUInt32BE(sorted.length, 8);
  let at = HEADER;
  for (const [path, { mode, oid }] of sorted) {
    content.writeUInt32BE(mode === FILE ? FILE_MODE : Number.parseInt(mode, 8), at + MODE);
    content.write(oid, at + NUMBERS, "hex");
    content.writeUInt16BE(Math.min(path.length, LONG_NAME), at + FLAGS);
    content.write(path, at + NAME, "latin1");
    at += ((NAME + path.length + 8) >> 3) << 3;
  }
  hashOf("sha1", content.subarray(0, size)).copy(content, size);
  return content;
}

/** The time is asked for first: what is written meanwhile counts as written before. */
function contentOf(path: string): { readonly content: Buffer; readonly writtenMs: number } | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const { mtimeMs } = fstatSync(file);
      return { content: readFileSync(file), writtenMs: mtimeMs };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined; // there is none
    throw error;
  }
}
