import { existsSync, rmSync } from "node:fs";
import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { RoomPlan } from "../judge/compose-room.ts";
import { asText, type Snapshot, type Snapshots } from "../snapshot/index.ts";
import type { Git } from "../workspace/git.ts";
import type { RoomPlaces } from "./room-env.ts";
import { makeRoomFolder, removeAbandoned } from "./room-folders.ts";

/** A place that the agent never touched, with the work and its judge laid out in it. */
export interface Room {
  /** Where the directory of the run stands in it. */
  readonly path: string;
  readonly places: RoomPlaces;
  /** Names everything that was laid out. */
  readonly tree: string;
  dispose(): void;
}

/** Undefined: it could not be made. */
export async function makeRoom(
  { snapshots, git, scratch }: { readonly snapshots: Snapshots; readonly git: Git; readonly scratch: string },
  cwd: string,
  plan: RoomPlan,
  after: Snapshot,
): Promise<Room | undefined> {
  removeAbandoned(scratch);
  const folder = makeRoomFolder(scratch);
  const dispose = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const work = join(folder, basename(after.root) || "project");
    const tree = await snapshots.layOut(cwd, plan.entries, work);
    if (tree === undefined) {
      dispose();
      return undefined;
    }
    for (const path of after.empty) await mkdir(join(work, asText(path)), { recursive: true });
    const large = after.large.map(({ path }) => ({
      from: join(after.root, asText(path)),
      at: join(folder, "large", asText(path)),
    }));
    for (const place of large) await link(place.from, place.at, join(work, relative(join(folder, "large"), place.at)));
    await copyRepository(git, after.root, work);
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
    return { path, places, tree, dispose };
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

/** Enough of a repository for commands that ask git: history is borrowed, refs and index are copies, settings are none. */
async function copyRepository(git: Git, root: string, work: string): Promise<void> {
  const answer = await git(root, [
    "rev-parse",
    "--show-toplevel",
    "--absolute-git-dir",
    "--path-format=absolute",
    "--git-common-dir",
    "--show-object-format",
  ]);
  if (answer.status !== "ok") return;
  const [top, own = "", common = "", format = "sha1"] = answer.output.toString("utf8").split("\n");
  if (top !== root) return; // the project is a folder without a repository of its own
  const place = join(work, ".git");
  await mkdir(join(place, "objects/info"), { recursive: true });
  await writeFile(join(place, "objects/info/alternates"), `${join(common, "objects")}\n`);
  const extension = format === "sha256" ? "[extensions]\n\tobjectFormat = sha256\n" : "";
  const version = format === "sha256" ? 1 : 0;
  await writeFile(
    join(place, "config"),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n${extension}`,
  );
  for (const [from, name] of [
    [own, "HEAD"],
    [own, "index"],
    [common, "packed-refs"],
    [common, "refs"],
    [common, "shallow"],
    [common, "info/exclude"],
  ] as const)
    if (existsSync(join(from, name))) await cp(join(from, name), join(place, name), { recursive: true });
  // Replaced objects would be shown for what was committed.
  await rm(join(place, "refs/replace"), { recursive: true, force: true });
}
