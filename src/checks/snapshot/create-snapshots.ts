import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { hashOf } from "../../machine/index.ts";
import type { Git } from "../workspace/git.ts";
import { asBytes, bytesOf, type Entries, type Entry, GITLINK, indexInfo, parseTree } from "./entries.ts";
import { type LargeFolder, lookAtIgnored } from "./ignored.ts";
import { isLaidOut } from "./is-laid-out.ts";
import { openPrivateStore, type PrivateStore } from "./private-store.ts";

/**
 * The files of a project as they are, byte for byte: one name for all of them, from which they can be laid out again. The
 * user's repository, its index, refs and settings stay untouched.
 */
export interface Snapshots {
  take(cwd: string): Promise<Taken>;
  /** What a name stands for; undefined: it is not known here, or not what was recorded. */
  open(cwd: string, name: string): Promise<Snapshot | undefined>;
  /** A file's content; undefined: it is gone, or not what its name says. */
  read(cwd: string, entry: Entry): Promise<Buffer | undefined>;
  write(cwd: string, content: Buffer): Promise<string | undefined>;
  /** The files of a tree that was laid out once; only laying it out again shows that they are its own. */
  list(cwd: string, tree: string): Promise<Entries | undefined>;
  /** Lays out exactly these files in an empty folder; the name of their tree, or undefined if one is gone or not what its name says. */
  layOut(cwd: string, entries: Entries, target: string): Promise<string | undefined>;
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
  return { take, open, read, write, list, layOut };

  /** What is ignored may have changed since; for all else the store stays the store. */
  async function fresh(cwd: string): Promise<PrivateStore | undefined> {
    const store = await openPrivateStore(git, cwd, directory);
    stores.set(cwd, store);
    return store;
  }

  async function known(cwd: string): Promise<PrivateStore | undefined> {
    return stores.get(cwd) ?? fresh(cwd);
  }

  async function take(cwd: string): Promise<Taken> {
    const store = await fresh(cwd);
    if (!store) return none("git is not available");
    return store.withIndex("index", async (index, isNew) => {
      const tooLarge = isNew ? await measure(store, index) : undefined;
      if (tooLarge !== undefined) return none(tooLarge);
      // The first time all go into one pack; later a few loose objects are quicker.
      const settings = isNew ? [["core.bigFileThreshold", "1"] as const] : [];
      await store.git(["add", "--all", "--ignore-errors", "."], { index, settings });
      const project = await treeIn(store, index);
      if (!project) return none("the files could not be read");
      const kept = await keepIgnored(
        store,
        index,
        [...project.entries].filter(isLink).map(([path]) => path),
      );
      const facts = JSON.stringify({ v: VERSION, large: kept.large, empty: kept.empty, note: note?.(store.root) });
      const blob = await hashObject(store, Buffer.from(facts));
      const tree = blob && (await treeOf(store, project.oid, kept.tree, blob));
      if (!tree) return none("the files could not be kept");
      await store.git(["update-ref", `refs/snapshots/${tree}`, tree]);
      const parts = { project: project.entries, ignored: kept.entries, facts: { mode: FILE, oid: blob } };
      return { status: "taken", snapshot: asSnapshot(store, cwd, tree, parts, facts) };
    });
  }

  async function open(cwd: string, name: string): Promise<Snapshot | undefined> {
    const [, tree] = NAME.exec(name) ?? [];
    const store = tree === undefined ? undefined : await known(cwd);
    const found = store && (await opened(store, cwd, tree!));
    return found?.name === name ? found : undefined;
  }

  async function opened(store: PrivateStore, cwd: string, tree: string): Promise<Snapshot | undefined> {
    const answer = await store.git(["ls-tree", "-r", "-z", tree]);
    if (answer.status !== "ok") return undefined;
    const all = parseTree(answer.output);
    const facts = all.get("facts");
    const text = facts && (await readEntry(store, facts));
    if (!text) return undefined;
    const below = (top: string) =>
      new Map([...all].flatMap(([path, entry]) => (path.startsWith(top) ? [[path.slice(top.length), entry]] : [])));
    const parts = { project: below("project/"), ignored: below("ignored/"), facts };
    return asSnapshot(store, cwd, tree, parts, text.toString("utf8"));
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

  async function keepIgnored(store: PrivateStore, index: string, links: readonly string[]) {
    const { files, empty, large } = await lookAtIgnored(store, index, links);
    const kept = await store.withIndex("index.ignored", async (own, isNew) => {
      if (isNew && files.length === 0) return undefined;
      const before = await store.git(["ls-files", "-z"], { index: own });
      const listed = before.status === "ok" ? before.output.toString("latin1").split("\0").filter(Boolean) : [];
      const now = new Set(files);
      const gone = new Map(listed.filter((path) => !now.has(path)).map((path) => [path, GONE]));
      if (gone.size > 0)
        await store.git(["update-index", "-z", "--replace", "--index-info"], { index: own, input: indexInfo(gone) });
      const input = Buffer.from(files.map((path) => `${path}\0`).join(""), "latin1");
      await store.git(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], { index: own, input });
      return treeIn(store, own);
    });
    return { tree: kept?.oid ?? (await emptyTree(store)), entries: kept?.entries ?? NOTHING, empty, large };
  }

