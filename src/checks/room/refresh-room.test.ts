import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { systemClock } from "../../machine/index.ts";
import { createSnapshots, type Entries, type Snapshots } from "../snapshot/index.ts";
import { createGit } from "../workspace/git.ts";
import { lineOf, listAgain, listFolder } from "./folder-listing.ts";
import { refreshRoom } from "./refresh-room.ts";

let home: string;
let root: string;
let snapshots: Snapshots;
let all: Entries;
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "refresh-")));
  root = join(home, "project");
  for (const path of FILES) put(root, path, `${path}\n`);
  symlinkSync("a", join(root, "to-a"));
  chmodSync(join(root, "b"), 0o755);
  const env = { PATH: process.env.PATH, HOME: home };
  const git = createGit({ clock: systemClock(), env, timeoutMs: 60_000 });
  snapshots = createSnapshots({ git, directory: join(home, "state") });
  const taken = await snapshots.take(root);
  if (taken.status !== "taken") throw new Error(taken.why);
  all = taken.snapshot.project;
});
afterEach(() => rmSync(home, { recursive: true, force: true }), 120_000);

const FILES = ["a", "b", "dir/c", "dir/d", "dir/inner/e", "other/f", "ä b"];
const WITH_LINK = [...FILES, "to-a"];
const PLACES = [...FILES, "to-a", "dir", "dir/inner", "new", "dir/new/g"];

function put(folder: string, path: string, content: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
}

async function room(entries: Entries) {
  const work = mkdtempSync(join(home, "room-"));
  const tree = (await snapshots.layOut(root, entries, work)) ?? "";
  expect(tree).toMatch(/^[0-9a-f]{40}$/);
  return { folder: work, work, entries, tree, besides: "", listing: await listFolder(work) };
}

/** Everything with its kind, all its mode bits and its bytes; folders, too. */
function contentsOf(at: string, inner = ""): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(at, inner))) {
    const path = join(inner, name);
    const stat = lstatSync(join(at, path));
    const mode = stat.mode.toString(8);
    if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(join(at, path))}`;
    else if (stat.isDirectory()) Object.assign(found, { [path]: mode }, contentsOf(at, path));
    else found[path] = `${mode} ${readFileSync(join(at, path), "utf8")}`;
  }
  return found;
}

const ACTS: Readonly<Record<string, (at: string, to: string, work: string) => void>> = {
  write: (at) => put(at, "", "x"),
  forge: (at) => {
    const { size, mtime, atime } = lstatSync(at);
    writeFileSync(at, "y".repeat(size));
    utimesSync(at, atime, mtime);
  },
  remove: (at) => rmSync(at, { recursive: true }),
  rename: (at, to) => renameSync(at, to),
  mode: (at) => chmodSync(at, 0o600),
  makeFolder: (at) => mkdirSync(at, { recursive: true }),
  link: (at, to) => linkSync(at, to),
  leadOut: (at, _to, work) => {
    rmSync(at, { recursive: true, force: true });
    symlinkSync(join(work, "../outside"), at);
  },
};
const act = fc.record({
  type: fc.constantFrom(...Object.keys(ACTS)),
  on: fc.constantFrom(...PLACES),
  to: fc.constantFrom(...PLACES),
});

test("whatever a check does in its room, the next one finds it as if it were new", async () => {
  let refreshed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 5 }),
      fc.oneof(fc.constant(WITH_LINK), fc.subarray(WITH_LINK)),
      async (acts, paths) => {
        const kept = await room(all);
        const { work } = kept;
        for (const { type, on, to } of acts)
          try {
            ACTS[type]!(join(work, on), join(work, to), work);
          } catch (error) {
            if (!(error instanceof Error && "code" in error)) throw error; // it is gone, or something is in the way
          }
        // A check that leads out may have removed or replaced it itself.
        rmSync(join(home, "outside"), { recursive: true, force: true });
        put(home, "outside/c", "not ours\n");
        const entries: Entries = new Map(paths.map((path) => [key(path), all.get(key(path))!]));
        const answer = await refreshRoom(snapshots, root, kept, entries);
        expect(readFileSync(join(home, "outside/c"), "utf8")).toBe("not ours\n");
        if (!answer) return;
        refreshed++;
        const fresh = await room(entries);
        expect([answer.tree, contentsOf(work)]).toEqual([fresh.tree, contentsOf(fresh.work)]);
        expect((await listAgain(work, answer.listing())).changed).toEqual(NONE);
      },
    ),
    { numRuns: 100 },
  );
  expect(refreshed).toBeGreaterThan(5);
}, 240_000);

const NONE = { before: new Map(), after: new Map() };

const key = (path: string): string => Buffer.from(path).toString("latin1");

test("a folder is listed the same by find and by us", async () => {
  const { work } = await room(all);
  mkdirSync(join(work, ".git"));
  const listing = await listFolder(work);
  expect(listing.rows).toHaveLength(FILES.length + 4);
  const paths = listing.rows.map((row) => row.slice(row.indexOf("\t") + 1));
  expect(paths.map((path) => `${lineOf(work, path)}\t${path}`)).toEqual(listing.rows);
});

test("listings are compared by path, in whatever order the disk names it", async () => {
  const { work, listing } = await room(all);
  expect((await listAgain(work, { rows: listing.rows.toReversed(), since: new Map() })).changed).toEqual(NONE);
  put(work, "a", "other\n");
  rmSync(join(work, "dir/d"));
  put(work, "new", "");
  const { before, after } = (await listAgain(work, listing)).changed;
  expect([[...before.keys()].sort(), [...after.keys()].sort()]).toEqual([
    ["a", "dir", "dir/d"],
    ["a", "dir", "new"],
  ]);
  const since = new Map([
    ["a", lineOf(work, "a")],
    ["dir", lineOf(work, "dir")],
    ["dir/d", undefined],
    ["new", lineOf(work, "new")],
  ]);
  expect((await listAgain(work, { ...listing, since })).changed).toEqual(NONE);
});

test("a folder that was looked at again and lies there as before is no difference", async () => {
  const { work, listing } = await room(all);
  const since = new Map([["dir", lineOf(work, "dir")]]);
  expect((await listAgain(work, { ...listing, since })).changed).toEqual(NONE);
});

test("a room is used a third time whole, where only a file deep inside was changed", async () => {
  const kept = await room(all);
  put(kept.work, "dir/inner/e", "x");
  const listing = (await refreshRoom(snapshots, root, kept, all))!.listing();
  put(kept.work, "dir/inner/e", "y");
  await refreshRoom(snapshots, root, { ...kept, listing }, all);
  expect(contentsOf(kept.work)).toEqual(contentsOf((await room(all)).work));
});

test("content that was planted in the store does not come into a room that is used again", async () => {
  const kept = await room(all);
  const planted: Entries = new Map([...all, ["a", { mode: "100644", oid: "1".repeat(40) }]]);
  expect(await refreshRoom(snapshots, root, kept, planted)).toBeUndefined();
  expect(existsSync(join(kept.work, "a"))).toBe(false);
});
