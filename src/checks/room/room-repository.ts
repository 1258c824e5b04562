import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Entries, readIndex } from "../snapshot/index.ts";
import type { Git, GitAnswer } from "../workspace/git.ts";

/** Where a repository stood: its branch, its commit, and what its names meant. */
export interface RepositoryState {
  readonly branch?: string;
  readonly head?: string;
  /** Absent: too many to keep. */
  readonly refs?: Readonly<Record<string, string>>;
}

const MOST_REFS = 1000;

/** Undefined: there is no repository. */
export async function repositoryState(git: Git, root: string): Promise<RepositoryState | undefined> {
  const [shown, symbolic] = await Promise.all([
    git(root, ["show-ref", "--head"]),
    git(root, ["symbolic-ref", "-q", "HEAD"]),
  ]);
  if (shown.status !== "ok" && symbolic.status !== "ok") return undefined;
  const lines = shown.status === "ok" ? shown.output.toString("utf8").split("\n") : [];
  const all = lines.flatMap((line) => {
    const [oid = "", name] = line.split(" ");
    return name === undefined || name.startsWith("refs/replace/") ? [] : [[name, oid] as const];
  });
  const { HEAD: head, ...refs } = Object.fromEntries(all);
  return {
    ...(symbolic.status === "ok" && { branch: symbolic.output.toString("utf8").trim() }),
    ...(head !== undefined && { head }),
    ...(all.length <= MOST_REFS && { refs }),
  };
}

export interface RoomHistory {
  /** Where the repository stood before the work; undefined: it is not known. */
  readonly begun: RepositoryState | undefined;
  /**
   * `begun`: as it stood before the work. `committed`: with what was laid out as one commit on it, for a check that wants a clean
   * repository. `as it is`: for a check of commits and tags, which are work then.
   */
  readonly as: Standing;
}
/** What was laid out, and what of it git ignores. */
export interface Laid {
  readonly entries: Entries;
  readonly ignored: Entries;
}

export type Standing = "begun" | "committed" | "as it is";

/** A project's repository, and how that of a room is to stand. */
export interface FoundRepository {
  readonly root: string;
  /** Its own folder, and the one that it shares with its worktrees. */
  readonly own: string;
  readonly common: string;
  readonly format: string;
  readonly refs: Readonly<Record<string, string>>;
  readonly base: RepositoryState | undefined;
  /** The room begins with the project's index, which names these files; undefined: with that of its commit. */
  readonly indexed: ReadonlySet<string> | undefined;
  readonly as: Standing;
}

/** What a look at a repository finds; undefined: the project has none of its own. */
export type RepositoryLook = Promise<FoundRepository | undefined>;

/** One look for each way in which it is to stand: all rooms of a round show the repository of one moment. */
export function looksAtRepository(git: Git, root: string, begun: RepositoryState | undefined) {
  const looks = new Map<Standing, RepositoryLook>();
  return (as: Standing): RepositoryLook => {
    const look = looks.get(as) ?? lookAtRepository(git, root, { begun, as });
    look.catch(() => {}); // told where it is awaited
    looks.set(as, look);
    return look;
  };
}

export async function lookAtRepository(git: Git, root: string, { begun, as }: RoomHistory): RepositoryLook {
  const [answer, now] = await Promise.all([
    git(root, [
      "rev-parse",
      "--show-toplevel",
      "--absolute-git-dir",
      "--path-format=absolute",
      "--git-common-dir",
      "--show-object-format",
    ]),
    repositoryState(git, root),
  ]);
  if (answer.status !== "ok") return undefined;
  const [top, own = "", common = "", format = "sha1"] = answer.output.toString("utf8").split("\n");
  if (top !== root) return undefined; // the project is a folder without a repository of its own
  const base = as !== "as it is" && begun && (await isKept(git, root, begun)) ? begun : now;
  const isIndexed = base === now && existsSync(join(own, "index"));
  return {
    root,
    own,
    common,
    format,
    refs: { ...now?.refs, ...base?.refs },
    base,
    indexed: isIndexed ? await indexedIn(git, root, own, format) : undefined,
    as,
  };
}

/** An index of the usual kind is read sooner than git starts. */
async function indexedIn(git: Git, root: string, own: string, format: string): Promise<ReadonlySet<string>> {
  const file = format === "sha1" ? readIndex(join(own, "index")) : undefined;
  return file ? file.paths() : pathsIn(await git(root, ["ls-files", "-z"]));
}

/**
 * Enough of a repository for commands that ask git. History is borrowed; branch, commit and names are those of the beginning, so that
 * what a check compares with is not what the agent committed. Names that are new since are work. There are no settings, no hooks, and
 * no replaced objects. What was laid out is not committed: all of the work is a change.
 */
