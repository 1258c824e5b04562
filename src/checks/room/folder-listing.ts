import { spawn } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { attempt } from "../../machine/index.ts";
import { asBytes, bytesOf } from "../snapshot/index.ts";

/**
 * How every file and folder lies on the disk: a path (bytes, relative) and what changes with anything that is done to it. The time of
 * the change is among it, to the nanosecond, and cannot be set back.
 */
export interface Listing {
  /** Line and path of each, in the order in which the disk names them. */
  readonly rows: readonly string[];
  /** What was done there since, by path; undefined: it was removed. */
  readonly since: ReadonlyMap<string, string | undefined>;
}

/** The top one's own repository is left out. */
export async function listFolder(folder: string): Promise<Listing> {
  const printed = await find(folder);
  const rows = printed ? printed.toString("latin1").split("\0") : walk(folder);
  if (rows.at(-1) === "") rows.pop();
  return { rows, since: NOTHING };
}

const NOTHING: Listing["since"] = new Map();

/** What lay there otherwise before, and what lies there otherwise now: the lines of each path that differs. */
export interface Difference {
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** How it lies there now, and in what that differs from an earlier listing. */
export interface Relisted {
  readonly now: Listing;
  readonly changed: Difference;
}

export async function listAgain(folder: string, earlier: Listing): Promise<Relisted> {
  const now = await listFolder(folder);
  return { now, changed: difference(earlier, now) };
}

/**
 * A folder mostly lies there as before and is named in the same order, so rows are compared as they come, and only where they differ by
 * their paths.
 */
function difference(earlier: Listing, later: Listing): Difference {
  const [before, after] = [new Map<string, string>(), new Map<string, string>()];
  const most = Math.max(earlier.rows.length, later.rows.length);
  for (let at = 0; at < most; at++) {
    const [old, fresh] = [earlier.rows[at], later.rows[at]];
    if (old === fresh && !isSince(earlier, old)) continue;
    if (old !== undefined) put(before, old);
    if (fresh !== undefined) put(after, fresh);
  }
  for (const [path, line] of earlier.since)
    if (line === undefined) before.delete(path);
    else before.set(path, line);
  for (const [path, line] of before) {
    if (after.get(path) !== line) continue;
    before.delete(path);
    after.delete(path);
  }
  return { before, after };
}

/** What was looked at again since counts as it was then, also where it lies there as in the first place. */
const isSince = ({ since }: Listing, row: string | undefined): boolean =>
  since.size > 0 && row !== undefined && since.has(pathOf(row));

function put(lines: Map<string, string>, row: string): void {
  lines.set(pathOf(row), row.slice(0, row.indexOf("\t")));
}

const pathOf = (row: string): string => row.slice(row.indexOf("\t") + 1);

/** Undefined: it is gone. */
export function lineOf(folder: string, path: string): string | undefined {
  const stat = attempt(() => lstatSync(bytesOf(`${asBytes(folder)}/${path}`), { bigint: true }));
  if (!stat) return undefined;
  const kind = stat.isDirectory() ? "d" : stat.isSymbolicLink() ? "l" : stat.isFile() ? "f" : "?";
  return `${kind} ${(stat.mode & 0o7777n).toString(8)} ${stat.ino} ${stat.size} ${timeOf(stat.ctimeNs)}`;
}

const LINE = "%y %m %i %s %C@\\t%P\\0";
/** As `find` prints it. */
const timeOf = (ns: bigint): string => `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, "0")}0`;

/** In a fraction of the time that it takes here. Undefined: this system's cannot do it. */
async function find(folder: string): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const args = [".", "-mindepth", "1", "-path", "./.git", "-prune", "-o", "-printf", LINE];
  const child = spawn("find", args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.on("error", () => resolve(undefined));
  child.on("close", (code) => resolve(code === 0 ? Buffer.concat(output) : undefined));
  return promise;
}

function walk(folder: string): string[] {
  const rows: string[] = [];
  const queue = [""];
  for (let above = queue.pop(); above !== undefined; above = queue.pop())
    for (const entry of readdirSync(bytesOf(`${asBytes(folder)}/${above}`), { encoding: "buffer" })) {
      const path = above + entry.toString("latin1");
      const line = path === ".git" ? undefined : lineOf(folder, path);
      if (line === undefined) continue;
      rows.push(`${line}\t${path}`);
      if (line.startsWith("d ")) queue.push(`${path}/`);
    }
  return rows;
}
