import { asText, type Entries, type Entry, isSame, type Snapshot } from "../snapshot/index.ts";
import { dependenciesOf, isLock } from "./shadows.ts";

export interface Dependencies {
  /** Changed without a change of their lock file, and put back. */
  readonly dependencies: readonly string[];
  /** The same, but too large to have been kept. */
  readonly unrestored: readonly string[];
  /** Folders that come from the project as it is. */
  readonly provided: readonly string[];
}

/** Which packages a change of lock files speaks of; a lock that we cannot read speaks of all. */
export interface Relocked {
  readonly isAny: boolean;
  has(unit: string): boolean;
}

/** What the lock files say has changed since. */
export async function relockedBetween(
  old: Entries,
  now: Entries,
  read: (entry: Entry) => Promise<Buffer | undefined>,
): Promise<Relocked> {
  const paths = new Set([...old.keys(), ...now.keys()].filter((path) => isLock(asText(path))));
  const changed = [...paths].filter((path) => !isSame(old.get(path), now.get(path)));
  const units = new Set<string>();
  for (const path of changed) {
    const [before, after] = [old.get(path), now.get(path)];
    const packages = [before && (await read(before)), after && (await read(after))].map((text) => packagesOf(text));
    const [then, since] = packages;
    if (!path.endsWith("package-lock.json") || !then || !since) return { isAny: true, has: () => true };
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    for (const name of new Set([...Object.keys(then), ...Object.keys(since)]))
      if (JSON.stringify(then[name]) !== JSON.stringify(since[name])) units.add(`${folder}${name}`);
  }
  return { isAny: units.size > 0, has: (unit) => units.has(unit) };
}

function packagesOf(text: Buffer | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const { packages } = JSON.parse(text?.toString("utf8") ?? "") as { packages?: Readonly<Record<string, unknown>> };
    return packages;
  } catch {
    return undefined;
  }
}

/**
 * Dependencies are as they were before the work, except for packages that a changed lock file speaks of. What was too large to
 * keep is only compared.
 */
export function restoreDependencies(
  before: Snapshot,
  after: Snapshot,
  old: Entries,
  entries: Map<string, Entry>,
  relocked: Relocked,
): Dependencies {
  const dependencies = new Set<string>();
  const provided = new Set(after.large.map(({ path }) => asText(path)));
  const tops = new Set([...old.keys()].flatMap((path) => dependenciesOf(path) ?? []));
  const large = new Set([...before.large, ...after.large].map(({ path }) => path));
  const isOurs = (path: string, top: string | undefined): top is string =>
    top !== undefined && tops.has(top) && !large.has(top) && !isCache(path);
  for (const [path, entry] of [...entries]) {
    const top = dependenciesOf(path);
    if (top !== undefined && !tops.has(top)) provided.add(top); // installed since
    if (!isOurs(path, top) || isSame(entry, old.get(path))) continue;
    const unit = unitOf(path);
    if (relocked.has(unit)) provided.add(unit);
    else if (old.has(path) || !isCommand(unit)) {
      dependencies.add(unit);
      entries.delete(path);
    }
  }
  for (const [path, entry] of old) {
    const top = dependenciesOf(path);
    if (!isOurs(path, top) || isSame(entry, entries.get(path)) || relocked.has(unitOf(path))) continue;
    dependencies.add(unitOf(path));
    entries.set(path, entry);
  }
  return {
    dependencies: [...dependencies].map(asText),
    unrestored: changedUnits(before, after, relocked),
    provided: [...provided],
  };
}

function changedUnits(before: Snapshot, after: Snapshot, relocked: Relocked): readonly string[] {
  return before.large.flatMap(({ path, units }) => {
    if (dependenciesOf(path) === undefined) return [];
    const now = after.large.find((each) => each.path === path)?.units ?? {};
    return Object.keys(units)
      .filter((unit) => units[unit] !== now[unit] && !relocked.has(unit) && !isGenerated(unit))
      .filter((unit) => !isCommand(unit) || !relocked.isAny)
      .map(asText);
  });
}

const unitOf = (path: string): string => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
/** Links to commands: new ones come with new packages. */
const isCommand = (unit: string): boolean => unit.endsWith("node_modules/.bin");

const isCache = (path: string): boolean =>
  /\/(?:\.cache|\.vite|\.vite-temp|\.vitest|\.package-lock\.json|__pycache__)(?:\/|$)/.test(path);
/** Tools write there what they derive from the work. */
const isGenerated = (unit: string): boolean => /\/\.(?!bin$|pnpm$)[^/]+$|@prisma\/client$/.test(unit);
