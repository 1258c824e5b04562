import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../machine/index.ts";
import type { RoomPlan } from "../judge/compose-room.ts";
import { createSnapshots, type Snapshot, type Snapshots } from "../snapshot/index.ts";
import { createGit } from "../workspace/git.ts";
import { keepRooms } from "./kept-rooms.ts";
import { makeRoom, type RoomMaker } from "./make-room.ts";
import { lookAtRepository } from "./room-repository.ts";

let home: string;
let root: string;
let snapshots: Snapshots;
let maker: RoomMaker;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "make-room-")));
  root = join(home, "project");
  for (const folder of [root, join(home, "scratch")]) mkdirSync(folder);
  git("init", "-q");
  const ask = createGit({ clock: systemClock(), env: env(), timeoutMs: 240_000 });
  snapshots = createSnapshots({ git: ask, directory: join(home, "state") });
  maker = { snapshots, git: ask, scratch: join(home, "scratch"), kept: keepRooms() };
});
afterEach(() => rmSync(home, { recursive: true, force: true }), 120_000);

const env = () => ({ PATH: process.env.PATH, HOME: home });
const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, env: env() });

async function taken(): Promise<Snapshot> {
  const result = await snapshots.take(root);
  if (result.status !== "taken") throw new Error(result.why);
  return result.snapshot;
}

async function opened() {
  const after = await taken();
  const room = await makeRoom(
    maker,
    root,
    { entries: after.project, sealed: [] as readonly string[] } as RoomPlan,
    after,
    lookAtRepository(maker.git, root, HISTORY),
  );
  if (!room) throw new Error("no room could be made");
  return { ...room, after };
}

const HISTORY = { begun: undefined, as: "begun" } as const;

const rooms = () => readdirSync(join(home, "scratch"));

test("a large room is used again, with the work as it is now and nothing of the last check", async () => {
  for (let file = 0; file < 2_000; file++) writeFileSync(join(root, `file${file}`), `${file}\n`);
  writeFileSync(join(root, ".gitignore"), "empty\n");
  mkdirSync(join(root, "empty"));
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all");
  const first = await opened();
  writeFileSync(join(first.path, "file7"), "?\n");
  writeFileSync(join(first.path, "written"), "by the check\n");
  writeFileSync(join(first.path, "empty/written"), "by the check\n");
  rmSync(join(first.path, "file8"));
  writeFileSync(join(first.path, ".git/config"), "[core]\n\thooksPath = /tmp\n");
  for (const folder of [first.places.home, first.places.temp, first.places.bin]) {
    mkdirSync(folder);
    writeFileSync(join(folder, "left"), "");
  }
  first.dispose();
  writeFileSync(join(root, "file9"), "changed\n");
  rmSync(join(root, "file10"));
  const second = await opened();
  expect(second.path).toBe(first.path);
  const contents = () =>
    Object.fromEntries(files(second.path).map((name) => [name, readFileSync(join(second.path, name), "utf8")]));
  expect(contents()).toEqual(
    Object.fromEntries(files(root).map((name) => [name, readFileSync(join(root, name), "utf8")])),
  );
  expect(readdirSync(join(second.path, "empty"))).toEqual([]);
  expect(readFileSync(join(second.path, ".git/config"), "utf8")).not.toContain("hooksPath");
  const { home: at, temp, bin } = second.places;
  expect([at, temp, bin].filter((folder) => existsSync(folder))).toEqual([]);
  second.dispose();
  const third = await opened();
  expect([third.path, third.tree]).toEqual([first.path, second.tree]);
  const beside = await opened();
  expect(beside.path).not.toBe(third.path);
  third.dispose();
  beside.dispose();
  expect(rooms().length).toBe(1);
}, 240_000);

const files = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

test("a small room is made anew each time, and gone afterwards", async () => {
  writeFileSync(join(root, "a"), "1\n");
  const [first, second] = [await opened(), await opened()];
  expect(second.path).not.toBe(first.path);
  first.dispose();
  second.dispose();
  expect(rooms()).toEqual([]);
});
