import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, findProgram, makeFolder } from "../../machine/index.ts";
import { isBelow, namedOutside } from "../judge/named-outside.ts";
import { isOwnFolder, type Surroundings } from "./surroundings.ts";

export interface Outside {
  /** Every command that the check leads to, as words. */
  readonly commands: readonly (readonly string[])[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly root: string;
  /** From when on the check itself ran: what changed then may be its own doing. */
  readonly until: number | undefined;
}

export interface ChangedOutside {
  readonly path: string;
  /** When it was changed. */
  readonly at: number;
  /** A command names it; else it belongs to a program that is run. */
  readonly isNamed: boolean;
}

/**
 * Files beyond the project that a check goes by and that were changed since the run began: those that its commands name, and those of
 * programs of yours that it runs. They were not kept, so no room can put them back. The kernel's time of change tells, because no
 * program can set it back.
 */
export function changedOutside({ moment, home = [] }: Surroundings, outside: Outside): readonly ChangedOutside[] {
  if (moment === undefined) return [];
  const { commands, env, root, until = Number.POSITIVE_INFINITY } = outside;
  // Times of the kernel are some milliseconds wide: what has the same one as the check's beginning may have come before it.
  const isSince = ({ ctimeMs }: Stats) => ctimeMs >= moment && ctimeMs <= until;
  const lookAt = (path: string, isNamed: boolean): readonly ChangedOutside[] => {
    const at = isBelow(root, path) ? undefined : (firstIn(path, isSince) ?? gone(path, env.HOME, home, isSince));
    return at === undefined ? [] : [{ path, at, isNamed }];
  };
  return [
    ...namedOutside(commands, env, root)
      .filter((path) => !isCache(path))
      .flatMap((path) => lookAt(path, true)),
    ...steeringPrograms(commands, env).flatMap((path) => lookAt(path, false)),
  ];
}

/** What time it is for the file system; undefined: nothing can be written there. */
export function momentIn(directory: string): number | undefined {
  return attempt(() => {
    makeFolder(directory, 0o700);
    const file = join(directory, `moment-${process.pid}`);
    writeFileSync(file, "");
    return lstatSync(file).ctimeMs;
  });
}

/** The first step of every path below it. */
export const namesAt = (home: string | undefined): readonly string[] =>
  home === undefined ? [] : listed(home).slice(0, MOST_NAMES);

const MOST_NAMES = 2_000;

/** Filled by tools on the way, whether work is done or not. */
const isCache = (path: string): boolean => /\/(?:\.?caches?|\.npm|_cacache|registry)(?:\/|$)|\.log$/i.test(path);

/** When one that is not there was removed: what it lay in changed then. Folders that everybody writes to say nothing. */
function gone(
  path: string,
  home: string | undefined,
  names: readonly string[],
  isSince: (stat: Stats) => boolean,
): number | undefined {
  if (statOf(path)) return undefined;
  const above = statOf(dirname(path));
  if (dirname(path) === home) return names.includes(basename(path)) ? above?.ctimeMs : undefined;
  if (!above) return dirname(path) === path ? undefined : gone(dirname(path), home, names, isSince);
  return home !== undefined && isBelow(path, home) && isSince(above) ? above.ctimeMs : undefined;
}

/** Of the programs that are no system's own: packages that they belong to, and what a Python of yours loads by itself. */
function steeringPrograms(commands: Outside["commands"], env: Outside["env"]): readonly string[] {
  const paths = new Set<string>();
  for (const name of new Set(commands.map(([first = ""]) => first))) {
    const path = /^[\w.+-]+$/.test(name) ? findProgram(name, { env }) : undefined;
    if (path === undefined || !isOwnFolder(dirname(path))) continue;
    const inPackage = packageOf(attempt(() => realpathSync(path)) ?? path);
    if (inPackage !== undefined && isOwnFolder(inPackage)) paths.add(inPackage);
    for (const each of loadedByPython(dirname(dirname(path)))) paths.add(each);
  }
  return [...paths];
}

/** A package of Node that a program belongs to. */
const packageOf = (path: string): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];

/** What an environment of Python loads before it does what it was asked for, and what runs tests. */
function loadedByPython(top: string): readonly string[] {
  if (!statOf(join(top, "pyvenv.cfg"))) return [];
  const lib = join(top, "lib");
  const folders = listed(lib).map((version) => join(lib, version, "site-packages"));
  return folders.flatMap((folder) =>
    listed(folder)
      .map((name) => join(folder, name))
      .filter((path) => RUNS_TESTS.test(basename(path)) || (path.endsWith(".pth") && runsCode(path))),
  );
}

const RUNS_TESTS =
  /^(?:sitecustomize|usercustomize|_?pytest|pluggy|iniconfig|coverage|unittest2?|nose2?|xdist|doctest)(?:\.py)?$/;
const runsCode = (path: string): boolean => /^import[\s;]/m.test(attempt(() => readFileSync(path, "utf8")) ?? "");

/** When a file, or one of the first some thousand in a folder, was such a one. */
function firstIn(path: string, holds: (stat: Stats) => boolean): number | undefined {
  const waiting = [path];
  for (let seen = 0; seen < MOST_FILES; seen++) {
    const at = waiting.pop();
    if (at === undefined) return undefined;
    const stat = statOf(at);
    if (!stat) continue;
    if (holds(stat)) return stat.ctimeMs;
    if (stat.isDirectory() && !isCache(`${at}/`)) waiting.push(...listed(at).map((name) => join(at, name)));
    const behind = stat.isSymbolicLink() ? statOf(attempt(() => realpathSync(at)) ?? at) : undefined;
    if (behind && !behind.isDirectory() && holds(behind)) return behind.ctimeMs;
  }
  return undefined;
}

const MOST_FILES = 20_000;

const listed = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? [];
const statOf = (path: string): Stats | undefined => attempt(() => lstatSync(path, { throwIfNoEntry: false }));
