import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { NEVER_TRUSTED, type TrustedFile } from "../config/index.ts";
import { errorCode } from "../machine/index.ts";

export interface ProjectFile extends TrustedFile {
  /** Why it can never be trusted, in words; absent for a file that can be read. */
  readonly problem?: string;
}

/**
 * Everything at these places of a project, links followed as far as they stay inside it. A link counts as itself and as
 * what stands behind it, so that neither can change unseen; what leads out, and what is no plain file, is never read.
 */
export function projectFiles(root: string, places: readonly string[]): readonly ProjectFile[] {
  const found: ProjectFile[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  let isTooMuch = false;
  for (const place of new Set(places)) look(place);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));

  function look(path: string): void {
    if (isTooMuch) return;
    isTooMuch = found.length >= MOST_FILES || bytes > MOST_BYTES;
    const problem = isTooMuch ? `is more than ${MOST_FILES} files or ${MOST_BYTES} bytes` : lookAt(path);
    if (problem !== undefined) found.push({ path: relative(root, path), digest: NEVER_TRUSTED, problem });
  }

  /** Gives why it can never be trusted, if so. */
  function lookAt(path: string): string | undefined {
    try {
      const entry = lstatSync(path, { throwIfNoEntry: false });
      if (entry === undefined) return undefined;
      const name = relative(root, path);
      const real = realpathSync(path);
      if (!isInside(root, real)) return `leads out of the project, to ${real}`;
      if (entry.isSymbolicLink()) found.push({ path: name, digest: sumOf(`link to ${relative(root, real)}`) });
      if (lstatSync(real).isDirectory()) {
        lookInto(path, real);
        return undefined;
      }
      const content = readBounded(real);
      if (content === undefined) return `is not a plain file of at most ${LARGEST} bytes`;
      bytes += content.length;
      // A link has two sums: where it leads, and what is there.
      found.push({ path: entry.isSymbolicLink() ? `${name}${LINKED}` : name, digest: sumOf(content) });
      return undefined;
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      return `cannot be read (${code})`;
    }
  }

  function lookInto(path: string, real: string): void {
    if (seen.has(real)) return;
    seen.add(real);
    for (const name of readdirSync(path).sort()) look(join(path, name));
  }
}

/** Marks what stands behind a link. */
export const LINKED = " (linked)";

const MOST_FILES = 5_000;
const LARGEST = 4_194_304;
const MOST_BYTES = 67_108_864;

/** Never waits on a pipe and never reads more than it may; undefined for what is no plain file of that size. */
export function readBounded(path: string, largest = LARGEST): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > largest) return undefined;
    const buffer = Buffer.alloc(stat.size);
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && way !== path;
}

/** The module is loaded when something is to be digested: a hook in a project without such files does not pay for it. */
const sumOf = (content: string | Uint8Array): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");
