import { existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { attempt } from "../../machine/index.ts";
import type { Git, GitAnswer } from "../workspace/git.ts";
import { asBytes, bytesOf, type Entries, type Entry, indexInfo, once } from "./entries.ts";
import { type IndexFile, indexOf, readIndex } from "./git-index.ts";
import { type LargeFolder, lookAtIgnored, placesIgnored } from "./ignored.ts";
import { isKept, oidOf, writeObject } from "./loose-object.ts";
import { openPrivateStore, type PrivateStore } from "./private-store.ts";
import { verifiedTree } from "./verified-tree.ts";

/**
 * The files of a project as they are, byte for byte: one name for all of them, from which they can be laid out again. The
 * user's repository, its index, refs and settings stay untouched.
 */
export interface Snapshots {
  /** `loose`: nothing keeps it but the one who asked, who must do so within the hour. */
  take(cwd: string, how?: { readonly loose: true }): Promise<Taken>;
  /** What a name stands for; undefined: it is not known here, or not what was recorded. */
  open(cwd: string, name: string): Promise<Snapshot | undefined>;
  /** A file's content; undefined: it is gone, or not what its name says. */
  read(cwd: string, entry: Entry): Promise<Buffer | undefined>;
  write(cwd: string, content: Buffer): Promise<string | undefined>;
  /** The files of a tree that was laid out once; only laying it out again shows that they are its own. */
  list(cwd: string, tree: string): Promise<Entries | undefined>;
  /**
   * Lays out exactly these files in an empty folder, or only some of them where the others stand already; the name of the tree of all, or
   * undefined if one is gone or not what its name says.
   */
  layOut(cwd: string, entries: Entries, target: string, only?: Entries): Promise<string | undefined>;
}

export interface Snapshot {
  /** Names content and facts: the same name is the same state. */
  readonly name: string;
  readonly root: string;
  /** Where the directory that was asked for lies in it: "" or "inner/". */
  readonly prefix: string;
  /** Tracked, or untracked and not ignored. */
  readonly project: Entries;
  /** Ignored and small enough to keep. */
  readonly ignored: Entries;
  readonly large: readonly LargeFolder[];
  readonly empty: readonly string[];
  /** What was noted with it. */
  readonly note: unknown;
}

export type Taken =
  | { readonly status: "taken"; readonly snapshot: Snapshot }
  | { readonly status: "none"; readonly why: string };

export interface SnapshotPorts {
  readonly git: Git;
  readonly directory: string;
  readonly limits?: { readonly files: number; readonly bytes: number };
  /** Noted with each snapshot, such as what surrounds the project. */
  readonly note?: (root: string) => unknown;
}

const LIMITS = { files: 100_000, bytes: 2 * 1024 * 1024 * 1024 };

export function createSnapshots({ git, directory, limits = LIMITS, note }: SnapshotPorts): Snapshots {
  const stores = new Map<string, PrivateStore | undefined>();
  const recent = new Map<string, Snapshot>();
  return { take, open, read, write, list, layOut };

  /** What is ignored may have changed since; for all else the store stays the store. */
  async function fresh(cwd: string): Promise<PrivateStore | undefined> {
    const store = await openPrivateStore(git, cwd, directory);
    stores.set(cwd, store);
    return store;
  }

  async function knownStore(cwd: string): Promise<PrivateStore | undefined> {
    return stores.get(cwd) ?? fresh(cwd);
  }

  async function take(cwd: string, how?: { readonly loose: true }): Promise<Taken> {
    const store = await fresh(cwd);
    if (!store) return none("git is not available");
    let why = "the files could not be read";
    const taken = await store.withIndex("index", async (index, before) => {
      const tooLarge = before ? undefined : await measure(store, index);
      if (tooLarge !== undefined) {
        why = tooLarge;
        return undefined;
      }
      // The first time all go into one pack; later a few loose objects are quicker.
      const settings = before ? [] : [["core.bigFileThreshold", "1"] as const];
      const [added, places] = await Promise.all([
        store.git(["add", "--all", "--ignore-errors", "."], { index, settings }),
        placesIgnored(store, index),
      ]);
      const now = isDone(added) ? indexNow(index) : undefined;
      const ignored = await lookAtIgnored(store.root, new Set([...places, ...(now?.links ?? [])]));
      const [project, kept, noted] = await Promise.all([
        treeIn(store, index, now),
        keepIgnored(store, ignored.files),
        note?.(store.root),
      ]);
      const { empty, large } = ignored;
      const facts = JSON.stringify({ v: VERSION, large, empty, note: noted });
      const name = project && kept && attempt(() => nameOf(store, project.tree, kept.tree, facts, how));
      if (name === undefined) return undefined;
      return asSnapshot(store, cwd, name, facts, { project: project!.entries, ignored: kept!.entries });
    });
    if (!taken) return none(why);
    remember(cwd, taken);
    return { status: "taken", snapshot: taken };
  }

  /** What this process took itself it need not ask the store for. */
  function remember(cwd: string, snapshot: Snapshot): void {
    const key = `${cwd}\0${snapshot.name}`;
    recent.delete(key);
    recent.set(key, snapshot);
    if (recent.size > REMEMBERED) recent.delete(recent.keys().next().value!);
  }

  async function open(cwd: string, name: string): Promise<Snapshot | undefined> {
    const [, tree] = NAME.exec(name) ?? [];
    const store = tree === undefined ? undefined : await knownStore(cwd);
    if (!store) return undefined;
    const known = isKept(store.place, tree!) ? recent.get(`${cwd}\0${name}`) : undefined;
    return known ?? opened(store, cwd, tree!);
  }

  async function opened(store: PrivateStore, cwd: string, tree: string): Promise<Snapshot | undefined> {
    const all = await filesOf(store, tree);
    const facts = all?.get("facts");
    const text = facts && (await readEntry(store, facts));
    if (!all || !text) return undefined;
    const below = (top: string) => () =>
      new Map([...all].flatMap(([path, entry]) => (path.startsWith(top) ? [[path.slice(top.length), entry]] : [])));
    const parts = { project: below("project/"), ignored: below("ignored/") };
    return asSnapshot(store, cwd, tree, text.toString("utf8"), parts);
  }

  async function measure(store: PrivateStore, index: string): Promise<string | undefined> {
    const answer = await store.git(["ls-files", "-z", "--others", "--exclude-standard"], { index });
    if (answer.status !== "ok") return "its files could not be listed";
    const paths = answer.output.toString("latin1").split("\0").filter(Boolean);
    if (paths.length > limits.files) return `it has more than ${limits.files} files`;
    let bytes = 0;
    for (const path of paths) {
      bytes += lstatSync(bytesOf(join(asBytes(store.root), path)), { throwIfNoEntry: false })?.size ?? 0;
      if (bytes > limits.bytes) return `it is larger than ${Math.round(limits.bytes / 1024 ** 3)} GB`;
    }
    return undefined;
  }

  async function keepIgnored(store: PrivateStore, files: readonly string[]): Promise<Tree | undefined> {
    return store.withIndex("index.ignored", async (index, before) => {
      if (!before && files.length === 0)
        return { tree: writeObject(store.place, "tree", EMPTY), entries: () => NOTHING };
      const now = new Set(files);
      const gone = before ? [...before.entries().keys()].filter((path) => !now.has(path)) : [];
      const input = indexInfo(new Map(gone.map((path) => [path, GONE])));
      if (gone.length > 0) await store.git(["update-index", "-z", "--replace", "--index-info"], { index, input });
      const paths = Buffer.from(files.map((path) => `${path}\0`).join(""), "latin1");
      const update = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
      const added = await store.git(update, { index, input: paths });
      return isDone(added) ? treeIn(store, index, indexNow(index)) : undefined;
    });
  }

  async function read(cwd: string, entry: Entry): Promise<Buffer | undefined> {
    const store = await knownStore(cwd);
    return store && readEntry(store, entry);
  }

  async function write(cwd: string, content: Buffer): Promise<string | undefined> {
    const store = await knownStore(cwd);
    return store && attempt(() => writeObject(store.place, "blob", content));
  }

  async function list(cwd: string, tree: string): Promise<Entries | undefined> {
    const store = /^[0-9a-f]{40}$/.test(tree) ? await knownStore(cwd) : undefined;
    return store && filesOf(store, tree);
  }

  async function layOut(cwd: string, entries: Entries, target: string, only = entries): Promise<string | undefined> {
    const store = await knownStore(cwd);
    if (!store) return undefined;
    mkdirSync(target, { recursive: true });
    const [isThere, tree] = await Promise.all([
      checkOut(store, only, target),
      withEntries(store, entries, (index) => writeTree(store, index)),
    ]);
    return isThere ? tree : undefined;
  }

  async function checkOut(store: PrivateStore, entries: Entries, target: string): Promise<boolean> {
    if (entries.size === 0) return true;
    return withEntries(store, entries, async (index) => {
      const there = { index, variables: { GIT_WORK_TREE: target } };
      const made = await store.git(["checkout-index", "--all", "--force", "--quiet"], there);
      // git writes out what lies in its store under a name, and does not ask whether it is that. This reads every file again.
      return made.status === "ok" && (await store.git(["update-index", "--refresh"], there)).status === "ok";
    });
  }

  function withEntries<T>(store: PrivateStore, entries: Entries, work: (index: string) => Promise<T>): Promise<T> {
    return store.withoutIndex((index) => {
      writeFileSync(index, indexOf(entries));
      return work(index);
    });
  }
}

const VERSION = 1;
const FILE = "100644";
const NOTHING: Entries = new Map();

function asSnapshot(
  { root }: PrivateStore,
  cwd: string,
  tree: string,
  facts: string,
  parts: { readonly project: () => Entries; readonly ignored: () => Entries },
): Snapshot {
  const { large, empty, note } = JSON.parse(facts) as Pick<Snapshot, "large" | "empty" | "note">;
  const inner = relative(root, realpathSync(cwd)).split(sep).join("/");
  const [project, ignored] = [once(parts.project), once(parts.ignored)];
  return {
    name: `tree:${tree}`,
    root,
    prefix: inner === "" ? "" : `${asBytes(inner)}/`,
    get project() {
      return project();
    },
    get ignored() {
      return ignored();
    },
    large,
    empty,
    note,
  };
}

const NAME = /^tree:([0-9a-f]{40})$/;
const REMEMBERED = 4;
const EMPTY = Buffer.alloc(0);
const GONE: Entry = { mode: "0", oid: "0".repeat(40) };

/** Not killed, and no more amiss than that some files could not be read. */
const isDone = (answer: GitAnswer): boolean =>
  answer.status === "ok" || (answer.status === "failed" && !/^fatal:/m.test(answer.problem));

interface Tree {
  readonly tree: string;
  readonly entries: () => Entries;
}

/** git writes no index where there is nothing to put into it. */
const indexNow = (index: string): IndexFile | undefined =>
  existsSync(index) ? readIndex(index) : { entries: () => NOTHING, links: [], tree: undefined, doubtful: [] };

async function treeIn(store: PrivateStore, index: string, now: IndexFile | undefined): Promise<Tree | undefined> {
  const tree = now && (now.tree ?? (await writeTree(store, index)));
  return tree === undefined ? undefined : { tree, entries: now!.entries };
}

async function writeTree(store: PrivateStore, index: string): Promise<string | undefined> {
  const answer = await store.git(["write-tree", "--missing-ok"], { index });
  return answer.status === "ok" ? answer.output.toString("latin1").trim() : undefined;
}

async function filesOf(store: PrivateStore, tree: string): Promise<Entries | undefined> {
  const answer = await store.git(["ls-tree", "-r", "-t", "-z", tree]);
  return answer.status === "ok" ? verifiedTree(tree, answer.output) : undefined;
}

/** Its hash is computed here: a file that somebody put in the store's place is not what its name says. */
async function readEntry(store: PrivateStore, { oid }: Entry): Promise<Buffer | undefined> {
  const answer = await store.git(["cat-file", "blob", oid]);
  if (answer.status !== "ok") return undefined;
  return oidOf("blob", answer.output) === oid ? answer.output : undefined;
}

/** One tree over all, and a ref that keeps it. */
function nameOf(
  { place }: PrivateStore,
  project: string,
  ignored: string,
  facts: string,
  how?: { readonly loose: true },
): string {
  const row = (mode: string, name: string, oid: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")]);
  const rows = [
    row(FILE, "facts", writeObject(place, "blob", Buffer.from(facts))),
    row("40000", "ignored", ignored),
    row("40000", "project", project),
  ];
  const tree = writeObject(place, "tree", Buffer.concat(rows));
  if (how?.loose) return tree;
  mkdirSync(join(place, "refs/snapshots"), { recursive: true });
  writeFileSync(join(place, "refs/snapshots", tree), `${tree}\n`);
  return tree;
}

const none = (why: string): Taken => ({ status: "none", why });
