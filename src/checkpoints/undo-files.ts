import { realpathSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { Checkpoint } from "../core/run/index.ts";
import { attempt } from "../machine/index.ts";
import { applyChanges, stage } from "./apply-changes.ts";
import { changedPaths } from "./file-states.ts";
import {
  isOwnerAlive,
  type Journal,
  journalOf,
  readJournal,
  removeStrayStaging,
  stagingIn,
  thisProcess,
  writeJournal,
} from "./journal.ts";
import { openCheckpoint } from "./open-checkpoint.ts";
import { planUndo, type UndoPlan, type WorkStep } from "./plan-undo.ts";
import type { Parts } from "./ports.ts";
import { takeCheckpoint } from "./take-checkpoint.ts";
import { restoreStaged } from "./user-index.ts";

export interface UndoRequest {
  readonly cwd: string;
  readonly run: string;
  /** What the checkpoints before and after it are called. */
  readonly ids: readonly [before: string, after: string];
  readonly last?: string;
  /** The newest first. */
  readonly steps: readonly { readonly from: Checkpoint; readonly to: Checkpoint | "now"; readonly unclear?: boolean }[];
  /** Of an undo that is taken back: what that undid. It brought files back, or removed some, that came to be ignored since. */
  readonly undone?: readonly { readonly before: Checkpoint; readonly after: Checkpoint }[];
  readonly force: boolean;
}

export type PreparedUndo =
  | {
      readonly status: "ready";
      readonly plan: UndoPlan;
      readonly before: Checkpoint;
      readonly request: UndoRequest;
      readonly root: string;
      readonly since: number;
    }
  | { readonly status: "refused"; readonly why: string };

/** What the run is told. */
export interface Teller {
  /** A process that died may have told it already. */
  isTold(then: unknown): boolean;
  tell(then: unknown, after: Checkpoint, isStagedBack: boolean): void;
}

/** Records the files as they are now and plans what has to change. Nothing of the project is touched. */
export async function prepareUndo(parts: Parts, request: UndoRequest): Promise<PreparedUndo> {
  const { cwd, run, ids, last } = request;
  const taken = await takeCheckpoint(parts, { cwd, run, id: ids[0], ...(last !== undefined && { after: last }) });
  if (taken.status === "none") return { status: "refused", why: `The files cannot be recorded: ${taken.why}.` };
  const steps: WorkStep[] = [];
  for (const { from, to, unclear } of request.steps) {
    const [older, newer] = [
      await openCheckpoint(parts, cwd, from),
      to === "now" ? taken.opened : await openCheckpoint(parts, cwd, to),
    ];
    if (!older || !newer) {
      const gone = older ? (to as Checkpoint).id : from.id;
      return { status: "refused", why: `Checkpoint ${gone} is no longer kept.` };
    }
    steps.push({ from: older, to: newer, ...(unclear && { unclear }) });
  }
  const also = await pathsOf(parts, request);
  const plan = await planUndo(parts, { cwd, now: taken.opened, steps, also, force: request.force });
  const since = Math.min(...steps.map(({ from }) => from.at));
  return { status: "ready", plan, before: taken.checkpoint, request, root: taken.opened.files.root, since };
}

/** A checkpoint that is no longer kept names none: what is not ignored is found without it. */
async function pathsOf(parts: Parts, { cwd, undone = [] }: UndoRequest): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const { before, after } of undone) {
    const [from, to] = [await openCheckpoint(parts, cwd, before), await openCheckpoint(parts, cwd, after)];
    if (from && to) for (const path of changedPaths(from.files, to.files)) paths.add(path);
  }
  return [...paths];
}

export type Undone =
  | { readonly status: "undone"; readonly after: Checkpoint; readonly isStagedBack: boolean }
  | { readonly status: "failed"; readonly why: string };

/** Changes the files as planned, all or none, and tells the run. */
export async function carryOutUndo(
  parts: Parts,
  { plan, before, request, root, since }: PreparedUndo & { status: "ready" },
  then: unknown,
  teller: Teller,
): Promise<Undone> {
  const staging = stagingIn(root);
  const file = journalOf(parts.directory, root);
  const { cwd, run, ids } = request;
  const journal: Journal = {
    v: 1,
    ...{ root, cwd, staging, since, then },
    changes: plan.changes,
    index: plan.index,
    after: { run, id: ids[1], tree: before.tree },
    owner: thisProcess(),
  };
  try {
    if (!(await stage(parts, cwd, staging, plan.changes)))
      return failed("the old files cannot be written (is the disk full?)");
    if (!writeJournal(file, journal)) return failed("another undo is running here");
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
  return finish(parts, journal, file, teller, "fresh");

  function failed(why: string): Undone {
    rmSync(staging, { recursive: true, force: true });
    return { status: "failed", why };
  }
}

/** `busy`: a living process is at it. */
export type Recovered = "nothing" | "busy" | "finished";

/** Finishes what a process left that died over it. */
export async function recoverUndo(parts: Parts, cwd: string, teller: Teller): Promise<Recovered> {
  const root = (await parts.store(cwd))?.root;
  if (root === undefined) return "nothing";
  const file = journalOf(parts.directory, root);
  const journal = readJournal(file);
  removeStrayStaging(root, journal?.staging);
  if (!journal) return "nothing";
  if (isOwnerAlive(journal)) return "busy";
  if (teller.isTold(journal.then)) clearAway(journal, file);
  else await finish(parts, journal, file, teller, "resumed");
  return "finished";
}

async function finish(
  parts: Parts,
  journal: Journal,
  file: string,
  teller: Teller,
  how: "fresh" | "resumed",
): Promise<Undone> {
  const { root, cwd, staging, changes, index, after, since } = journal;
  const applied = await applyChanges({ root, own: ownFolder(root, cwd), staging }, changes, since, how);
  if (applied.status === "failed") {
    clearAway(journal, file);
    return applied;
  }
  const isStagedBack = await restoreStaged(parts, cwd, index);
  const taken = await takeCheckpoint(parts, { cwd, run: after.run, id: after.id, after: after.tree });
  if (taken.status === "none")
    return { status: "failed", why: `${taken.why}. The next tildone command tries to record it again` };
  teller.tell(journal.then, taken.checkpoint, isStagedBack);
  clearAway(journal, file);
  return { status: "undone", after: taken.checkpoint, isStagedBack };
}

/** In bytes, as all paths of changes. A folder that is gone is named as it was. */
const ownFolder = (root: string, cwd: string): string =>
  Buffer.from(relative(root, attempt(() => realpathSync(cwd)) ?? cwd)).toString("latin1");

function clearAway({ staging }: Journal, file: string): void {
  rmSync(file, { force: true });
  rmSync(join(staging), { recursive: true, force: true });
}
