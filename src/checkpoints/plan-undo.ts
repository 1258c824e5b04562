import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { bytesOf, type Entry, GITLINK, isSame } from "../checks/index.ts";
import { attempt } from "../machine/index.ts";
import { cameBetween, changedPaths, fileAt, isBelow, submodulesOf } from "./file-states.ts";
import { mergeEntry } from "./merge-entry.ts";
import type { OpenCheckpoint } from "./open-checkpoint.ts";
import type { Parts } from "./ports.ts";
import type { IndexStep } from "./user-index.ts";

/** One step of the work that is taken back. */
export interface WorkStep {
  readonly from: OpenCheckpoint;
  readonly to: OpenCheckpoint;
  /** You may have had your part in it: the end of a turn was not seen. */
  readonly unclear?: boolean;
}

/** A path is bytes, as everywhere in trees. Undefined: there is no file. */
export interface FileChange {
  readonly path: string;
  readonly from?: Entry | undefined;
  readonly to?: Entry | undefined;
}

export interface UndoPlan {
  readonly changes: readonly FileChange[];
  /** Changed since, on the same lines: not without `--force`. */
  readonly conflicts: readonly Conflict[];
  /** Files that stay, because nothing proves that the run made them. */
  readonly kept: readonly string[];
  readonly submodules: readonly string[];
  readonly index: readonly IndexStep[];
  /** Commits were made meanwhile: they stay, and so does what is staged. */
  readonly hasCommits: boolean;
}

export interface Conflict {
  readonly path: string;
  readonly why: "changed_since" | "in_the_way" | "unclear";
}

export interface PlanRequest {
  readonly cwd: string;
  readonly now: OpenCheckpoint;
  /** The newest first. */
  readonly steps: readonly WorkStep[];
  /** To be looked at even where they are ignored. */
  readonly also?: readonly string[];
  readonly force: boolean;
}

/** What has to change so that some steps never happened, and everything else did. Nothing is touched. */
export async function planUndo(parts: Parts, { cwd, now, steps, also = [], force }: PlanRequest): Promise<UndoPlan> {
  const moments = [now, ...steps.flatMap(({ from, to }) => [from, to])];
  const submodules = new Set(moments.flatMap(({ files }) => submodulesOf(files)));
  const touched = new Set<string>();
  const left = new Set<string>();
  const changed = steps.flatMap(({ from, to }) => changedPaths(from.files, to.files));
  for (const path of new Set([...changed, ...also])) {
    const submodule = isBelow(path, submodules);
    if (submodule === undefined) touched.add(path);
    else left.add(submodule);
  }
  const changes: FileChange[] = [];
  const conflicts: Conflict[] = [];
  const kept: string[] = [];
  for (const path of [...touched].sort()) {
    const current = fileAt(now.files, path);
    const back = await takenBack(parts, { cwd, path, current, steps, force });
    if (back.status === "conflict") conflicts.push({ path, why: back.why });
    else if (isSame(back.entry, current)) continue;
    else if (back.entry === undefined && !isOfRun(now, steps, path)) kept.push(path);
    else changes.push({ path, from: current, to: back.entry });
  }
  return {
    changes,
    conflicts: [...conflicts, ...inTheWay(now, changes)],
    kept,
    submodules: [...left],
    ...planIndex(now, steps),
  };
}

interface PathSteps {
  readonly cwd: string;
  readonly path: string;
  readonly current: Entry | undefined;
  readonly steps: readonly WorkStep[];
  readonly force: boolean;
}

async function takenBack(parts: Parts, { cwd, path, current, steps, force }: PathSteps) {
  let entry = current;
  for (const { from, to, unclear } of steps) {
    const [before, after] = [fileAt(from.files, path), fileAt(to.files, path)];
    if (isSame(before, after)) continue;
    if (unclear && !force) return { status: "conflict", why: "unclear" } as const;
    const merged = await mergeEntry(parts, cwd, { now: entry, after, before });
    if (merged.status === "conflict" && !force) return { status: "conflict", why: "changed_since" } as const;
    entry = merged.status === "merged" ? merged.entry : before;
  }
  return { status: "merged", entry } as const;
}

