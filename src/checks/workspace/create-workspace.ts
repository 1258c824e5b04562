import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock, Workspace } from "../../engine/index.ts";
import { attempt } from "../../machine/index.ts";
import { createFileWalk, type FileWalk } from "./file-walk.ts";
import { createGit } from "./git.ts";
import { type GitState, openGitState } from "./git-state.ts";
import { keptIn, NOTHING_KEPT } from "./kept.ts";
import { patientOnce } from "./patient-once.ts";

export interface WorkspacePorts {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where what is costly to find out is kept between processes. */
  readonly cacheDirectory?: string;
  /** How long git may take for one answer. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;

/**
 * One fingerprint of the content that is tracked, or untracked and not ignored. Equal content has one fingerprint, whether
 * it is staged, committed or neither. Where git does not answer, the files are walked.
 */
export function createWorkspace({ clock, env, cacheDirectory, timeoutMs = TIMEOUT_MS }: WorkspacePorts): Workspace {
  const kept = cacheDirectory === undefined ? NOTHING_KEPT : keptIn(cacheDirectory);
  const own = cacheDirectory === undefined ? [] : ownFolders(dirname(cacheDirectory));
  const ports = { git: patientOnce(createGit({ clock, env, timeoutMs }), clock, kept), clock, kept, own };
  const states = new Map<string, { readonly repository: string; readonly state: GitState | undefined }>();
  const walks = new Map<string, FileWalk>();

  return {
    async observe(cwd) {
      const seen = await (await stateOf(cwd))?.observe();
      if (seen !== undefined) return `git:${seen}`;
      const walk = walks.get(cwd) ?? createFileWalk(clock, cwd, undefined, own);
      walks.set(cwd, walk);
      const walked = await walk.observe();
      return walked === undefined ? undefined : `files:${walked}`;
    },
  };

  async function stateOf(cwd: string): Promise<GitState | undefined> {
    const repository = repositoryAbove(cwd);
    if (repository === undefined) return undefined;
    const known = states.get(cwd);
    if (known?.repository === repository) return known.state;
    const state = await openGitState(ports, cwd);
    states.set(cwd, { repository, state });
    return state;
  }
}

/** What is kept beside the log, as bytes (latin1) and by both names where a link leads there. */
function ownFolders(state: string): readonly string[] {
  const real = attempt(() => realpathSync(state)) ?? state;
  return [...new Set([state, real])].flatMap((folder) =>
    OWN.map((name) => Buffer.from(join(folder, name)).toString("latin1")),
  );
}

const OWN = ["workspace", "snapshots"];

/** Cheap enough to ask each time: a repository may be made or removed while the run goes on. */
function repositoryAbove(cwd: string): string | undefined {
  for (let at = cwd; existsSync(cwd); at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return undefined;
  }
  return undefined;
}
