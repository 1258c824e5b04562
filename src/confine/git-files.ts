import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isRepository } from "../machine/index.ts";
import { exists, isFolder, realPath } from "./surroundings.ts";

export interface GitFiles {
  /** What git must be able to change, mounted one by one: a folder that is a mount cannot be moved away and replaced. */
  readonly writable: readonly string[];
  /** What git runs, or takes programs from: hooks and configuration, of submodules and other worktrees too. */
  readonly kept: readonly string[];
}

/** The repository of a workspace as a confined command may use it: commits, branches and stashes, but nothing that runs outside later. */
export function gitFiles(root: string): GitFiles {
  const own = join(root, ".git");
  if (isFolder(own))
    return { writable: pinned(own), kept: [...keptIn(completed(own)), ...existing([join(own, "worktrees")])] };
  const linked = linkedWorktree(own);
  if (linked === undefined) return { writable: [], kept: existing([own]) };
  const { folder, common } = linked;
  const pointers = existing([own, join(folder, "commondir"), join(folder, "gitdir")]);
  const others = existing([join(common, "worktrees")]);
  return {
    writable: [...pinned(common), folder],
    kept: [...others, ...keptIn(completed(common)), ...keptIn(folder), ...pointers],
  };
}

/** The root of the repository around a folder, or the folder itself; never the home folder or what holds it. */
export function workspaceAround(cwd: string, home: string): string {
  const start = realPath(cwd) ?? cwd;
  for (let at = start; at !== dirname(at) && at !== home; at = dirname(at)) if (isRepository(at)) return at;
  return start;
}

/** `commondir` would make git take hooks and configuration from elsewhere. In a repository of its own git never writes it. */
export function dropPlanted(root: string): void {
  const own = join(root, ".git");
  const common = isFolder(own) ? own : linkedWorktree(own)?.common;
  if (common === undefined) return;
  for (const folder of [common, ...allRepositoriesIn(join(common, "modules"))])
    rmSync(join(folder, "commondir"), { force: true, recursive: true });
}

const allRepositoriesIn = (modules: string): readonly string[] =>
  repositoriesIn(modules).flatMap((folder) => [folder, ...allRepositoriesIn(join(folder, "modules"))]);

/** What is not there could be made: only what exists can be mounted, so it is made empty. */
function completed(folder: string): string {
  if (!exists(join(folder, "hooks"))) mkdirSync(join(folder, "hooks"));
  if (!exists(join(folder, "config"))) writeFileSync(join(folder, "config"), "");
  return folder;
}

function keptIn(folder: string): readonly string[] {
  const files = existing(["config", "config.worktree", "hooks", "info/attributes"].map((name) => join(folder, name)));
  const modules = join(folder, "modules");
  return [...files, ...repositoriesIn(modules).flatMap(keptIn)];
}

/** The repository and those of its submodules, with every folder on the way: what holds a mount can be moved, a mount cannot. */
function pinned(folder: string): readonly string[] {
  const modules = join(folder, "modules");
  const between = repositoriesIn(modules).flatMap((path) => {
    const steps = path.slice(modules.length + 1).split("/");
    return steps.slice(0, -1).map((_, index) => join(modules, ...steps.slice(0, index + 1)));
  });
  return [folder, ...new Set([...existing([modules]), ...between]), ...repositoriesIn(modules).flatMap(pinned)];
}

/** A submodule's name may hold slashes: its repository stands as deep as its name. */
function repositoriesIn(folder: string, depth = 4): readonly string[] {
  if (depth === 0 || !isFolder(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return exists(join(path, "HEAD")) ? [path] : repositoriesIn(path, depth - 1);
  });
}

/**
 * A file `.git` names its repository, in a linked worktree and in a submodule. It may be the agent's work: only one that names this
 * folder back is taken at its word.
 */
function linkedWorktree(file: string): { readonly folder: string; readonly common: string } | undefined {
  const named = /^gitdir: (.+)$/m.exec(textOf(file))?.[1];
  if (named === undefined) return undefined;
  const folder = realPath(resolve(dirname(file), named));
  if (folder !== undefined && worktreeOf(folder) === dirname(file)) return { folder, common: folder };
  const common = folder && realPath(resolve(folder, textOf(join(folder, "commondir")).trim() || "."));
  if (folder === undefined || common === undefined || dirname(folder) !== join(common, "worktrees")) return undefined;
  const isOurs = realPath(textOf(join(folder, "gitdir")).trim()) === realPath(file);
  return isOurs && basename(common) !== "" && exists(join(common, "HEAD")) ? { folder, common } : undefined;
}

/** What the repository of a submodule says of where its files are. */
function worktreeOf(folder: string): string | undefined {
  const named = /^\s*worktree = (.+)$/m.exec(textOf(join(folder, "config")))?.[1];
  return named === undefined ? undefined : realPath(resolve(folder, named));
}

const existing = (paths: readonly string[]): readonly string[] => paths.filter(exists);

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return "";
  }
}
