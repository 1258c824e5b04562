import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../engine/index.ts";
import { createBaseCache } from "./base-cache.ts";
import { ContentSum, entryOf } from "./content-sum.ts";
import { createFileContents } from "./file-contents.ts";
import type { Git } from "./git.ts";
import { baseOf, type GitBase } from "./git-base.ts";
import type { Repository } from "./git-repository.ts";
import { parseStatus, type StatusEntry } from "./git-status.ts";
import { createHiddenFiles } from "./hidden-files.ts";
import type { Kept } from "./kept.ts";
import { createSafeSettings, knownRepository } from "./known-repository.ts";

/** One repository, looked at again and again: each time only what differs from the commit is read. */
export interface GitState {
  /** Undefined: git did not answer. */
  observe(): Promise<string | undefined>;
}

export interface GitStatePorts {
  readonly git: Git;
  readonly clock: Clock;
  readonly kept: Kept;
  /** Folders of tildone's own. */
  readonly own: readonly string[];
}

const DEEPEST = 4;
const MOST_SUBMODULES = 200;

export async function openGitState(ports: GitStatePorts, cwd: string, depth = 0): Promise<GitState | undefined> {
  const repository = await knownRepository(ports.git, cwd, ports.kept, ports.clock.now);
  return repository && createGitState(ports, repository, depth);
}

function createGitState(ports: GitStatePorts, repository: Repository, depth: number): GitState {
  const { git, clock, kept } = ports;
  const { root, only } = repository;
  const contents = createFileContents(clock, repository.algorithm, ports.own);
  const hiddenFiles = createHiddenFiles(git, repository, kept, clock.now);
  const safeSettings = createSafeSettings(git, root, kept, clock.now);
  const cache = createBaseCache(kept);
  const inner = new Map<string, GitState | undefined>();
  const place = Buffer.from(root).toString("latin1");
  let base: GitBase | undefined;

  return { observe };

  async function observe(): Promise<string | undefined> {
    const settings = await safeSettings();
    if (settings === undefined) return undefined;
    const status = [...STATUS, ...(only === undefined ? [] : ["--", only])];
    const [answer, unwatched] = await Promise.all([git(root, status, { settings }), hiddenFiles()]);
    if (answer.status !== "ok") return undefined;
    const { commit, entries } = parseStatus(answer.output);
    const known = commit === undefined ? undefined : await baseAt(commit);
    if (commit !== undefined && !known) return undefined;
    const sum = known?.sum.copy() ?? new ContentSum();
    contents.begin();
    for (const entry of entries) apply(sum, entry);
    for (const path of unwatched) sum.add(`hidden ${contents.of(`${place}/${path}`)?.oid ?? "gone"}\t${path}`);
    for (const path of innerRepositories(known, entries)) sum.add(`inner ${await innerState(path, known)}\t${path}`);
    return sum.fingerprint();
  }

  async function baseAt(commit: string): Promise<GitBase | undefined> {
    base ??= cache.load(root);
    const found = await baseOf(git, root, commit, base);
    if (found && found !== base) cache.save(root, found);
    base = found;
    return found;
  }

  function apply(sum: ContentSum, entry: StatusEntry): void {
    if (entry.type === "tracked") {
      if (entry.submodule) return;
      if (entry.head) sum.remove(entryOf(entry.head.mode, entry.head.oid, entry.path));
      if (entry.deleted) return;
    } else if (entry.path.endsWith("/") || DEPENDENCIES.test(entry.path)) return;
    const now = (entry.type === "tracked" && entry.index) || contents.of(`${place}/${entry.path}`);
    if (now) sum.add(entryOf(now.mode, now.oid, entry.path));
  }

  function innerRepositories(known: GitBase | undefined, entries: readonly StatusEntry[]): readonly string[] {
    const links = entries.flatMap((entry) => {
      if (entry.type === "untracked") return entry.path.endsWith("/") ? [entry.path.slice(0, -1)] : [];
      return entry.submodule && !entry.deleted ? [entry.path] : [];
    });
    const gone = new Set(entries.flatMap((entry) => (entry.type === "tracked" && entry.deleted ? [entry.path] : [])));
    const kept = [...(known?.submodules.keys() ?? [])].filter((path) => !gone.has(path));
    return [...new Set([...kept, ...links])].slice(0, MOST_SUBMODULES);
  }

  /** A repository within is a state of its own; one that is not checked out is what the commit says. */
  async function innerState(path: string, known: GitBase | undefined): Promise<string> {
    const directory = join(root, Buffer.from(path, "latin1").toString("utf8"));
    const recorded = known?.submodules.get(path) ?? "none";
    if (depth >= DEEPEST || !existsSync(join(directory, ".git"))) return recorded;
    const state = inner.has(path) ? inner.get(path) : await openGitState(ports, directory, depth + 1);
    inner.set(path, state);
    return (await state?.observe()) ?? recorded;
  }
}

/** Not work of the run, also where git does not ignore it. */
const DEPENDENCIES = /(?:^|\/)node_modules\//;

const STATUS: readonly string[] = [
  "status",
  "--porcelain=v2",
  "-z",
  "--branch",
  "--untracked-files=all",
  "--no-renames",
  // Git would look into submodules with their own config; they are opened here, one by one.
  "--ignore-submodules=dirty",
];
