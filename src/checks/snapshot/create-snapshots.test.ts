import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { systemClock } from "../../machine/index.ts";
import { createGit } from "../workspace/git.ts";
import { createSnapshots, type Snapshot, type Snapshots } from "./index.ts";

let home: string;
let root: string;
let snapshots: Snapshots;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "snapshot-")));
  root = join(home, "project");
  mkdirSync(root);
  snapshots = opened();
});
afterEach(() => rmSync(home, { recursive: true, force: true }), 120_000);

const env = () => ({ PATH: process.env.PATH, HOME: home });
const gitHere = () => createGit({ clock: systemClock(), env: env(), timeoutMs: 60_000 });
const opened = (limits?: { files: number; bytes: number }) =>
  createSnapshots({
    git: gitHere(),
    directory: join(home, "state"),
    ...(limits && { limits }),
  });
const write = (path: string, content: string | Buffer): void => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), content);
};
const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd: root,
    env: env(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

const taken = (): Promise<Snapshot> => seenBy(snapshots);

async function seenBy(store: Snapshots): Promise<Snapshot> {
  const result = await store.take(root);
  if (result.status !== "taken") throw new Error(result.why);
  return result.snapshot;
}

async function laidOut(snapshot: Snapshot): Promise<Readonly<Record<string, string>>> {
  const target = mkdtempSync(join(home, "out-"));
  expect(await snapshots.layOut(root, snapshot.project, target)).toMatch(/^[0-9a-f]{40}$/);
  return contentsOf(target);
}

/** Every file with its kind, its executable bit and its bytes. */
function contentsOf(at: string, inner = ""): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(Buffer.from(join(at, inner), "latin1"), { encoding: "buffer" })) {
    const path = inner === "" ? name.toString("latin1") : `${inner}/${name.toString("latin1")}`;
    if (path === ".git") continue;
    const place = Buffer.from(join(at, path), "latin1");
    const stat = lstatSync(place);
    if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(place)}`;
    else if (stat.isDirectory()) Object.assign(found, contentsOf(at, path));
    else found[path] = `${stat.mode & 0o100 ? "x" : "-"} ${readFileSync(place).toString("base64")}`;
  }
  return found;
}

const NAMES = ["a", "b.txt", "Makefile", "dir", "ä ö", "-x", "a\nb", ":(top)", "c.sh", "weird\\name"];
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const file = fc.record({
  path,
  content: fc.oneof(fc.uint8Array({ maxLength: 64 }), fc.constant(Buffer.from("a\r\nb\r\n$Id$\n"))),
  kind: fc.constantFrom("file", "file", "executable", "link"),
});

describe.each(["a repository", "a directory without git"])("in %s", (place) => {
  beforeEach(() => {
    if (place === "a repository") git("init", "-q");
  });

  test("what is laid out is what was there: bytes, executable bits and links, also after changes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 8 }), fc.array(file, { maxLength: 4 }), async (first, then) => {
        for (const name of readdirSync(root)) if (name !== ".git") rmSync(join(root, name), { recursive: true });
        for (const files of [first, then]) {
          for (const each of files) put(each);
          expect(await laidOut(await taken())).toEqual(contentsOf(root));
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  test("the same files have the same trees, others have others", async () => {
    write("a", "1");
    const [one, two] = [await taken(), await taken()];
    expect(two.name).toBe(one.name);
    write("a", "2");
    expect((await taken()).name).not.toBe(one.name);
    expect((await snapshots.open(root, one.name))?.project).toEqual(one.project);
  });

  test("a change that keeps size and time is seen, also within one second", async () => {
    write("a", "1");
    utimesSync(join(root, "a"), 1_000_000_000, 1_000_000_000);
    const before = await taken();
    write("a", "2");
    utimesSync(join(root, "a"), 1_000_000_000, 1_000_000_000);
    expect((await taken()).project.get("a")).not.toEqual(before.project.get("a"));
  });

  test("whatever happens, a store that knows the project sees what a new one sees", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (history) => {
        for (const name of readdirSync(root)) if (name !== ".git") rmSync(join(root, name), { recursive: true });
        for (const name of PLACES) carryOut({ type: "write", on: name, to: name, content: "0" });
        write(".gitignore", "ignored*\n");
        const known = newStore();
        await seenBy(known);
        for (const acts of history) {
          for (const each of acts) carryOut(each);
          const [warm, cold] = [await seenBy(known), await seenBy(newStore())];
          expect(sorted(warm)).toEqual(sorted(cold));
          // What was the project's once stays so, also where it is ignored later.
          if (!history.flat().some(({ type }) => type === "ignore")) expect(warm.name).toBe(cold.name);
        }
        for (const name of readdirSync(home).filter((each) => each.startsWith("store-")))
          rmSync(join(home, name), { recursive: true, force: true });
      }),
      { numRuns: 10 },
    );
  }, 240_000);

  test("a project without any file is one, and its first file is seen", async () => {
    for (const name of readdirSync(root)) if (name !== ".git") rmSync(join(root, name), { recursive: true });
    const nothing = await taken();
    expect([nothing.project.size, nothing.ignored.size]).toEqual([0, 0]);
    expect((await snapshots.open(root, nothing.name))?.project.size).toBe(0);
    expect(await newStore().open(root, nothing.name)).toBeUndefined();
    expect(await snapshots.layOut(root, nothing.project, join(home, "laid out"))).toBeDefined();
    write("a", "1");
    expect([...(await taken()).project.keys()]).toEqual(["a"]);
    rmSync(join(root, "a"));
    expect((await taken()).name).toBe(nothing.name);
  });

  test("a folder that is too large is said to be", async () => {
    for (const name of ["a", "b", "c"]) write(name, "1234");
    snapshots = opened({ files: 2, bytes: 1000 });
    expect(await snapshots.take(root)).toEqual({ status: "none", why: "the project has more than 2 files" });
    snapshots = opened({ files: 5, bytes: 10 });
    expect((await snapshots.take(root)).status).toBe("none");
  });

  test("what was planted in the store is not believed", async () => {
    write("a", "the judge");
    await snapshots.take(root);
    write("a", "the judge, later");
    const snapshot = await taken();
    const { oid } = snapshot.project.get("a")!;
    const [store] = readdirSync(join(home, "state"));
    const object = join(home, "state", store!, "objects", oid.slice(0, 2), oid.slice(2));
    expect((await snapshots.read(root, snapshot.project.get("a")!))?.toString()).toBe("the judge, later");
    write("b", "forged");
    const forged = (await taken()).project.get("b")!.oid;
    chmodSync(object, 0o644);
    rmSync(object);
    renameSync(join(home, "state", store!, "objects", forged.slice(0, 2), forged.slice(2)), object);
    expect(await snapshots.read(root, snapshot.project.get("a")!)).toBeUndefined();
    expect(await snapshots.layOut(root, snapshot.project, join(home, "room"))).toBeUndefined();
    expect(
      await snapshots.open(
        root,
        snapshot.name.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      ),
    ).toBe(undefined);
  });
});

const PLACES = ["a", "b", "dir/c", "dir/d", "ignored", "ignored.d/e"];
const place = fc.constantFrom(...PLACES);
/** Contents of one size, and times of one second: only the content tells them apart. */
const act = fc.record({
  type: fc.constantFrom(
    "write",
    "write",
    "forge",
    "forge",
    "swap",
    "mode",
    "link",
    "remove",
    "rename",
    "copy",
    "ignore",
    "away",
    "flatten",
    "deepen",
  ),
  on: place,
  to: place,
  content: fc.constantFrom("1", "2", "3"),
});

interface Act {
  readonly type: string;
  readonly on: string;
  readonly to: string;
  readonly content: string;
}

function carryOut({ type, on, to, content }: Act): void {
  const [one, other] = [join(root, on), join(root, to)];
  const forge = () => utimesSync(one, 1_000_000_000, 1_000_000_000);
  const acts: Readonly<Record<string, () => void>> = {
    write: () => write(on, content),
    forge: () => {
      write(on, content);
      forge();
    },
    swap: () => {
      writeFileSync(join(home, "aside"), content);
      renameSync(join(home, "aside"), one);
      forge();
    },
    mode: () => chmodSync(one, statSync(one).mode & 0o100 ? 0o644 : 0o755),
    link: () => {
      rmSync(one, { force: true });
      symlinkSync(content, one);
    },
    remove: () => rmSync(on.includes("/") ? join(one, "..") : one, { recursive: true, force: true }),
    rename: () => renameSync(one, other),
    copy: () => cpSync(one, other, { preserveTimestamps: true, dereference: false, verbatimSymlinks: true }),
    away: () => {
      const [folder, elsewhere] = [join(root, dirname(on)), join(home, "elsewhere")];
      if (!on.includes("/")) return;
      mkdirSync(elsewhere, { recursive: true });
      writeFileSync(join(elsewhere, basename(on)), content);
      rmSync(folder, { recursive: true, force: true });
      symlinkSync(elsewhere, folder);
    },
    flatten: () => {
      if (!on.includes("/")) return;
      rmSync(join(root, dirname(on)), { recursive: true, force: true });
      writeFileSync(join(root, dirname(on)), content);
    },
    deepen: () => {
      rmSync(one, { recursive: true, force: true });
      write(`${on}/inner`, content);
    },
    ignore: () => write(".gitignore", content === "1" ? "" : "ignored*\n"),
  };
  try {
    acts[type]!();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // it is gone, or the other is no file
  }
}

const sorted = ({ project, ignored }: Snapshot) => [...project, ...ignored].sort(([a], [b]) => (a < b ? -1 : 1));

const newStore = () => createSnapshots({ git: gitHere(), directory: mkdtempSync(join(home, "store-")) });

function put({ path: at, content, kind }: { path: string; content: Uint8Array; kind: string }): void {
  try {
    mkdirSync(join(root, at, ".."), { recursive: true });
    if (existsSync(join(root, at)) && statSync(join(root, at)).isDirectory()) return;
    rmSync(join(root, at), { force: true });
    if (kind === "link") symlinkSync(`to/${content.length}`, join(root, at));
    else writeFileSync(join(root, at), content, { mode: kind === "executable" ? 0o755 : 0o644 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // a file stands where a folder would have to be
  }
}

describe("in a repository", () => {
  beforeEach(() => {
    git("init", "-q");
  });

  test("no filter, no attribute and no setting of the project changes a byte", async () => {
    git("config", "core.autocrlf", "true");
    git("config", "filter.evil.clean", `touch ${join(home, "ran")}; echo replaced`);
    write(".gitattributes", "* text eol=crlf filter=evil ident working-tree-encoding=UTF-16\n");
    write("a", "one\r\ntwo\n$Id$\n");
    git("commit", "-q", "--allow-empty", "-m", "first");
    expect((await laidOut(await taken())).a).toBe(contentsOf(root).a);
    expect(existsSync(join(home, "ran"))).toBe(false);
  });

  test("what the user ignores is kept apart, and what is large is only marked", async () => {
    writeFileSync(join(home, "excludes"), "global.txt\n");
    git("config", "core.excludesFile", join(home, "excludes"));
    writeFileSync(join(root, ".git/info/exclude"), "own.txt\n");
    write(".gitignore", "node_modules\n.env\nempty\nhuge\n");
    for (const name of ["global.txt", "own.txt", ".env", "node_modules/a/index.js", "kept"]) write(name, name);
    mkdirSync(join(root, "empty"));
    for (let at = 0; at <= 3000; at++) write(`huge/node_modules/p${at % 3}/f${at}`, "");
    const { project, ignored, large, empty } = await taken();
    expect([...project.keys()].sort()).toEqual([".gitignore", "kept"]);
    expect([...ignored.keys()].sort()).toEqual([".env", "global.txt", "node_modules/a/index.js", "own.txt"]);
    expect(empty).toEqual(["empty/"]);
    expect(large.map(({ path, units }) => [path, Object.keys(units).sort()])).toEqual([
      ["huge", [0, 1, 2].map((at) => `huge/node_modules/p${at}`)],
    ]);
    write("huge/node_modules/p1/f1", "x");
    const now = (await taken()).large[0]!.units;
    expect(Object.keys(now).filter((unit) => now[unit] !== large[0]!.units[unit])).toEqual(["huge/node_modules/p1"]);
  });

  test("an ignored folder that took the place of a file is seen, and no link is followed to one", async () => {
    write("gen-1.txt", "a file");
    write("a/b", "a file");
    await taken();
    write(".gitignore", "gen-*.txt\na\n");
    for (const path of ["gen-1.txt", "a"]) rmSync(join(root, path), { recursive: true });
    write("gen-1.txt/inside/it", "ignored");
    mkdirSync(join(home, "elsewhere/b"), { recursive: true });
    writeFileSync(join(home, "elsewhere/b/c"), "not of the project");
    symlinkSync(join(home, "elsewhere"), join(root, "a"));
    const { project, ignored, empty } = await taken();
    expect([[...project.keys()], [...ignored.keys()].sort(), empty]).toEqual([
      [".gitignore"],
      ["a", "gen-1.txt/inside/it"],
      [],
    ]);
  });

  test("the user's repository stays as it was, and nothing that becomes of it takes a snapshot away", async () => {
    write("a", "1");
    git("add", "-A");
    git("commit", "-qm", "first");
    write("a", "2");
    git("stash", "-q");
    write("b", "untracked");
    const state = () => [git("status", "--porcelain"), git("stash", "list"), git("for-each-ref"), git("count-objects")];
    const before = state();
    const snapshot = await taken();
    expect(state()).toEqual(before);
    rmSync(join(root, ".git"), { recursive: true });
    git("init", "-q");
    const again = opened();
    expect((await again.open(root, snapshot.name))?.project).toEqual(snapshot.project);
    expect((await again.read(root, snapshot.project.get("a")!))?.toString()).toBe("1");
  });

  test("a file that git was told not to see is seen, and so is one that is ignored only later", async () => {
    write("a", "1");
    write("b", "1");
    git("add", "-A");
    git("commit", "-qm", "first");
    const before = await taken();
    git("update-index", "--assume-unchanged", "a");
    git("update-index", "--skip-worktree", "b");
    write(".gitignore", "a\nb\n");
    write("a", "2");
    write("b", "2");
    const after = await taken();
    expect(["a", "b"].map((name) => after.project.get(name)?.oid === before.project.get(name)?.oid)).toEqual([
      false,
      false,
    ]);
  });

  test("a repository within, with or without a commit, spoils nothing", async () => {
    write("a", "1");
    for (const inner of ["empty-inner", "inner"]) {
      write(`${inner}/file`, inner);
      execFileSync("git", ["init", "-q"], { cwd: join(root, inner), env: env() });
    }
    const at = { cwd: join(root, "inner"), env: env() };
    execFileSync("git", ["add", "-A"], at);
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"], at);
    expect((await taken()).project.get("inner")?.mode).toBe("160000");
    expect((await taken()).project.has("a")).toBe(true);
  });

  test("a linked worktree is a place of its own", async () => {
    write("a", "1");
    git("add", "-A");
    git("commit", "-qm", "first");
    const linked = join(home, "linked");
    git("worktree", "add", "-q", linked);
    writeFileSync(join(linked, "a"), "2");
    const [here, there] = [await snapshots.take(root), await snapshots.take(linked)];
    expect([here, there].map((each) => each.status === "taken" && [...each.snapshot.project.keys()])).toEqual([
      ["a"],
      ["a"],
    ]);
  });

  test("many at once do not wait for each other", async () => {
    for (let at = 0; at < 20; at++) write(`f${at}`, `${at}`);
    const all = await Promise.all(Array.from({ length: 4 }, () => opened().take(root)));
    expect(all.map((each) => each.status === "taken" && each.snapshot.project.size)).toEqual([20, 20, 20, 20]);
  });
});
