import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { attempt } from "../../machine/index.ts";
import type { Git } from "../workspace/git.ts";
import { type Changes, composeTree } from "./compose-tree.ts";
import { asBytes, type Entries, type Entry, GITLINK, once } from "./entries.ts";
import { indexOf } from "./git-index.ts";
import { type LargeFolder, lookAtIgnored } from "./ignored.ts";
import { createIgnoredKeeper } from "./keep-ignored.ts";
import { EMPTY_TREE, isKept, oidOf, readObject, writeObject } from "./loose-object.ts";
import { openPrivateStore, type PrivateStore } from "./private-store.ts";
import { createProjectReader, type Limits, writeTree } from "./project-files.ts";
import { verifiedTree } from "./verified-tree.ts";
import { writeFew } from "./write-few.ts";

/**
 * The files of a project as they are, byte for byte: one name for all of them, from which they can be laid out again. The
 * user's repository, its index, refs and settings stay untouched.
 */
export interface Snapshots {
  take(cwd: string, how?: TakeHow): Promise<Taken>;
  /** What a name stands for; undefined: it is not known here, or not what was recorded. */
  open(cwd: string, name: string): Promise<Snapshot | undefined>;
  /** A file's content; undefined: it is gone, or not what its name says. */
  read(cwd: string, entry: Entry): Promise<Buffer | undefined>;
  write(cwd: string, content: Buffer): Promise<string | undefined>;
  /** The files of a tree that was laid out once; only laying it out again shows that they are its own. */
  list(cwd: string, tree: string): Promise<Entries | undefined>;
  /**
   * Lays out exactly these files in an empty folder, or only some of them where the others stand already; the name of the tree of all, or
   * undefined if one is gone or not what its name says. `since` is a tree that was laid out before, and how these files differ from it.
   */
  layOut(cwd: string, entries: Entries, target: string, only?: Entries, since?: Since): Promise<string | undefined>;
}

export interface TakeHow {
  /** Nothing keeps it but the one who asked, who must do so within the hour. */
  readonly loose?: boolean;
  /** Whether to tell by a mark if a large ignored folder changed. */
  readonly marks?: boolean;
}

export interface Since {
  readonly tree: string;
  readonly changes: Changes;
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
  readonly limits?: Limits;
  /** Opens the store of a project, where it is shared with others. */
  readonly openStore?: (cwd: string) => Promise<PrivateStore | undefined>;
  /** Noted with each snapshot, such as what surrounds the project. */
  readonly note?: (root: string) => unknown;
}

const LIMITS = { files: 100_000, bytes: 2 * 1024 * 1024 * 1024 };

export function createSnapshots({ git, directory, limits = LIMITS, note, openStore }: SnapshotPorts): Snapshots {
  const openAnew = openStore ?? ((cwd: string) => openPrivateStore(git, cwd, directory));
  const stores = new Map<string, PrivateStore | undefined>();
  const recent = new Map<string, Snapshot>();
  const projects = createProjectReader(limits);
  const keepIgnored = createIgnoredKeeper();
  return { take, open, read, write, list, layOut };

  /** What is ignored may have changed since; for all else the store stays the store. */
  async function fresh(cwd: string): Promise<PrivateStore | undefined> {
    const store = await openAnew(cwd);
    stores.set(cwd, store);
    return store;
  }

  async function knownStore(cwd: string): Promise<PrivateStore | undefined> {
    return stores.get(cwd) ?? fresh(cwd);
  }

  async function take(cwd: string, { marks = true, loose = false }: TakeHow = {}): Promise<Taken> {
    const beganAt = Date.now();
    const known = stores.get(cwd);
    // What is ignored mostly is what it was: the look begins, and counts if that proves true.
    const glancing = known && projects.glance(known);
    const opening = fresh(cwd);
    const seen = known && note && { root: known.root, note: Promise.resolve(note(known.root)) }; // while git is looking
    seen?.note.catch(() => {}); // told where it is awaited
    const [store, early] = await Promise.all([opening, glancing]);
    if (!store) return none("git is not available");
    const glance = early && store.mark === known?.mark ? early : await projects.glance(store);
    const project = await projects.read(store, glance);
    if (project.status === "none") return project;
    const [ignored, noted] = await Promise.all([
      lookAtIgnored(store.root, project.places, marks),
      seen?.root === store.root ? seen.note : note?.(store.root),
    ]);
    const kept = await keepIgnored(store, ignored.files, beganAt);
    const { empty, large } = ignored;
    const facts = JSON.stringify({ v: VERSION, large, empty, note: noted });
    const name = kept && attempt(() => nameOf(store, project.tree, kept.tree, facts, loose));
    if (!kept || name === undefined) return none("the files could not be read");
    const snapshot = asSnapshot(store, cwd, name, facts, { project: project.entries, ignored: kept.entries });
    remember(cwd, snapshot);
    return { status: "taken", snapshot };
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

  async function layOut(
    cwd: string,
    entries: Entries,
    target: string,
    only = entries,
    since?: Since,
  ): Promise<string | undefined> {
    const store = await knownStore(cwd);
    if (!store) return undefined;
    mkdirSync(target, { recursive: true });
    const [isThere, tree] = await Promise.all([checkOut(store, only, target), treeOf(store, entries, since)]);
    return isThere ? tree : undefined;
  }

  /** A few files, or a few changes in a tree that lies here, are named sooner than git starts. */
  async function treeOf(store: PrivateStore, entries: Entries, since: Since | undefined): Promise<string | undefined> {
    const near = since && composeTree(store.place, since.tree, since.changes);
    if (near !== undefined) return near;
    if (entries.size > MOST_FEW) return withEntries(store, entries, (index) => writeTree(store, index));
    const files = [...entries].filter(([, { mode }]) => mode !== GITLINK); // a repository within has no place in it
    return attempt(() => composeTree(store.place, EMPTY_TREE, new Map(files)));
  }

  async function checkOut(store: PrivateStore, entries: Entries, target: string): Promise<boolean> {
    if (entries.size <= MOST_FEW && writeFew(store.place, entries, target)) return true;
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
const MOST_FEW = 100;
const FILE = "100644";

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
async function filesOf(store: PrivateStore, tree: string): Promise<Entries | undefined> {
  const answer = await store.git(["ls-tree", "-r", "-t", "-z", tree]);
  return answer.status === "ok" ? verifiedTree(tree, answer.output) : undefined;
}

/** Its hash is computed here: a file that was put in the store's place from outside is not what its name says. */
async function readEntry(store: PrivateStore, { oid }: Entry): Promise<Buffer | undefined> {
  const loose = readObject(store.place, "blob", oid);
  if (loose) return loose;
  const answer = await store.git(["cat-file", "blob", oid]);
  if (answer.status !== "ok") return undefined;
  return oidOf("blob", answer.output) === oid ? answer.output : undefined;
}

/** One tree over all, and a ref that keeps it. */
function nameOf({ place }: PrivateStore, project: string, ignored: string, facts: string, loose: boolean): string {
  const row = (mode: string, name: string, oid: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")]);
  const rows = [
    row(FILE, "facts", writeObject(place, "blob", Buffer.from(facts))),
    row("40000", "ignored", ignored),
    row("40000", "project", project),
  ];
  const tree = writeObject(place, "tree", Buffer.concat(rows));
  if (loose) return tree;
  mkdirSync(join(place, "refs/snapshots"), { recursive: true });
  writeFileSync(join(place, "refs/snapshots", tree), `${tree}\n`);
  return tree;
}

const none = (why: string): Taken => ({ status: "none", why });
