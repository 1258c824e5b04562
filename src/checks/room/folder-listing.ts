import { spawn } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { attempt } from "../../machine/index.ts";
import { asBytes, bytesOf } from "../snapshot/index.ts";

/**
 * How every file and folder lies on the disk: a path (bytes, relative) and what changes with anything that is done to it. The time of
 * the change is among it, to the nanosecond, and cannot be set back.
 */
export type Listing = Map<string, string>;

/** The top one's own repository is left out. */
export async function listFolder(folder: string): Promise<Listing> {
  const printed = await find(folder);
  return printed ? parse(printed) : walk(folder);
}

/** Undefined: it is gone. */
export function lineOf(folder: string, path: string): string | undefined {
  const stat = attempt(() => lstatSync(bytesOf(`${asBytes(folder)}/${path}`), { bigint: true }));
  if (!stat) return undefined;
  const kind = stat.isDirectory() ? "d" : stat.isSymbolicLink() ? "l" : stat.isFile() ? "f" : "?";
  return `${kind} ${(stat.mode & 0o7777n).toString(8)} ${stat.ino} ${stat.size} ${timeOf(stat.mtimeNs)} ${timeOf(stat.ctimeNs)}`;
}

const LINE = "%y %m %i %s %T@ %C@\\t%P\\0";
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

function parse(printed: Buffer): Listing {
  const listing: Listing = new Map();
  for (const line of printed.toString("latin1").split("\0")) {
    const tab = line.indexOf("\t");
    if (tab > 0) listing.set(line.slice(tab + 1), line.slice(0, tab));
  }
  return listing;
}

function walk(folder: string): Listing {
  const listing: Listing = new Map();
  const queue = [""];
  for (let above = queue.pop(); above !== undefined; above = queue.pop())
    for (const entry of readdirSync(bytesOf(`${asBytes(folder)}/${above}`), { encoding: "buffer" })) {
      const path = above + entry.toString("latin1");
      const line = path === ".git" ? undefined : lineOf(folder, path);
      if (line === undefined) continue;
      listing.set(path, line);
      if (line.startsWith("d ")) queue.push(`${path}/`);
    }
  return listing;
}
