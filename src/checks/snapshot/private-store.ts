import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { attempt, FILE_TICK_MS, hashOf, makeFolder } from "../../machine/index.ts";
import type { Git, GitAnswer, GitMore, Setting } from "../workspace/git.ts";
import { type FoundRepository, findRepository } from "../workspace/git-repository.ts";
import { asBytes, indexInfo } from "./entries.ts";
import { type IndexFile, readIndex } from "./git-index.ts";

/**
 * A repository of our own beside a project: git's way to name trees, without its refs, hooks, filters and settings. Nothing
 * in it is borrowed from the user's repository, so that no gc and no rewritten history there takes anything away here.
 */
export interface PrivateStore {
  /** The top of the project: of its repository where it has one. */
  readonly root: string;
  /** Where it lies. */
  readonly place: string;
  /** Changes with all that decides which files it sees. */
  readonly mark: string;
  readonly git: (args: readonly string[], more?: GitMore & { readonly index?: string }) => Promise<GitAnswer>;
  /**
   * Works on a copy of a kept index and puts it back: a process that is killed leaves no lock behind. The work looks at every file in it;
   * undefined: it did not, and nothing is put back.
   */
  withIndex<T>(name: string, work: (index: string, before: IndexFile | undefined) => Promise<T>): Promise<T>;
  /** A kept index as it is, under a name of its own; nothing lies there if there is none. */
  withKept<T>(name: string, work: (index: string) => Promise<T>): Promise<T>;
  /** An index that is gone afterwards. */
  withoutIndex<T>(work: (index: string) => Promise<T>): Promise<T>;
}

/** Undefined: there is no git here. */
export async function openPrivateStore(
  git: Git,
  cwd: string,
  directory: string,
  findProject: FindProject = findOwn,
): Promise<PrivateStore | undefined> {
  const [repository, ignoring] = await Promise.all([findProject(git, cwd), excludesFile(git, cwd)]);
  const root = repository?.root ?? realpathSync(cwd);
  const place = join(directory, hashOf("sha256", Buffer.from(root)).toString("hex", 0, 16));
  tidy(directory, place);
  if (statSync(join(place, "HEAD"), { throwIfNoEntry: false }) === undefined) {
    makeFolder(directory, 0o700);
    // Made aside and moved: no process finds half of one.
    const draft = `${place}.${crypto.randomUUID()}`;
    const made = await git(directory, ["init", "-q", "--bare", "--template=", "--object-format=sha1", draft]);
    if (made.status !== "ok") return undefined;
    if (!tryTo(() => renameSync(draft, place))) rmSync(draft, { recursive: true, force: true });
  }
  mkdirSync(join(place, "info"), { recursive: true });
  put(join(place, "info/attributes"), EXACT);
  const excluded = [repository ? textOf(repository.exclude) : "node_modules/\n", OWN, ownPlace(root, directory)];
  put(join(place, "info/exclude"), excluded.join("\n"));
  const settings = [...SETTINGS, ...(repository ? ignoring : [])];

  const ask: PrivateStore["git"] = (args, { index, ...more } = {}) =>
    git(root, args, {
      ...more,
      settings: [...settings, ...(more.settings ?? [])],
      variables: {
        GIT_DIR: place,
        GIT_WORK_TREE: root,
        GIT_NO_REPLACE_OBJECTS: "1",
        GIT_LITERAL_PATHSPECS: "1",
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
        ...more.variables,
      },
    });
  const mark = JSON.stringify([root, excluded, settings]);
  return { root, place, mark, git: ask, withIndex, withKept, withoutIndex };

  function withKept<T>(name: string, work: (index: string) => Promise<T>): Promise<T> {
    return withoutIndex((index) => {
      tryTo(() => linkSync(join(place, name), index));
      return work(index);
    });
  }

  async function withIndex<T>(
    name: string,
    work: (index: string, before: IndexFile | undefined) => Promise<T>,
  ): Promise<T> {
    const kept = join(place, name);
    return withoutIndex(async (index) => {
      const began = (Date.now() - FILE_TICK_MS) / 1000;
      // A link keeps the time of the file, by which git knows which entries it must read again.
      tryTo(() => linkSync(kept, index));
      const before = readIndex(index);
      if (!before) rmSync(index, { force: true });
      else if (before.doubtful.length > 0) await forget(index, before);
      const result = await work(index, before);
      if (result === undefined) return result;
      // All was looked at since then, and nothing before.
      tryTo(() => utimesSync(index, began, began));
      tryTo(() => renameSync(index, kept));
      return result;
    });
  }

  /** How these files lay on the disk, so that git reads them anew. */
  async function forget(index: string, { entries, doubtful }: IndexFile): Promise<void> {
    const all = entries();
    const input = indexInfo(new Map(doubtful.map((path) => [path, all.get(path)!])));
    await ask(["update-index", "-z", "--index-info"], { index, input });
  }

  async function withoutIndex<T>(work: (index: string) => Promise<T>): Promise<T> {
    const index = join(place, `index.${crypto.randomUUID()}`);
    try {
      return await work(index);
    } finally {
      for (const path of [index, `${index}.lock`]) rmSync(path, { force: true });
    }
  }
}

