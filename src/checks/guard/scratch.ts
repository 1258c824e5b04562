import { constants, existsSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { chmod, copyFile, cp, lstat, mkdir, readlink, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Git } from "../workspace/git.ts";
import { listFiles, listIgnored } from "./list-files.ts";

/** A copy of the project that can be changed without changing the project. */
export interface Scratch {
  /** The copy of the directory that was asked for. */
  readonly path: string;
  /** Puts a file back to what it was; whatever stands in its way gives way. */
  put(path: string, content: Buffer, mode: string): Promise<void>;
  dispose(): void;
}

const MOST_FILES = 100_000;
const MOST_BYTES = 4 * 1024 * 1024 * 1024;
const AT_ONCE = 32;

/**
 * Copies what is tracked or could be; what is ignored (dependencies, build output) is linked, since checks need it and it
 * may be of any size. Undefined: the project is too large to copy, or `signal` fired.
 */
export async function makeScratch(
  git: Git,
  cwd: string,
  place: string,
  signal: AbortSignal,
): Promise<Scratch | undefined> {
  const here = await realpath(cwd);
  const root = await rootOf(git, here);
  const files = await listFiles(git, root);
  if (files.length > MOST_FILES) return undefined;
  const target = mkdtempSync(join(await realpath(place), "tildone-"));
  const dispose = () => rmSync(target, { recursive: true, force: true });
  try {
    const fits = (await copyAll(root, target, files, signal)) && (await linkIgnored(git, root, target, signal));
    if (fits) {
      await copyRepository(git, root, target);
      return {
        path: join(target, relative(root, here)),
        put: (path, content, mode) => put(join(target, relative(root, here)), path, content, mode),
        dispose,
      };
    }
  } catch (error) {
    dispose();
    throw error;
  }
  dispose();
  return undefined;
}

async function rootOf(git: Git, cwd: string): Promise<string> {
  const answer = await git(cwd, ["rev-parse", "--show-toplevel"]);
  const root = answer.status === "ok" ? answer.output.toString("utf8").trimEnd() : "";
  return root === "" ? cwd : root;
}

async function copyAll(from: string, to: string, files: readonly string[], signal: AbortSignal): Promise<boolean> {
  let size = 0;
  const made = new Set<string>();
  for (let at = 0; at < files.length; at += AT_ONCE) {
    if (signal.aborted || size > MOST_BYTES) return false;
    const batch = files.slice(at, at + AT_ONCE);
    for (const directory of new Set(batch.map((path) => dirname(path)))) {
      if (!made.has(directory)) await mkdir(join(to, directory), { recursive: true });
      made.add(directory);
    }
    size += (await Promise.all(batch.map((path) => copyOne(join(from, path), join(to, path))))).reduce(
      (a, b) => a + b,
      0,
    );
  }
  return size <= MOST_BYTES;
}

/** Its size. A file that is gone by now is as good as deleted. */
async function copyOne(from: string, to: string): Promise<number> {
  try {
    const stat = await lstat(from);
    if (stat.isSymbolicLink()) await symlink(await readlink(from), to);
    else if (stat.isDirectory())
      await cp(from, to, { recursive: true, verbatimSymlinks: true }); // a submodule
    else if (stat.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
    return stat.size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}

async function linkIgnored(git: Git, from: string, to: string, signal: AbortSignal): Promise<boolean> {
  const ignored = await listIgnored(git, from);
  // Without git nothing is ignored, but dependencies were left out of the walk.
  const all = ignored.length === 0 && existsSync(join(from, "node_modules")) ? ["node_modules/"] : ignored;
  for (const path of all) {
    if (signal.aborted) return false;
    const [source, place] = [join(from, path), join(to, path)];
    if (existsSync(place) || !existsSync(source)) continue;
    await mkdir(dirname(place), { recursive: true });
    if (path.endsWith("/")) await symlink(source, place.replace(/\/$/, ""));
    else await copyOne(source, place);
  }
  return true;
}

/** Enough of a repository for commands that ask git: its history is borrowed, its index and refs are copies. */
async function copyRepository(git: Git, root: string, target: string): Promise<void> {
  const answer = await git(root, ["rev-parse", "--absolute-git-dir", "--path-format=absolute", "--git-common-dir"]);
  if (answer.status !== "ok") return;
  const [own = "", common = ""] = answer.output.toString("utf8").split("\n");
  const place = join(target, ".git");
  await mkdir(join(place, "objects/info"), { recursive: true });
  await writeFile(join(place, "objects/info/alternates"), `${join(common, "objects")}\n`);
  for (const [from, name] of [
    [own, "HEAD"],
    [own, "index"],
    [common, "packed-refs"],
    [common, "refs"],
    [common, "config"],
    [common, "info"],
  ] as const)
    if (existsSync(join(from, name))) await cp(join(from, name), join(place, name), { recursive: true });
}

async function put(root: string, path: string, content: Buffer, mode: string): Promise<void> {
  const place = join(root, path);
  await clearWay(root, dirname(path));
  await rm(place, { recursive: true, force: true });
  if (mode === "120000") await symlink(content.toString("utf8"), place);
  else {
    await writeFile(place, content);
    await chmod(place, mode === "100755" ? 0o755 : 0o644);
  }
}

/** A link on the way would lead out of the copy; a file on the way is not what it was. */
async function clearWay(root: string, directory: string): Promise<void> {
  let at = root;
  for (const step of directory.split("/").filter((part) => part !== "" && part !== ".")) {
    at = join(at, step);
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) await rm(at, { force: true });
    await mkdir(at, { recursive: true });
  }
}
