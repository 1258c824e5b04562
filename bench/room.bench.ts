import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { composeRoom } from "../src/checks/judge/compose-room.ts";
import { keepRooms, lookAhead } from "../src/checks/room/kept-rooms.ts";
import { makeRoom, type RoomMaker } from "../src/checks/room/make-room.ts";
import { looksAtRepository } from "../src/checks/room/room-repository.ts";
import { lookAround } from "../src/checks/room/surroundings.ts";
import { createSnapshots, type Snapshot } from "../src/checks/snapshot/index.ts";
import { createGit } from "../src/checks/workspace/git.ts";
import { ROWS } from "../src/config/settings.ts";
import { clock, makeBigRepository, ran } from "./big-repository.ts";
import type { Bench, Row } from "./harness.ts";

const GIT_MS = 10 * 60_000;

/** A snapshot and a clean room of a large repository, beside what git itself takes for the same. */
export default async function ({ folder, defer }: Bench): Promise<readonly Row[]> {
  const root = join(folder, "repository");
  const { timed, status } = makeBigRepository(root);
  const [scratch, worktree] = [join(folder, "rooms"), join(folder, "worktree")];
  mkdirSync(scratch);
  const git = createGit({ clock, env: process.env, timeoutMs: GIT_MS });
  const note = (top: string) => lookAround(process.env, top, crypto.randomUUID());
  const snapshots = createSnapshots({ git, directory: join(folder, "state"), note });
  const anew: RoomMaker = { snapshots, git, scratch };
  const again: RoomMaker = { ...anew, kept: keepRooms() };

  const take = async (): Promise<Snapshot> => {
    const taken = await snapshots.take(root);
    if (taken.status !== "taken") throw new Error(taken.why);
    return taken.snapshot;
  };
  const before = await take();
  const contents = {
    read: (entry: Parameters<typeof snapshots.read>[1]) => snapshots.read(root, entry),
    write: (content: Buffer) => snapshots.write(root, content),
  };
  /** As for a verdict: what judges from before, the work as it is. */
  const open = async (maker: RoomMaker, after: Snapshot, looks = looksAtRepository(git, root, undefined)) => {
    const check = { run: "npm test", by: "human" } as const;
    const protect = ROWS.get("checks.protect")!.default as readonly string[];
    const plan = await composeRoom({ before, after, check, protect, declared: [], judge: "old" }, contents);
    const room = plan && (await makeRoom(maker, root, plan, after, looks("begun")));
    if (!room) throw new Error("no room could be made");
    return room;
  };
  (await open(again, before)).dispose();
  defer(() => rmSync(scratch, { recursive: true, force: true }));

  return [
    {
      name: "snapshot, 50,000 files, 10 changed",
      run: timed(take),
      floor: status,
      target: { atMost: 1.5 },
      repeat: 7,
    },
    {
      name: "snapshot and room used again",
      run: timed(async () => {
        // As a round of checks does it: the two walks begin, and all else that needs no snapshot happens meanwhile.
        const looks = looksAtRepository(git, root, undefined);
        const kept = lookAhead(again.kept!, root);
        const taking = take();
        void looks("begun");
        (await open({ ...again, kept }, await taking, looks)).dispose();
      }),
      floor: status,
      target: { atMost: 2 },
      repeat: 7,
    },
    {
      name: "new room, beside git worktree add",
      run: async () => {
        const after = await take();
        const begun = performance.now();
        const room = await open(anew, after);
        const ms = performance.now() - begun;
        room.dispose();
        return ms;
      },
      floor: async () => {
        const begun = performance.now();
        await ran("git", ["worktree", "add", "-q", "--detach", worktree], root);
        const ms = performance.now() - begun;
        await ran("git", ["worktree", "remove", "--force", worktree], root);
        return ms;
      },
      target: { atMost: 1.5 },
      repeat: 3,
    },
  ];
}