/** The repository that a folder is part of as a project; undefined: the folder is one of its own. */
export type FindProject = (git: Git, cwd: string) => Promise<FoundRepository | undefined>;

/** Where a home folder is itself a repository, most folders in it are not part of that. */
const findOwn: FindProject = async (git, cwd) => {
  const found = await findRepository(git, cwd);
  return found?.only === undefined ? found : undefined;
};

/** Above every .gitattributes of the project: bytes go in and come out as they are. */
const EXACT = "* -text -eol -filter -ident -working-tree-encoding -diff -merge\n";
/** Our log may lie in the project it is about, and an undo prepares its files there; neither is part of the work. */
const OWN = "tildone.db\ntildone.db-*\n/.tildone-undo-*/\n";

const SETTINGS: readonly Setting[] = [
  ["core.autocrlf", "false"],
  ["core.safecrlf", "false"],
  ["core.fileMode", "true"],
  ["core.symlinks", "true"],
  ["core.splitIndex", "false"],
  ["core.sparseCheckout", "false"],
  ["core.protectNTFS", "false"],
  ["core.protectHFS", "false"],
  ["core.compression", "1"],
  ["core.fsync", "none"],
  ["core.attributesFile", "/dev/null"],
  ["core.logAllRefUpdates", "false"],
  ["advice.addEmbeddedRepo", "false"],
  ["index.sparse", "false"],
  ["index.version", "2"],
];

const textOf = (path: string): string => attempt(() => readFileSync(path, "latin1")) ?? "";

/** Another process may be reading it: it is there as a whole at any time, and stays untouched where it is the same. */
export function put(path: string, text: string): void {
  if (textOf(path) === text) return;
  const draft = `${path}.${crypto.randomUUID()}`;
  writeFileSync(draft, text, "latin1");
  renameSync(draft, path);
}

async function excludesFile(git: Git, cwd: string): Promise<readonly Setting[]> {
  const answer = await git(cwd, ["config", "--type=path", "--get", "core.excludesFile"]);
  return answer.status === "ok" ? [["core.excludesFile", answer.output.toString("utf8").trimEnd()]] : [];
}

const UNUSED_MS = 60 * 24 * 60 * 60_000;
const AT_WORK_MS = 60 * 60_000;
const AT_WORK = /^(?:index|ref)\.[0-9a-f-]{36}(?:\.lock)?$/;

/** Removes stores that no run used for long, and what killed processes left. Using a store writes into its folder. */
function tidy(directory: string, place: string): void {
  const now = Date.now();
  removeWhere(directory, (_, { mtimeMs }) => now - mtimeMs > UNUSED_MS);
  // A copy in use keeps the time of what it is a copy of; when it was made only the other time tells.
  removeWhere(place, (name, { ctimeMs }) => AT_WORK.test(name) && now - ctimeMs > AT_WORK_MS);
}

function removeWhere(folder: string, isOver: (name: string, stat: Stats) => boolean): void {
  tryTo(() => {
    for (const name of readdirSync(folder)) {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      if (stat && isOver(name, stat)) rmSync(join(folder, name), { recursive: true, force: true });
    }
  });
}

/** Our own folder may lie in the project, as in a home directory that is one. */
function ownPlace(root: string, directory: string): string {
  const inner = relative(root, directory);
  if (inner === "" || inner.startsWith("..")) return "";
  return `/${asBytes(inner.split(sep).join("/"))}/\n`;
}

function tryTo(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false; // none yet, or another process was first
    throw error;
  }
}
