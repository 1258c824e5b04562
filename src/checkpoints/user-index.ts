import { statSync } from "node:fs";
import { type Entry, type FindProject, findRepository, GITLINK, type Git, type Repository } from "../checks/index.ts";
import { mayLookTheSame } from "../machine/index.ts";
import type { Parts } from "./ports.ts";

/** What you staged, as far as it differs from your last commit. Your repository is only read here. */
export interface StagedState {
  readonly head: string;
  /** By path (bytes); a file whose removal is staged has the mode "0". Undefined: a merge is not finished. */
  readonly entries?: ReadonlyMap<string, Entry>;
}

/** Undefined: the project is no repository. */
export type ReadStaged = (cwd: string) => Promise<StagedState | undefined>;

/** Your index and your last commit mostly are what they were: then what is staged is, too. */
export function createStagedReader(git: Git, findProject: FindProject, now: () => number): ReadStaged {
  const known = new Map<string, { readonly mark: string; readonly staged: StagedState }>();
  return async (cwd) => {
    const repository = await findProject(git, cwd);
    if (!repository) return undefined;
    const { head = NO_COMMIT } = repository;
    const mark = markOf(repository, head, now());
    const before = known.get(cwd);
    if (mark !== undefined && before?.mark === mark) return before.staged;
    const staged = await readIndex(git, repository, head);
    if (mark === undefined) known.delete(cwd);
    else known.set(cwd, { mark, staged });
    return staged;
  };
}

/** Undefined: it changed just now, and may change again and look the same. */
function markOf({ root, index }: Repository, head: string, now: number): string | undefined {
  const stat = statSync(index, { bigint: true, throwIfNoEntry: false });
  if (stat && mayLookTheSame(stat.ctimeMs, now)) return undefined;
  return `${root} ${head} ${stat?.ino} ${stat?.size} ${stat?.mtimeNs} ${stat?.ctimeNs}`;
}

async function readIndex(git: Git, repository: Repository, head: string): Promise<StagedState> {
  const base = head === NO_COMMIT ? EMPTY_TREE[repository.algorithm] : head;
  const listed = await git(repository.root, [
    ...["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none"],
    base,
  ]);
  return listed.status === "ok" ? { head, ...parseRaw(listed.output) } : { head };
}

export const NO_COMMIT = "none";
const EMPTY_TREE = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;

export const REMOVED: Entry = { mode: "0", oid: "0".repeat(40) };

/** ":oldmode newmode oldoid newoid status\0path\0" */
function parseRaw(output: Buffer): Pick<StagedState, "entries"> {
  const fields = output.toString("latin1").split("\0");
  const entries = new Map<string, Entry>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", , oid = "", status] = fields[at]!.split(" ");
    if (status === "U") return {};
    entries.set(fields[at + 1]!, status === "D" ? REMOVED : { mode, oid });
  }
  return { entries };
}

/** Copies what is only staged into our store, so that it outlives your next `git add`. The paths that are kept. */
export async function keepStaged(parts: Parts, cwd: string, staged: StagedState | undefined) {
  const files = [...(staged?.entries ?? [])].filter(([, { mode, oid }]) => isFile(mode) && oid.length === 40);
  const store = files.length === 0 ? undefined : await parts.store(cwd);
  if (!store) return [];
  const missing = await missingIn(
    (input) => store.git(CHECK, { input }),
    files.map(([, { oid }]) => oid),
  );
  if (missing.length === 0) return files;
  const pack = await parts.git(store.root, PACK, { input: lines(missing) });
  const taken = pack.status === "ok" && (await store.git(["unpack-objects", "-q"], { input: pack.output }));
  return taken && taken.status === "ok" ? files : [];
}

const isFile = (mode: string): boolean => mode !== "0" && mode !== GITLINK;
const CHECK = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
const PACK = ["pack-objects", "--stdout", "-q"];
const lines = (oids: readonly string[]): string => oids.map((oid) => `${oid}\n`).join("");

