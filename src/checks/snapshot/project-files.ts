import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../machine/index.ts";
import type { GitAnswer } from "../workspace/git.ts";
import { asBytes, bytesOf, type Entries } from "./entries.ts";
import { type IndexFile, readIndex } from "./git-index.ts";
import { type Look, lookAtProject } from "./look.ts";
import { writeObject } from "./loose-object.ts";
import { type PrivateStore, put } from "./private-store.ts";
import { quickTree, type Tree } from "./quick-tree.ts";
import { createIndexReader } from "./recent-index.ts";

export interface Limits {
  readonly files: number;
  readonly bytes: number;
}

/** What git sees of a project, and where it sees nothing. */
export interface ProjectFiles extends Tree {
  readonly status: "found";
  /** Files and folders that are ignored, and repositories within. */
  readonly places: ReadonlySet<string>;
}
export type Found = ProjectFiles | { readonly status: "none"; readonly why: string };

/** A project mostly is what it was, but for a few files: one look finds them. */
export interface Glance {
  readonly look: Look | undefined;
  readonly isKnown: boolean;
  /** Undefined: they are too many, and git has to read everything into its index. */
  readonly found: ProjectFiles | undefined;
}

export interface ProjectReader {
  /** Changes nothing. */
  glance(store: PrivateStore): Promise<Glance>;
  read(store: PrivateStore, glance: Glance): Promise<Found>;
}

export function createProjectReader(limits: Limits): ProjectReader {
  const readKept = createIndexReader();
  return { glance, read };

  function glance(store: PrivateStore): Promise<Glance> {
    return store.withKept(INDEX, async (index) => {
      const looking = lookAtProject(store, index);
      const base = readKept(index); // while git is looking
      const look = await looking;
      const tree = base && look && quickTree(store, base, look);
      const found = tree && ({ status: "found", ...tree, places: placesOf(store, look, base.links) } as const);
      return { look, isKnown: base !== undefined, found };
    });
  }

  async function read(store: PrivateStore, { look, isKnown, found }: Glance): Promise<Found> {
    if (found) return found;
    if (!look) return { status: "none", why: "its files could not be listed" };
    const tooLarge = measure(store, look, limits, isKnown);
    return tooLarge === undefined ? readAll(store, look) : { status: "none", why: tooLarge };
  }
}

const INDEX = "index";
const NOTHING: Entries = new Map();
const NO_INDEX: IndexFile = {
  entries: () => NOTHING,
  paths: () => new Set(),
  links: [],
  tree: undefined,
  doubtful: [],
  young: 0,
};

async function readAll(store: PrivateStore, look: Look): Promise<Found> {
  let why = "the files could not be read";
  const found = await store.withIndex(INDEX, async (index, before) => {
    // The first time all go into one pack; later a few loose objects are quicker.
    const settings = before ? [] : [["core.bigFileThreshold", "1"] as const];
    const added = await store.git(["add", "--all", "--ignore-errors", "."], { index, settings });
    if (added.status === "failed" && NO_SPACE.test(added.problem)) {
      why = "the disk is full";
      removeHalfPacks(store);
    }
    const now = isDone(added) ? indexNow(index) : undefined;
    const tree = now && (await treeIn(store, index, now));
    if (!tree) return undefined;
    setHead(store, tree.tree);
    return { status: "found", ...tree, places: placesOf(store, look, now.links) } as const;
  });
  return found ?? { status: "none", why };
}

/** git leaves what it had written so far, and the disk stays full. */
function removeHalfPacks({ place }: PrivateStore): void {
  const folder = join(place, "objects/pack");
  for (const name of attempt(() => readdirSync(folder)) ?? [])
    if (name.startsWith("tmp_")) rmSync(join(folder, name), { force: true });
}

const NO_SPACE = /No space left on device|Out of diskspace/;

function placesOf({ root }: PrivateStore, look: Look, links: readonly string[]): ReadonlySet<string> {
  const listed = [...look.ignored, ...look.untracked];
  // git does not tell of an ignored folder that stands where its index knows a file.
  const unlisted = look.gone.filter(
    (path) => isFolder(root, path) && hasFiles(placeOf(root, path)) && !listed.some((other) => isIn(other, path)),
  );
  return new Set([...look.ignored, ...unlisted.map((path) => `${path}/`), ...links]);
}

const placeOf = (root: string, path: string): Buffer => bytesOf(join(asBytes(root), path));
const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** And no link leads there. */
const isFolder = (root: string, path: string): boolean =>
  path
    .split("/")
    .every((_, at, names) => attempt(() => lstatSync(placeOf(root, names.slice(0, at + 1).join("/"))))?.isDirectory());

function hasFiles(folder: Buffer): boolean {
  const within = attempt(() => readdirSync(folder, { withFileTypes: true, encoding: "buffer" })) ?? [];
  return within.some(
    (entry) => !entry.isDirectory() || hasFiles(Buffer.concat([folder, Buffer.from("/"), entry.name])),
  );
}

/** So that the next look need not tell every file that is new to the store, and so that pruning leaves its trees. */
function setHead({ place }: PrivateStore, tree: string): void {
  const who = "tildone <tildone@localhost> 0 +0000";
  const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\n`;
  put(join(place, "HEAD"), `${writeObject(place, "commit", Buffer.from(text))}\n`);
}

/** `isKnown`: only what is new is measured, and it may be gone by the next time. */
function measure({ root }: PrivateStore, look: Look, limits: Limits, isKnown: boolean): string | undefined {
  const paths = [...look.changed, ...look.untracked];
  if (paths.length > limits.files)
    return isKnown ? `more than ${limits.files} files are new` : `the project has more than ${limits.files} files`;
  let bytes = 0;
  for (const path of paths) {
    bytes += attempt(() => lstatSync(placeOf(root, path), { throwIfNoEntry: false }))?.size ?? 0;
    const most = `${Math.round(limits.bytes / 1024 ** 3)} GB`;
    if (bytes > limits.bytes)
      return isKnown ? `new files are larger than ${most}` : `the project is larger than ${most}`;
  }
  return undefined;
}

/** Not killed, and no more amiss than that some files could not be read. */
export const isDone = (answer: GitAnswer): boolean =>
  answer.status === "ok" || (answer.status === "failed" && !/^fatal:/m.test(answer.problem));

/** git writes no index where there is nothing to put into it. */
export const indexNow = (index: string): IndexFile | undefined => (existsSync(index) ? readIndex(index) : NO_INDEX);

export async function treeIn(store: PrivateStore, index: string, now: IndexFile): Promise<Tree | undefined> {
  const tree = now.tree ?? (await writeTree(store, index));
  return tree === undefined ? undefined : { tree, entries: now.entries };
}

export async function writeTree(store: PrivateStore, index: string): Promise<string | undefined> {
  const answer = await store.git(["write-tree", "--missing-ok"], { index });
  return answer.status === "ok" ? answer.output.toString("latin1").trim() : undefined;
}
