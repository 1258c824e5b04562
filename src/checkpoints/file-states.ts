import { type Entry, GITLINK, isSame, type Snapshot } from "../checks/index.ts";
import type { OpenCheckpoint } from "./open-checkpoint.ts";

/** A file as a checkpoint knows it; a file that came to be ignored is still the same file. Undefined: it was not there. */
export const fileAt = ({ project, ignored }: Snapshot, path: string): Entry | undefined =>
  project.get(path) ?? ignored.get(path);

/** Paths that differ between two moments. What is ignored at both is left alone. */
export function changedPaths(from: Snapshot, to: Snapshot): readonly string[] {
  const changed: string[] = [];
  for (const [path, entry] of to.project) if (!isSame(entry, fileAt(from, path))) changed.push(path);
  for (const [path, entry] of from.project)
    if (!to.project.has(path) && !isSame(entry, fileAt(to, path))) changed.push(path);
  return changed;
}

/** Repositories within the project: their contents are their own. */
export const submodulesOf = ({ project }: Snapshot): readonly string[] =>
  [...project].flatMap(([path, { mode }]) => (mode === GITLINK ? [path] : []));

export function isBelow(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
    if (folders.has(path.slice(0, end))) return path.slice(0, end);
  return undefined;
}

/**
 * Whether a file that is missing in one checkpoint and stands in the next came into being between them. What was ignored before may
 * have been there unseen: then it is proven only where everything ignored was looked at.
 */
export function cameBetween(from: OpenCheckpoint, to: OpenCheckpoint, path: string): boolean {
  if (fileAt(from.files, path)) return false;
  if (from.excludes === to.excludes && !haveRulesChanged(from.files, to.files)) return true;
  const { large, empty, ignored } = from.files;
  if (large.length + empty.length + ignored.size >= ALL_LOOKED_AT) return false;
  const unseen = [...large.map((folder) => folder.path), ...empty.filter((place) => !place.endsWith("/"))];
  return isBelow(path, new Set(unseen)) === undefined;
}

/** The snapshot looks at no more ignored places than this. */
const ALL_LOOKED_AT = 2_000;

function haveRulesChanged(from: Snapshot, to: Snapshot): boolean {
  const rulesOf = ({ project, ignored }: Snapshot) =>
    [...project, ...ignored].flatMap(([path, { oid }]) =>
      /(?:^|\/)\.gitignore$/.test(path) ? [`${path} ${oid}`] : [],
    );
  return rulesOf(from).sort().join("\0") !== rulesOf(to).sort().join("\0");
}