async function missingIn(ask: (input: string) => ReturnType<Git>, oids: readonly string[]): Promise<readonly string[]> {
  const answer = await ask(lines(oids));
  if (answer.status !== "ok") return oids;
  const all = answer.output.toString("latin1").split("\n");
  return [...new Set(all.flatMap((line) => (line.endsWith(" missing") ? [line.slice(0, line.indexOf(" "))] : [])))];
}

/** One entry of your index that goes from what it is to what it was. "undefined": as in your last commit. */
export interface IndexStep {
  readonly path: string;
  readonly from?: Entry;
  readonly to?: Entry;
}

/**
 * Sets entries of your index where they still are what the todo left. Nothing else of your repository is written, and no hook runs.
 * False: it could not be done, because git is at work there or a content is gone.
 */
export async function restoreStaged(parts: Parts, cwd: string, steps: readonly IndexStep[]): Promise<boolean> {
  const now = steps.length === 0 ? undefined : await parts.readStaged(cwd);
  if (!now) return steps.length === 0;
  const due = steps.filter(({ path, from }) => isSameStaged(now.entries?.get(path), from));
  if (!now.entries || due.length === 0) return now.entries !== undefined;
  const root = (await findRepository(parts.git, cwd))?.root ?? cwd;
  const committed = await committedEntries(parts.git, root, now.head, due);
  const target = due.map(({ path, to }) => [path, to ?? committed.get(path) ?? REMOVED] as const);
  if (!(await bringBack(parts, cwd, root, target))) return false;
  const input = Buffer.from(target.map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}\0`).join(""), "latin1");
  return (await parts.git(root, ["update-index", "-z", "--index-info"], { input })).status === "ok";
}

const isSameStaged = (a: Entry | undefined, b: Entry | undefined): boolean => a?.mode === b?.mode && a?.oid === b?.oid;

async function committedEntries(git: Git, root: string, head: string, steps: readonly IndexStep[]) {
  const found = new Map<string, Entry>();
  const wanted = steps.filter(({ to }) => to === undefined).map(({ path }) => path);
  if (head === NO_COMMIT || wanted.length === 0) return found;
  const answer = await git(root, ["ls-tree", "-r", "-z", "--full-tree", head]);
  if (answer.status !== "ok") return found;
  const asked = new Set(wanted);
  for (const line of answer.output.toString("latin1").split("\0")) {
    const tab = line.indexOf("\t");
    const [mode = "", , oid = ""] = line.slice(0, tab).split(" ");
    if (tab > 0 && asked.has(line.slice(tab + 1))) found.set(line.slice(tab + 1), { mode, oid });
  }
  return found;
}

/** A content that your repository has thrown away since comes back from our store. */
async function bringBack(parts: Parts, cwd: string, root: string, target: readonly (readonly [string, Entry])[]) {
  const oids = target.filter(([, { mode }]) => isFile(mode)).map(([, { oid }]) => oid);
  const missing = await missingIn((input) => parts.git(root, CHECK, { input }), oids);
  if (missing.length === 0) return true;
  const pack = await (await parts.store(cwd))?.git(PACK, { input: lines(missing) });
  if (pack?.status !== "ok") return false;
  return (await parts.git(root, ["unpack-objects", "-q"], { input: pack.output })).status === "ok";
}

export const stagedAsJson = (state: StagedState) => ({
  head: state.head,
  ...(state.entries && { staged: [...state.entries].map(([path, { mode, oid }]) => [path, mode, oid]) }),
});

export function stagedFromJson(value: { head?: unknown; staged?: unknown } | undefined): StagedState | undefined {
  if (typeof value?.head !== "string") return undefined;
  if (!Array.isArray(value.staged)) return { head: value.head };
  const rows = value.staged as readonly (readonly [string, string, string])[];
  return { head: value.head, entries: new Map(rows.map(([path, mode, oid]) => [path, { mode, oid }])) };
}
