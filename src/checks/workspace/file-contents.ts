import { type BigIntStats, lstatSync, readFileSync, readlinkSync } from "node:fs";
import type { Clock } from "../../engine/index.ts";
import { hashOf } from "../../machine/index.ts";

/** What a file holds, as git names it: its mode and the name of its content. */
export interface FileContent {
  readonly mode: "100644" | "100755" | "120000" | "other";
  readonly oid: string;
}

/** Reads files and remembers what they held as long as their stat stays the same. */
export interface FileContents {
  /** The path is bytes (latin1). Undefined: there is no such file (any more), or it is a directory. */
  of(path: string): FileContent | undefined;
  /** Begins an observation: so many bytes may be read in it. */
  begin(): void;
}

/** A file above this size is known by its stat and not read. */
const LARGEST = 16 * 1024 * 1024;
/** After so many bytes in one observation the rest is known by its stat. */
const READ_AT_MOST = 128 * 1024 * 1024;
const REMEMBERED = 50_000;
/** A file that changed so recently may change again without its stat showing it. */
const RACY_MS = 100;

/**
 * The log may lie in the workspace it is about. Its growth is not work - and closing a file of an open SQLite database
 * in the same process drops the locks on it, after which other processes overwrite what they should wait for.
 */
const OUR_LOG = /(?:^|\/)tildone\.db(?:-wal|-shm|-journal)?$/;

/** `own`: folders of tildone's own, which may lie in the workspace, too: what it keeps there is not work. */
export function createFileContents(
  clock: Clock,
  algorithm: "sha1" | "sha256",
  own: readonly string[] = [],
): FileContents {
  const isOwn = (path: string): boolean => own.some((folder) => path.startsWith(`${folder}/`));
  const known = new Map<string, { readonly stat: string; readonly content: FileContent }>();
  let read = 0;

  return {
    begin: () => {
      read = 0;
    },
    of(path) {
      if (isOwn(path)) return undefined;
      try {
        return remembered(path, lstatSync(bytes(path), { bigint: true }));
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
    },
  };

  function remembered(path: string, stat: BigIntStats): FileContent | undefined {
    if (stat.isDirectory()) return undefined;
    const mark = `${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}`;
    const before = known.get(path);
    if (before?.stat === mark) return before.content;
    const content = contentOf(path, stat);
    if (clock.now() - Number(stat.ctimeMs) > RACY_MS) remember(path, mark, content);
    return content;
  }

  function remember(path: string, stat: string, content: FileContent): void {
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value!);
    known.set(path, { stat, content });
  }

  function contentOf(path: string, stat: BigIntStats): FileContent {
    if (stat.isSymbolicLink()) return { mode: "120000", oid: oidOf(readlinkSync(bytes(path), { encoding: "buffer" })) };
    if (!stat.isFile()) return { mode: "other", oid: "special" };
    const mode = stat.mode & 0o100n ? "100755" : "100644";
    if (OUR_LOG.test(path)) return { mode, oid: "our own log" };
    const size = Number(stat.size);
    if (size > LARGEST || read + size > READ_AT_MOST) return { mode, oid: `unread ${size} ${stat.mtimeNs}` };
    read += size;
    try {
      return { mode, oid: oidOf(readFileSync(bytes(path))) };
    } catch (error) {
      if (isForbidden(error)) return { mode, oid: `unreadable ${size} ${stat.mtimeNs}` };
      throw error;
    }
  }

  /** The name git gives this content, so that committing it changes nothing. */
  function oidOf(content: Buffer): string {
    return hashOf(algorithm, Buffer.from(`blob ${content.length}\0`), content).toString("hex");
  }
}

const bytes = (path: string): Buffer => Buffer.from(path, "latin1");

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
/** Files come and go while they are looked at. */
const isGone = (error: unknown): boolean => ["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes(String(codeOf(error)));
const isForbidden = (error: unknown): boolean => ["EACCES", "EPERM", "EBUSY", "EIO"].includes(String(codeOf(error)));
