import { type BigIntStats, lstatSync } from "node:fs";
import { join } from "node:path";
import { dependenciesOf, isSteering } from "../judge/shadows.ts";
import { asBytes, asText, bytesOf, type Entries, isSame, type Snapshot } from "../snapshot/index.ts";

/**
 * Whether the project is what it was before the work, in everything that could steer a check. Ignored files that are neither
 * settings nor dependencies may be there or not: checks write them.
 */
export function isAsBefore(before: Snapshot, now: Snapshot): boolean {
  return (
    isEqual(before.project, now.project) &&
    isEqual(steering(before.ignored), steering(now.ignored)) &&
    isLargeAsBefore(before, now)
  );
}

export const isLargeAsBefore = (before: Snapshot, now: Snapshot): boolean =>
  JSON.stringify(before.large.map(sorted)) === JSON.stringify(now.large.map(sorted));

const sorted = ({ path, units }: Snapshot["large"][number]) => [path, Object.entries(units).sort()];

function isEqual(a: Entries, b: Entries): boolean {
  return a.size === b.size && [...a].every(([path, entry]) => isSame(entry, b.get(path)));
}

const steering = (entries: Entries): Entries => new Map([...entries].filter(([path]) => steers(asText(path))));

const steers = (path: string): boolean => (isSteering(path) || dependenciesOf(path) !== undefined) && !isCache(path);

const isCache = (path: string): boolean =>
  /(?:^|\/)(?:\.cache|\.vite|\.vite-temp|\.vitest|\.package-lock\.json|__pycache__|\.pytest_cache)(?:\/|$)/.test(path);

/** When each file of a state, and each folder with one, was last changed: a time that cannot be set back. */
export type Marks = ReadonlyMap<string, string>;

export async function marksOf({ root, project, ignored }: Snapshot): Promise<Marks> {
  const files = [...project.keys(), ...steering(ignored).keys()];
  const folders = new Set(files.flatMap(foldersAbove));
  const marks = new Map<string, string>();
  let looked = 0;
  for (const path of [...files, ...folders]) {
    if (++looked % 1000 === 0) await new Promise((next) => setImmediate(next));
    marks.set(path, markOf(statOf(join(asBytes(root), path))));
  }
  return marks;
}

/** Nothing was exchanged while something ran, not even to be put back. */
export const isUntouched = (before: Marks, after: Marks): boolean =>
  [...before].every(([path, mark]) => after.get(path) === mark);

const foldersAbove = (path: string): readonly string[] => [
  "",
  ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)),
];

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(bytesOf(path), { bigint: true });
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined; // gone, or closed to us
    throw error;
  }
}

const markOf = (stat: BigIntStats | undefined): string =>
  stat === undefined ? "" : `${stat.ino} ${stat.mode} ${stat.ctimeNs} ${stat.mtimeNs}`;