export async function copyRepository(
  git: Git,
  found: FoundRepository | undefined,
  work: string,
  { entries, ignored }: Laid,
): Promise<void> {
  if (!found) return;
  const { root, own, common, format, base, as } = found;
  const isCommitted = as === "committed";
  const place = join(work, ".git");
  await mkdir(join(place, "objects/info"), { recursive: true });
  await mkdir(join(place, "refs/heads"), { recursive: true });
  await writeFile(join(place, "objects/info/alternates"), `${join(common, "objects")}\n`);
  const extension = format === "sha256" ? "[extensions]\n\tobjectFormat = sha256\n" : "";
  const version = format === "sha256" ? 1 : 0;
  await writeFile(
    join(place, "config"),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n${extension}`,
  );
  for (const [from, name] of [
    [common, "shallow"],
    [common, "info/exclude"],
  ] as const)
    if (existsSync(join(from, name))) await cp(join(from, name), join(place, name), { recursive: true });
  const refs = Object.entries(found.refs).filter(([name, oid]) => isName(name) && isOid(oid));
  const lines = refs.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, oid]) => `${oid} ${name}\n`);
  await writeFile(join(place, "packed-refs"), lines.join(""));
  const branch = base?.branch ?? (base?.head === undefined ? "refs/heads/main" : undefined);
  await writeFile(join(place, "HEAD"), branch === undefined ? `${base?.head}\n` : `ref: ${branch}\n`);
  const ask = (args: readonly string[], input?: Buffer, variables: Readonly<Record<string, string>> = {}) =>
    git(work, args, {
      ...(input && { input }),
      variables: { GIT_DIR: place, GIT_WORK_TREE: work, GIT_NO_REPLACE_OBJECTS: "1", ...variables },
    });
  if (found.indexed) await cp(join(own, "index"), join(place, "index"));
  else if (base?.head !== undefined) await ask(["read-tree", base.head]);
  const known = found.indexed ?? pathsIn(await ask(["ls-files", "-z"]));
  const add = ["add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const isFresh = (path: string) => (isCommitted || !known.has(path)) && !ignored.has(path);
  const fresh = [...entries.keys()].filter(isFresh);
  if (fresh.length > 0) await ask([...add, ...(isCommitted ? [] : ["--intent-to-add"])], asInput(fresh), LITERAL);
  if (!isCommitted) return;
  await ask(["update-index", "--remove", "-z", "--stdin"], asInput([...known].filter(Boolean)));
  await commit(ask, base, await words(git, root));
}

const pathsIn = (listed: GitAnswer): ReadonlySet<string> =>
  new Set(listed.status === "ok" ? listed.output.toString("latin1").split("\0") : []);

const asInput = (paths: readonly string[]): Buffer => Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");

/** A note may come from another machine: nothing of it is written unchecked. */
const isName = (name: string): boolean => /^refs\/[^\s~^:?*[\\]+$/.test(name);
const isOid = (oid: unknown): boolean => typeof oid === "string" && /^[0-9a-f]{40,64}$/.test(oid);

const LITERAL = { GIT_LITERAL_PATHSPECS: "1" };

/** The commit is there, whatever became of the history since. */
async function isKept(git: Git, root: string, { head, branch }: RepositoryState): Promise<boolean> {
  if (branch !== undefined && !isName(branch)) return false;
  if (head === undefined) return true;
  if (!isOid(head)) return false;
  return (await git(root, ["cat-file", "-e", `${head}^{tree}`])).status === "ok";
}

/** Who committed last, and in which words. */
async function words(git: Git, root: string): Promise<readonly [name: string, email: string, message: string]> {
  const shown = await git(root, ["show", "-s", "--format=%an%n%ae%n%B", "HEAD"]);
  const [name = "", email = "", ...message] = shown.status === "ok" ? shown.output.toString("utf8").split("\n") : [];
  return [name || "work", email || "work@localhost", message.join("\n") || "work"];
}

async function commit(
  ask: (args: readonly string[], input?: Buffer, variables?: Readonly<Record<string, string>>) => ReturnType<Git>,
  base: RepositoryState | undefined,
  [name, email, message]: readonly [string, string, string],
): Promise<void> {
  const tree = await ask(["write-tree"]);
  if (tree.status !== "ok") return;
  const parent = base?.head === undefined ? [] : ["-p", base.head];
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email };
  const committer = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  const made = await ask(["commit-tree", tree.output.toString("utf8").trim(), ...parent], Buffer.from(message), {
    ...author,
    ...committer,
  });
  if (made.status === "ok") await ask(["update-ref", "HEAD", made.output.toString("utf8").trim()]);
}

/** Commands that pass only where nothing is left to commit. */
const WANTS_CLEAN =
  /\bgit\b.*\b(?:status|diff|diff-index|diff-files|describe)\b.*(?:--porcelain|--exit-code|--quiet|--short|--dirty|-s\b)/;
const ASKS_HISTORY =
  /\bgit\b.*\b(?:describe|log|shortlog|rev-list|tag|merge-base|show-ref|branch|cherry)\b|\b(?:commitlint|changeset|semantic-release|lerna|gitlint|conventional\w*)\b/;

/** How else a repository may stand for commands that ask for it. */
export function otherStandings(commands: readonly (readonly string[])[]): readonly Standing[] {
  const asks = (pattern: RegExp) => commands.some((words) => pattern.test(words.join(" ")));
  return [...(asks(WANTS_CLEAN) ? ["committed" as const] : []), ...(asks(ASKS_HISTORY) ? ["as it is" as const] : [])];
}
