import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { hashOf } from "../../machine/index.ts";
import { bytesOf } from "./entries.ts";

/** What git ignores in a project: small things are kept, large ones are known by the stat of their files. */
export interface Ignored {
  readonly files: readonly IgnoredFile[];
  /** Folders without any file: a check may count on their being there. */
  readonly empty: readonly string[];
  /** Folders too large to keep. */
  readonly large: readonly LargeFolder[];
}

/** A file to keep, and how it lay there. */
export interface IgnoredFile {
  /** Root-relative bytes. */
  readonly path: string;
  readonly stat: Stats;
}

export interface LargeFolder {
  readonly path: string;
  /** A mark for each unit in it: a package of node_modules, else one for the whole. */
  readonly units: Readonly<Record<string, string>>;
}

const FILES_KEPT = 3_000;
const BYTES_KEPT = 32 * 1024 * 1024;
const FILES_MARKED = 150_000;
const MOST_PLACES = 2_000;

/** `marks`: whether the caller asks if a large one changed. */
export async function lookAtIgnored(root: string, places: ReadonlySet<string>, marks: boolean): Promise<Ignored> {
  const files: IgnoredFile[] = [];
  const empty: string[] = [];
  const large: LargeFolder[] = [];
  for (const place of [...places].slice(0, MOST_PLACES)) {
    const path = place.replace(/\/$/, "");
    const found = lookInto(root, path);
    if (found === undefined) continue;
    if (found.isLarge) large.push({ path, units: marks ? await unitsOf(root, path) : {} });
    else if (found.files.length === 0) empty.push(place);
    else files.push(...found.files);
  }
  return { files, empty, large };
}

/** Undefined: it is gone by now. */
function lookInto(
  root: string,
  place: string,
): { readonly isLarge: boolean; readonly files: readonly IgnoredFile[] } | undefined {
  const files: IgnoredFile[] = [];
  let bytes = 0;
  const stat = statOf(root, place);
  if (!stat) return undefined;
  if (!stat.isDirectory()) {
    const isKept = stat.isSymbolicLink() || (stat.isFile() && stat.size <= BYTES_KEPT);
    return { isLarge: false, files: isKept ? [{ path: place, stat }] : [] };
  }
  for (const path of walk(root, place)) {
    const found = statOf(root, path);
    if (!found || !(found.isFile() || found.isSymbolicLink())) continue;
    bytes += found.size;
    if (files.push({ path, stat: found }) > FILES_KEPT || bytes > BYTES_KEPT) return { isLarge: true, files: [] };
  }
  return { isLarge: false, files };
}

async function unitsOf(root: string, place: string): Promise<Readonly<Record<string, string>>> {
  const lines = new Map<string, string[]>();
  let looked = 0;
  for (const path of walk(root, place)) {
    if (++looked > FILES_MARKED) break;
    if (looked % 1000 === 0) await new Promise((next) => setImmediate(next));
    const unit = unitOf(path);
    if (unit === undefined) continue;
    const stat = statOf(root, path);
    const known = lines.get(unit) ?? [];
    if (known.length === 0) lines.set(unit, known);
    if (stat) known.push(`${path} ${markOf(stat)}`);
  }
  return Object.fromEntries(
    [...lines].map(([unit, marks]) => [
      unit,
      hashOf("sha256", Buffer.from(marks.sort().join("\n"), "latin1")).toString("hex", 0, 8),
    ]),
  );
}

/** A package of node_modules; what tools cache there belongs to none. */
function unitOf(path: string): string | undefined {
  if (/(?:^|\/)(?:\.cache|\.vite|\.vite-temp|\.vitest|\.package-lock\.json|__pycache__)(?:\/|$)/.test(path))
    return undefined;
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path.split("/")[0]!;
}

/** The time of the last change cannot be set back; but a link made elsewhere to the same file changes it as well. */
const markOf = ({ mode, size, mtimeMs, ctimeMs, nlink }: Stats): string =>
  `${mode} ${size} ${mtimeMs} ${nlink === 1 ? ctimeMs : ""}`;

function* walk(root: string, place: string): Generator<string> {
  const queue = [place];
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const entry of list(root, next)) {
      const path = `${next}/${entry.name.toString("latin1")}`;
      if (path.endsWith("/.git")) continue; // a repository within: its files count, not its history
      if (entry.isDirectory()) queue.push(path);
      else yield path;
    }
}

function list(root: string, path: string): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(placeOf(root, path), { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    if (error instanceof Error && "code" in error) return []; // it vanished, or it is closed to us
    throw error;
  }
}

function statOf(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(placeOf(root, path));
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

const placeOf = (root: string, path: string): Buffer => bytesOf(join(Buffer.from(root).toString("latin1"), path));