  async function read(cwd: string, entry: Entry): Promise<Buffer | undefined> {
    const store = await known(cwd);
    return store && readEntry(store, entry);
  }

  async function write(cwd: string, content: Buffer): Promise<string | undefined> {
    const store = await known(cwd);
    return store && hashObject(store, content);
  }

  async function list(cwd: string, tree: string): Promise<Entries | undefined> {
    const store = /^[0-9a-f]{40}$/.test(tree) ? await known(cwd) : undefined;
    const answer = await store?.git(["ls-tree", "-r", "-z", tree]);
    return answer?.status === "ok" ? parseTree(answer.output) : undefined;
  }

  async function layOut(cwd: string, entries: Entries, target: string): Promise<string | undefined> {
    const store = await known(cwd);
    if (!store) return undefined;
    return store.withoutIndex(async (index) => {
      const input = indexInfo(new Map([...entries].filter((entry) => !isLink(entry))));
      const filled = await store.git(["update-index", "-z", "--add", "--replace", "--index-info"], { index, input });
      if (filled.status !== "ok") return undefined;
      const tree = await treeIn(store, index);
      mkdirSync(target, { recursive: true });
      const made = await store.git(["checkout-index", "--all", "--force", "--quiet"], {
        index,
        variables: { GIT_WORK_TREE: target },
      });
      return made.status === "ok" && (await isLaidOut(entries, target)) ? tree?.oid : undefined;
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
  parts: { readonly project: Entries; readonly ignored: Entries; readonly facts: Entry },
  facts: string,
): Snapshot {
  const { large, empty, note } = JSON.parse(facts) as Pick<Snapshot, "large" | "empty" | "note">;
  const inner = relative(root, realpathSync(cwd)).split(sep).join("/");
  return {
    name: `tree:${tree}:${digestOf(parts)}`,
    root,
    prefix: inner === "" ? "" : `${asBytes(inner)}/`,
    project: parts.project,
    ignored: parts.ignored,
    large,
    empty,
    note,
  };
}

/** A tree that was planted under the same name has another one. */
function digestOf({ project, ignored, facts }: Parameters<typeof asSnapshot>[3]): string {
  const lines = (top: string, entries: Entries) =>
    [...entries].map(([path, { mode, oid }]) => `${mode} ${oid} ${top}${path}\0`).sort();
  const all = [...lines("project/", project), ...lines("ignored/", ignored), facts.oid].join("");
  return hashOf("sha256", Buffer.from(all, "latin1")).toString("hex", 0, 16);
}

const NAME = /^tree:([0-9a-f]{40}):[0-9a-f]{32}$/;
const GONE: Entry = { mode: "0", oid: "0".repeat(40) };

const isLink = ([, { mode }]: readonly [string, Entry]): boolean => mode === GITLINK;

async function treeIn(store: PrivateStore, index: string) {
  const answer = await store.git(["write-tree", "--missing-ok"], { index });
  if (answer.status !== "ok") return undefined;
  const oid = answer.output.toString("latin1").trim();
  const listed = await store.git(["ls-files", "-z", "--stage"], { index });
  if (listed.status !== "ok") return undefined;
  return { oid, entries: parseStage(listed.output) };
}

/** "mode oid stage<tab>path" */
function parseStage(output: Buffer): Entries {
  const entries = new Map<string, Entry>();
  for (const line of output.toString("latin1").split("\0")) {
    const tab = line.indexOf("\t");
    const [mode = "", oid = ""] = line.slice(0, tab).split(" ");
    if (tab > 0) entries.set(line.slice(tab + 1), { mode, oid });
  }
  return entries;
}

/** Its hash is computed here: a file that somebody put in the store's place is not what its name says. */
async function readEntry(store: PrivateStore, { oid }: Entry): Promise<Buffer | undefined> {
  const answer = await store.git(["cat-file", "blob", oid]);
  if (answer.status !== "ok") return undefined;
  const own = hashOf("sha1", Buffer.from(`blob ${answer.output.length}\0`), answer.output).toString("hex");
  return own === oid ? answer.output : undefined;
}

async function hashObject(store: PrivateStore, content: Buffer): Promise<string | undefined> {
  const answer = await store.git(["hash-object", "-w", "--stdin"], { input: content });
  return answer.status === "ok" ? answer.output.toString("latin1").trim() : undefined;
}

async function treeOf(store: PrivateStore, project: string, ignored: string, facts: string) {
  const lines = [
    `100644 blob ${facts}\tfacts`,
    `040000 tree ${ignored}\tignored`,
    `040000 tree ${project}\tproject`,
  ].join("\0");
  const answer = await store.git(["mktree", "-z"], { input: `${lines}\0` });
  return answer.status === "ok" ? answer.output.toString("latin1").trim() : undefined;
}

async function emptyTree(store: PrivateStore): Promise<string> {
  const answer = await store.git(["mktree"], { input: "" });
  return answer.status === "ok" ? answer.output.toString("latin1").trim() : "";
}

const none = (why: string): Taken => ({ status: "none", why });
