import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Checkpoint } from "../core/run/index.ts";
import { attempt, hashOf, holdsFolder } from "../machine/index.ts";
import { measureChange } from "./measure-change.ts";
import { blobName, type OpenCheckpoint, treeOf } from "./open-checkpoint.ts";
import type { Parts } from "./ports.ts";
import { recordCommit } from "./record-commit.ts";
import { keepStaged, stagedAsJson } from "./user-index.ts";

export interface CheckpointRequest {
  readonly cwd: string;
  readonly run: string;
  readonly id: string;
  /** The tree of the checkpoint before it. */
  readonly after?: string;
}

export type TakenCheckpoint =
  | { readonly status: "taken"; readonly checkpoint: Checkpoint; readonly opened: OpenCheckpoint }
  /** `lasting`: it will be no different the next time. */
  | { readonly status: "none"; readonly why: string; readonly lasting: boolean };

/** Records the files as they are. What it returns is kept under a ref: the log may name it. */
export async function takeCheckpoint(parts: Parts, request: CheckpointRequest): Promise<TakenCheckpoint> {
  if (!existsSync(request.cwd)) return { status: "none", why: `${request.cwd} does not exist`, lasting: false };
  if (holdsFolder(request.cwd, parts.home)) return { status: "none", why: HOME_IS_NO_PROJECT, lasting: true };
  try {
    return await record(parts, request);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const says = Object.hasOwn(SAYS, code) ? SAYS[code as keyof typeof SAYS] : code;
    return { status: "none", why: path === undefined ? says : `${says}: ${path}`, lasting: false };
  }
}

/** Everything you own would be copied, keys included. */
const HOME_IS_NO_PROJECT = "your home folder is no project; start the agent in the folder of one";

const SAYS = {
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EACCES: "tildone may not write there",
  EPERM: "tildone may not write there",
  EROFS: "tildone's folder is read-only",
} as const;

async function record(parts: Parts, request: CheckpointRequest): Promise<TakenCheckpoint> {
  const { cwd, run, id, after } = request;
  const began = parts.now();
  const [taken, staged, store] = await Promise.all([
    parts.snapshots.take(cwd, { loose: true, marks: false }),
    parts.readStaged(cwd),
    parts.store(cwd),
  ]);
  if (taken.status === "none") return { status: "none", why: taken.why, lasting: LASTING.test(taken.why) };
  if (!store) return { status: "none", why: "git is not available", lasting: true };
  const { snapshot } = taken;
  const excludes = excludesOf(store.place);
  const kept = await keepStaged(parts, cwd, staged);
  const facts = JSON.stringify({ v: 1, at: began, excludes, ...(staged && stagedAsJson(staged)) });
  const tree = treeOf(snapshot.name);
  if (!recordCommit(store, { run, id, tree, facts, staged: kept, now: began }))
    return { status: "none", why: "the checkpoint could not be written (is the disk full?)", lasting: false };
  const changed = await measureChange(parts, cwd, after && treeOf(after), tree);
  const name = blobName(Buffer.from(facts, "latin1"));
  return {
    status: "taken",
    checkpoint: { id, tree: snapshot.name, facts: name, changed, ms: Math.max(0, parts.now() - began) },
    opened: { id, at: began, files: snapshot, excludes, staged },
  };
}

const LASTING = /^git is not available|^the project (?:has more|is larger) than/;

/** Rules of yours that lie outside the project; the store has a copy. */
function excludesOf(place: string): string {
  const rules = attempt(() => readFileSync(join(place, "info/exclude")));
  return hashOf("sha1", rules ?? Buffer.alloc(0)).toString("hex", 0, 8);
}
