import { type BigIntStats, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { mayLookTheSame } from "../../machine/index.ts";
import type { Git, Setting } from "./git.ts";
import { type FoundRepository, findRepository, type Repository, withoutFilters } from "./git-repository.ts";
import type { Kept } from "./kept.ts";

/**
 * The repository at `cwd`, remembered between processes: asking git costs a process that lives for one event more than all
 * its other work. Remembered is only what its own config decides, and only as long as that config is untouched: a repository
 * at its top, with a folder `.git` and no config elsewhere. Any other is asked for each time.
 */
export async function knownRepository(
  git: Git,
  cwd: string,
  kept: Kept,
  now: () => number,
): Promise<Repository | undefined> {
  const mark = markOf(cwd, now());
  const key = `repository ${cwd}`;
  const before = mark === undefined ? undefined : parse(kept.load(key), mark);
  if (before) return before;
  const asked = await findRepository(git, cwd);
  const found = asked && withoutHead(asked);
  if (found && mark !== undefined && found.root === cwd && found.only === undefined && markOf(cwd, now()) === mark)
    kept.save(key, { v: VERSION, mark, repository: found });
  return found;
}

/**
 * What keeps the repository's own config from being carried out, as that config is now: a filter may be added while a
 * process that looks again and again continues.
 */
export function createSafeSettings(
  git: Git,
  root: string,
  kept: Kept,
  now: () => number,
): () => Promise<readonly Setting[] | undefined> {
  let known: { readonly mark: string; readonly settings: readonly Setting[] } | undefined;
  return async () => {
    const mark = markOf(root, now());
    if (mark === undefined) return withoutFilters(git, root);
    if (known?.mark === mark) return known.settings;
    const key = `settings ${root}`;
    const before = kept.load(key) as (typeof known & { readonly v: number }) | undefined;
    if (before?.v === VERSION && before.mark === mark) {
      known = before;
      return before.settings;
    }
    const settings = await withoutFilters(git, root);
    if (settings === undefined || markOf(root, now()) !== mark) return settings;
    known = { mark, settings };
    kept.save(key, { v: VERSION, ...known });
    return settings;
  };
}

const withoutHead = ({ head: _, ...repository }: FoundRepository): Repository => repository;

const VERSION = 3;

/** Changes whenever the answer may. Undefined: it depends on more than we can see, or changed just now and may look the same. */
function markOf(cwd: string, now: number): string | undefined {
  const folder = statSync(join(cwd, ".git"), { bigint: true, throwIfNoEntry: false });
  if (!folder?.isDirectory()) return undefined;
  const path = join(cwd, ".git/config");
  const config = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!config?.isFile() || mayLookTheSame(config.ctimeMs, now) || REACHES_OUT.test(readFileSync(path, "latin1")))
    return undefined;
  return `${folder.ino} ${stampOf(config)}`;
}

/** Sections that name other files or folders whose change we would not see. */
const REACHES_OUT = /\[\s*include|worktree/i;

const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

function parse(kept: unknown, mark: string): Repository | undefined {
  if (typeof kept !== "object" || kept === null) return undefined;
  const { v, mark: then, repository } = kept as { v?: unknown; mark?: unknown; repository?: Repository };
  return v === VERSION && then === mark ? repository : undefined;
}
