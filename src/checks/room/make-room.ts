import { existsSync, rmSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { RoomPlan } from "../judge/compose-room.ts";
import { asText, type Snapshot, type Snapshots } from "../snapshot/index.ts";
import type { Git } from "../workspace/git.ts";
import type { RoomPlaces } from "./room-env.ts";
import { makeRoomFolder, removeAbandoned } from "./room-folders.ts";
import { copyRepository, type RoomHistory } from "./room-repository.ts";
import { type Seal, sealed } from "./seal.ts";

/** A place that the agent never touched, with the work and its judge laid out in it. */
export interface Room {
  /** Where the directory of the run stands in it. */
  readonly path: string;
  readonly places: RoomPlaces;
  /** Names everything that was laid out. */
  readonly tree: string;
  readonly seal: Seal;
  dispose(): void;
}

/** Undefined: it could not be made. */
export async function makeRoom(
  { snapshots, git, scratch }: { readonly snapshots: Snapshots; readonly git: Git; readonly scratch: string },
  cwd: string,
  plan: RoomPlan,
  after: Snapshot,
  history: RoomHistory,
): Promise<Room | undefined> {
  removeAbandoned(scratch);
  const folder = makeRoomFolder(scratch);
  const dispose = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const work = join(folder, basename(after.root) || "project");
    const tree = await snapshots.layOut(cwd, plan.entries, work);
    const seal = tree === undefined ? undefined : sealed(plan.sealed, plan.entries, work);
    if (tree === undefined || seal === undefined) {
      dispose();
      return undefined;
    }
    for (const path of after.empty) await mkdir(join(work, asText(path)), { recursive: true });
    const large = after.large.map(({ path }) => ({
      from: join(after.root, asText(path)),
      at: join(folder, "large", asText(path)),
    }));
    for (const place of large) await link(place.from, place.at, join(work, relative(join(folder, "large"), place.at)));
    const tracked = new Map([...plan.entries].filter(([path]) => !after.ignored.has(path)));
    await copyRepository(git, after.root, work, tracked, history);
    const path = join(work, asText(after.prefix));
    await mkdir(path, { recursive: true });
    const places = {
      root: after.root,
      work,
      home: join(folder, "home"),
      temp: join(folder, "tmp"),
      bin: join(folder, "bin"),
      large,
    };
    return { path, places, tree, seal, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/**
 * Too large to copy: a check that writes there writes into the project's own. The way leads over a place of the room, where a confined
 * check finds the same folder, because the room then stands at the project's path itself.
 */
async function link(from: string, over: string, to: string): Promise<void> {
  if (existsSync(to) || !existsSync(from)) return;
  for (const [path, target] of [
    [over, from],
    [to, over],
  ] as const) {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  }
}