/** A file goes only if it came with these steps, and is no older than they are. */
function isOfRun({ files }: OpenCheckpoint, steps: readonly WorkStep[], path: string): boolean {
  const birth = steps.findLast(({ from, to }) => !fileAt(from.files, path) && fileAt(to.files, path));
  if (!birth || !cameBetween(birth.from, birth.to, path)) return false;
  const stat = statOf(files.root, path);
  if (stat === undefined || stat.birthtimeMs >= birth.from.at - CLOCK_SLACK_MS) return true;
  // Older than the step: moved within the project, or it was there and could not be seen.
  return changedPaths(birth.from.files, birth.to.files).some((each) => !fileAt(birth.to.files, each));
}

const CLOCK_SLACK_MS = 2_000;

/** Something stands where a file has to go that no checkpoint knows, or that stays, or that comes back as well. */
function inTheWay({ files }: OpenCheckpoint, changes: readonly FileChange[]): readonly Conflict[] {
  const coming = new Set(changes.flatMap(({ path, to }) => (to ? [path] : [])));
  const leaving = new Set(changes.flatMap(({ path, from, to }) => (from && !to ? [path] : [])));
  return changes.flatMap(({ path, from, to }): readonly Conflict[] => {
    if (!to) return [];
    const isAboveLeaving = parents(path).some((parent) => leaving.has(parent)); // a link, which leads elsewhere
    const stat = from || isAboveLeaving ? undefined : statOf(files.root, path);
    const isForeign = stat !== undefined && !stat.isDirectory();
    const isInFolder = stat?.isDirectory() && hasOthers(path);
    const isBarred = !isAboveLeaving && parents(path).some((parent) => isNoFolder(files.root, parent));
    const isBelowComing = parents(path).some((parent) => coming.has(parent)); // two steps: a file, and a folder of its name
    return isForeign || isInFolder || isBarred || isBelowComing ? [{ path, why: "in_the_way" }] : [];
  });

  function hasOthers(folder: string): boolean {
    const inside = (path: string) => path.startsWith(`${folder}/`) && !leaving.has(path);
    const { project, ignored, large, empty } = files;
    return [...project.keys(), ...ignored.keys(), ...large.map((each) => each.path), ...empty].some(inside);
  }
}

function parents(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

const isNoFolder = (root: string, path: string): boolean => statOf(root, path)?.isDirectory() === false;

const statOf = (root: string, path: string): Stats | undefined =>
  attempt(() => lstatSync(bytesOf(join(Buffer.from(root).toString("latin1"), path)), { throwIfNoEntry: false }));

/** What was staged goes back where nothing else moved: the same last commit all the way, and the entry as the steps left it. */
function planIndex(now: OpenCheckpoint, steps: readonly WorkStep[]): Pick<UndoPlan, "index" | "hasCommits"> {
  const moments = [now, ...steps.flatMap(({ from, to }) => [from, to])];
  const heads = new Set(moments.map(({ staged }) => staged?.head));
  const hasCommits = steps.some(({ from, to }) => from.staged?.head !== to.staged?.head);
  if (heads.size !== 1 || moments.some(({ staged }) => !staged?.entries)) return { index: [], hasCommits };
  const paths = new Set(moments.flatMap(({ staged }) => [...(staged?.entries?.keys() ?? [])]));
  const index: IndexStep[] = [];
  for (const path of paths) {
    const current = now.staged?.entries?.get(path);
    let entry = current;
    for (const { from, to } of steps) {
      const [before, after] = [from.staged?.entries?.get(path), to.staged?.entries?.get(path)];
      if (isSame(entry, after)) entry = before;
    }
    const isLink = [entry, current].some((each) => each?.mode === GITLINK);
    if (!isSame(entry, current) && !isLink)
      index.push({ path, ...(current && { from: current }), ...(entry && { to: entry }) });
  }
  return { index, hasCommits };
}
