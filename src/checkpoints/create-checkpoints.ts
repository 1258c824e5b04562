import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createGit, createSnapshots, openPrivateStore, type PrivateStore } from "../checks/index.ts";
import type { Checkpoint } from "../core/run/index.ts";
import type { Clock } from "../engine/index.ts";
import { showChange } from "./measure-change.ts";
import { notOfHome } from "./not-of-home.ts";
import { treeOf } from "./open-checkpoint.ts";
import type { Parts } from "./ports.ts";
import { refsOf } from "./record-commit.ts";
import { askedOnce, sharingAnswers } from "./sharing-answers.ts";
import { type CheckpointRequest, type TakenCheckpoint, takeCheckpoint } from "./take-checkpoint.ts";
import {
  carryOutUndo,
  type PreparedUndo,
  prepareUndo,
  type Recovered,
  recoverUndo,
  type Teller,
  type Undone,
  type UndoRequest,
} from "./undo-files.ts";
import { createStagedReader } from "./user-index.ts";

/** The checkpoints of runs, kept in git objects beside the project. */
export interface CheckpointStore {
  take(request: CheckpointRequest): Promise<TakenCheckpoint>;
  /** What changed between two of them, as git prints it; undefined: one of them is no longer kept. */
  diff(cwd: string, from: Checkpoint, to: Checkpoint, form: readonly string[]): Promise<string | undefined>;
  prepare(request: UndoRequest): Promise<PreparedUndo>;
  carryOut(prepared: PreparedUndo & { status: "ready" }, then: unknown, teller: Teller): Promise<Undone>;
  recover(cwd: string, teller: Teller): Promise<Recovered>;
  /** The ids that are still kept of a run, the newest first. */
  kept(cwd: string, run: string): Promise<readonly string[]>;
  /** Lets go of all but the newest. */
  keepNewest(cwd: string, run: string, count: number): Promise<void>;
  /** Bytes of the store that holds them, with the snapshots that judge. */
  size(cwd: string): Promise<number>;
}

export interface CheckpointPorts {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where snapshots are kept. */
  readonly directory: string;
}

const GIT_MS = 5 * 60_000;

export function createCheckpoints({ clock, env, directory }: CheckpointPorts): CheckpointStore {
  const git = sharingAnswers(createGit({ clock, env, timeoutMs: GIT_MS }));
  const home = env.HOME ?? homedir();
  const findProject = notOfHome(home);
  const openStore = askedOnce((cwd: string) => openPrivateStore(git, cwd, directory, findProject));
  const stores = new Map<string, PrivateStore>();
  const snapshots = createSnapshots({ git, directory, openStore });
  const readStaged = createStagedReader(git, findProject, clock.now);
  const parts: Parts = { git, snapshots, readStaged, store, directory, home, now: clock.now };
  return {
    take: (request) => takeCheckpoint(parts, request),
    diff,
    prepare: (request) => prepareUndo(parts, request),
    carryOut: (prepared, then, teller) => carryOutUndo(parts, prepared, then, teller),
    recover: (cwd, teller) => recoverUndo(parts, cwd, teller),
    kept: async (cwd, run) => (await refs(cwd, run)).map((ref) => ref.slice(refsOf(run).length).replace(/-[^-]*$/, "")),
    keepNewest,
    size,
  };

  async function store(cwd: string): Promise<PrivateStore | undefined> {
    const known = stores.get(cwd);
    if (known) return known;
    if (!existsSync(cwd)) return undefined;
    const opened = await openStore(cwd);
    if (opened) stores.set(cwd, opened);
    return opened;
  }

  async function diff(cwd: string, from: Checkpoint, to: Checkpoint, form: readonly string[]) {
    return showChange(parts, cwd, form, treeOf(from.tree), treeOf(to.tree));
  }

  async function refs(cwd: string, run: string): Promise<readonly string[]> {
    const form = ["for-each-ref", "--sort=-committerdate", "--format=%(refname)", refsOf(run)];
    const listed = await (await store(cwd))?.git(form);
    return listed?.status === "ok" ? listed.output.toString("latin1").split("\n").filter(Boolean) : [];
  }

  async function keepNewest(cwd: string, run: string, count: number): Promise<void> {
    const gone = (await refs(cwd, run)).slice(count);
    const found = gone.length === 0 ? undefined : await store(cwd);
    if (!found) return;
    await found.git(["update-ref", "--stdin"], { input: gone.map((ref) => `delete ${ref}\n`).join("") });
    await found.git(["prune", "--expire=2.hours.ago"]); // another process may be writing one
    rmSync(join(found.place, "index.ignored"), { force: true }); // it may name what is gone by now
  }

  async function size(cwd: string): Promise<number> {
    const found = await store(cwd);
    return found ? sizeOf(join(found.place, "objects")) : 0;
  }
}

function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
