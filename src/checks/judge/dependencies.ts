import { asText, type Entries, type Entry, isSame, type Snapshot } from "../snapshot/index.ts";
import { dependenciesOf, isLock } from "./shadows.ts";

export interface Dependencies {
  /** Changed without a change of their lock file, and put back. */
  readonly dependencies: readonly string[];
  /** The same, but too large to have been kept. */
  readonly unrestored: readonly string[];
  /** Folders that come from the project as it is. */
  readonly provided: readonly string[];
  /** Packages that changed together with what their lock file says of them: the agent's own copies. */
  readonly renewed: readonly string[];
}

/** What was there before the work. */
interface Known {
  readonly old: Entries;
  readonly tops: ReadonlySet<string>;
  readonly units: ReadonlySet<string>;
}

/** Which packages a change of lock files speaks of; a lock that we cannot read speaks of all. */
export interface Relocked {
  readonly isAny: boolean;
  has(unit: string): boolean;
}

/** What the lock files say has changed since. One that is gone says nothing, and neither does one of another kind beside it. */
export async function relockedBetween(
  { old, locks }: { readonly old: Entries; readonly locks: readonly string[] },
  now: Entries,
  differing: readonly string[],
  read: (entry: Entry) => Promise<Buffer | undefined>,
): Promise<Relocked> {
  const isFirst = locks.length === 0;
  const units = new Set<string>();
  const words = new Set<string>();
  for (const path of differing.filter((each) => now.has(each) && isLock(asText(each)))) {
    const [before, after] = [old.get(path), now.get(path)];
    if (isFirst) return { isAny: true, has: () => true };
    if (!before) continue;
    const [then, since] = [await read(before), after && (await read(after))];
    const [oldPackages, newPackages] = [packagesOf(then), packagesOf(since)];
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    if (path.endsWith("package-lock.json") && oldPackages && newPackages) {
      for (const name of new Set([...Object.keys(oldPackages), ...Object.keys(newPackages)]))
        if (JSON.stringify(oldPackages[name]) !== JSON.stringify(newPackages[name])) units.add(`${folder}${name}`);
    } else
      for (const word of wordsOfChanges(then?.toString("utf8") ?? "", since?.toString("utf8") ?? "")) words.add(word);
  }
  return {
    isAny: units.size + words.size > 0,
    has: (unit) => units.has(unit) || (words.size > 0 && isNamedIn(words, asText(unit))),
  };
}

/** Lines before a changed one that may name what it is about. */
const NAMED_WITHIN = 4;

/** Every word of the lines that are new, and of those just before them. */
function wordsOfChanges(before: string, after: string): readonly string[] {
  const known = new Set(before.split("\n"));
  const lines = after.split("\n");
  return lines.flatMap((line, at) =>
    known.has(line) ? [] : lines.slice(Math.max(0, at - NAMED_WITHIN), at + 1).flatMap(wordsOf),
  );
}

const wordsOf = (line: string): readonly string[] =>
  (line.match(/@?[A-Za-z][\w.-]*(?:\/[\w.-]+)?/g) ?? [])
    .flatMap((word) => [word, word.replace(/-\d.*$/, "")])
    .map(plain);
const plain = (name: string): string => name.toLowerCase().replaceAll("-", "_");

