import { existsSync, lstatSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { errorCode } from "../../machine/index.ts";
import type { RoomPlan } from "../judge/compose-room.ts";
import { asText, type Snapshot, type Snapshots } from "../snapshot/index.ts";
import type { Git } from "../workspace/git.ts";
import { type Listing, listFolder } from "./folder-listing.ts";
import { type KeptRooms, removeRoom } from "./kept-rooms.ts";
import { type Refreshed, refreshRoom } from "./refresh-room.ts";
import type { RoomPlaces } from "./room-env.ts";
import { makeRoomFolder, removeAbandoned } from "./room-folders.ts";
import { copyRepository, type RepositoryLook } from "./room-repository.ts";
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

export interface RoomMaker {
  readonly snapshots: Snapshots;
  readonly git: Git;
  /** Where rooms are made. */
  readonly scratch: string;
  /** Without it every room is made anew. */
  readonly kept?: KeptRooms;
}

/** A room of so many files is made quickly, and a new one needs no proof that nothing happened in it. */
const WORTH_KEEPING = 2_000;

/** Undefined: it could not be made. */
export async function makeRoom(
  maker: RoomMaker,
  cwd: string,
  plan: RoomPlan,
  after: Snapshot,
  repository: RepositoryLook,
): Promise<Room | undefined> {
  repository.catch(() => {}); // told where it is awaited: files are laid out meanwhile
  const laid = (await layOutAgain(maker, cwd, plan, after)) ?? (await layOutNew(maker, cwd, plan, after));
  if (!laid) return undefined;
  const { folder, work, tree } = laid;
  try {
    const seal = sealed(plan.sealed, plan.entries, work);
    if (seal === undefined) {
      removeRoom(folder);
      return undefined;
    }
    for (const path of after.empty) await mkdir(join(work, asText(path)), { recursive: true });
    const linked = after.large.filter(({ path }) => !plan.unlinked.includes(asText(path)));
    const large = linked.map(({ path }) => ({
      from: join(after.root, asText(path)),
      at: join(folder, "large", asText(path)),
    }));
    for (const place of large) await link(place.from, place.at, join(work, relative(join(folder, "large"), place.at)));
    const path = join(work, asText(after.prefix));
    await mkdir(path, { recursive: true });
    const listing = maker.kept && plan.entries.size >= WORTH_KEEPING ? await laid.listing() : undefined;
    await copyRepository(maker.git, await repository, work, { entries: plan.entries, ignored: after.ignored });
    const places = {
      root: after.root,
      work,
      home: join(folder, "home"),
      temp: join(folder, "tmp"),
      bin: join(folder, "bin"),
      large,
    };
    const dispose = () => {
      if (!listing) removeRoom(folder);
      else
        maker.kept?.put(after.root, {
          folder,
          work,
          entries: plan.entries,
          tree,
          besides: besides(after, plan),
          listing,
        });
    };
    return { path, places, tree, seal, dispose };
  } catch (error) {
    removeRoom(folder);
    throw error;
  }
}

interface LaidOut {
  readonly folder: string;
  readonly work: string;
  readonly tree: string;
  listing(): Promise<Listing> | Listing;
}

async function layOutNew(
  { snapshots, scratch }: RoomMaker,
  cwd: string,
  plan: RoomPlan,
  after: Snapshot,
): Promise<LaidOut | undefined> {
  removeAbandoned(scratch);
  const folder = makeRoomFolder(scratch);
  const work = join(folder, basename(after.root) || "project");
  let tree: string | undefined;
  try {
    tree = await snapshots.layOut(cwd, plan.entries, work);
  } finally {
    if (tree === undefined) removeRoom(folder);
  }
  return tree === undefined ? undefined : { folder, work, tree, listing: () => listFolder(work) };
}

/** Where the last check left one that can be put right. */
async function layOutAgain(
  { snapshots, kept }: RoomMaker,
  cwd: string,
  plan: RoomPlan,
  after: Snapshot,
): Promise<LaidOut | undefined> {
  const room = kept?.take(after.root);
  if (!room) return undefined;
  const { folder, work } = room;
  let laid: Refreshed | undefined;
  try {
    const isFit = room.besides === besides(after, plan) && plan.entries.size >= WORTH_KEEPING;
    laid = isFit ? await refreshRoom(snapshots, cwd, room, plan.entries) : undefined;
    for (const name of laid ? ["home", "tmp", "bin", "large", join(basename(work), ".git")] : [])
      await rm(join(folder, name), { recursive: true, force: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    laid = undefined; // a check may leave what cannot be removed
  }
  if (!laid) removeRoom(folder);
  return laid && { folder, work, tree: laid.tree, listing: laid.listing };
}

/** What stands in a room and is no entry. */
const besides = ({ empty, large, prefix }: Snapshot, { unlinked }: RoomPlan): string =>
  JSON.stringify([empty, large.map(({ path }) => path), prefix, unlinked]);

/**
 * Too large to copy: a check that writes there writes into the project's own. The way leads over a place of the room, where a confined
 * check finds the same folder, because the room then stands at the project's path itself.
 */
async function link(from: string, over: string, to: string): Promise<void> {
  const there = lstatSync(to, { throwIfNoEntry: false });
  if (!existsSync(from) || (there && !there.isSymbolicLink())) return;
  await mkdir(dirname(over), { recursive: true });
  await symlink(from, over);
  if (there) return;
  await mkdir(dirname(to), { recursive: true });
  await symlink(over, to);
}