/** What is installed for Python is not called what its lock calls it, so only what runs tests has to be named. */
function isNamedIn(words: ReadonlySet<string>, unit: string): boolean {
  const scoped = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(unit)?.[1];
  if (scoped !== undefined) return words.has(plain(scoped));
  const [, top = ""] = /(?:site-packages|bin|Scripts)\/_?([A-Za-z]+)/.exec(unit) ?? [];
  return !/^(?:pytest|pluggy|iniconfig|coverage|unittest|xdist|nose|tox|nox|python|sitecustomize|usercustomize)$/.test(
    top,
  )
    ? !unit.endsWith(".pth")
    : words.has(plain(top));
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
  { old, tops, units }: Known,
  entries: Map<string, Entry>,
  relocked: Relocked,
  differing: readonly string[],
): Dependencies {
  const dependencies = new Set<string>();
  const renewed = new Set(renewedUnits(before, after, relocked));
  const provided = new Set(after.large.map(({ path }) => asText(path)));
  const large = new Set([...before.large, ...after.large].map(({ path }) => path));
  const known = new Set([...units, ...before.large.flatMap((folder) => Object.keys(folder.units))]);
  const isOurs = (path: string, top: string | undefined): top is string =>
    top !== undefined && tops.has(top) && !large.has(top) && !isCache(path);
  for (const path of differing) {
    const entry = entries.get(path);
    if (!entry) continue;
    const top = dependenciesOf(path);
    if (top !== undefined && !tops.has(top) && !large.has(top)) {
      const unit = unitOf(path);
      const isNearer = isNearerThan(known, unit);
      if (relocked.has(unit) && isNearer) renewed.add(unit);
      if (relocked.has(unit) || !isNearer)
        provided.add(top); // installed since
      else {
        dependencies.add(unit);
        entries.delete(path);
      }
    }
    if (!isOurs(path, top) || isSame(entry, old.get(path))) continue;
    const unit = unitOf(path);
    if (relocked.has(unit)) {
      provided.add(unit);
      renewed.add(unit);
    } else if (old.has(path) || !isCommand(unit)) {
      dependencies.add(unit);
      entries.delete(path);
    }
  }
  for (const path of differing) {
    const entry = old.get(path);
    const top = entry && dependenciesOf(path);
    if (!entry || !isOurs(path, top) || isSame(entry, entries.get(path)) || relocked.has(unitOf(path))) continue;
    dependencies.add(unitOf(path));
    entries.set(path, entry);
  }
  return {
    dependencies: [...dependencies].map(asText),
    unrestored: changedUnits(before, after, relocked),
    provided: [...provided],
    renewed: [...renewed].map(asText),
  };
}

/** A package of the same name was there in a folder above: a nearer one would be found first. */
function isNearerThan(known: ReadonlySet<string>, unit: string): boolean {
  const [, folder = "", name] = /^(.*\/)?node_modules\/([^/]+(?:\/[^/]+)?)$/.exec(unit) ?? [];
  if (name === undefined) return false;
  const steps = folder.split("/").slice(0, -1);
  return steps.some((_, at) => known.has([...steps.slice(0, at), "node_modules", name].join("/")));
}

const changedUnits = (before: Snapshot, after: Snapshot, relocked: Relocked): readonly string[] =>
  differingUnits(before, after)
    .filter((unit) => !relocked.has(unit) && !isGenerated(unit) && (!isCommand(unit) || !relocked.isAny))
    .map(asText);

/** Links to commands are made anew with any package. */
const renewedUnits = (before: Snapshot, after: Snapshot, relocked: Relocked): readonly string[] =>
  differingUnits(before, after).filter((unit) => relocked.has(unit) || (isCommand(unit) && relocked.isAny));

/** Of folders that were too large to keep. */
function differingUnits(before: Snapshot, after: Snapshot): readonly string[] {
  return before.large.flatMap(({ path, units }) => {
    if (dependenciesOf(path) === undefined) return [];
    const now = after.large.find((each) => each.path === path)?.units ?? {};
    return Object.keys(units).filter((unit) => units[unit] !== now[unit]);
  });
}

export const unitOf = (path: string): string => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
/** Links to commands: new ones come with new packages. */
const isCommand = (unit: string): boolean => unit.endsWith("node_modules/.bin");

const isCache = (path: string): boolean =>
  /\/(?:\.cache|\.vite|\.vite-temp|\.vitest|\.package-lock\.json|__pycache__)(?:\/|$)/.test(path);
/** Tools write there what they derive from the work. */
const isGenerated = (unit: string): boolean => /\/\.(?!bin$|pnpm$)[^/]+$|@prisma\/client$/.test(unit);
