import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { makeFolder } from "../../machine/index.ts";

/** A file that is not ours: its text, or that there is none, or why it cannot be read. */
export type ConfigFile =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly problem: string };

export function readConfig(path: string): ConfigFile {
  try {
    const bytes = readFileSync(path);
    const text = bytes.toString("utf8");
    // What is not UTF-8 would come back as something else.
    return Buffer.from(text).equals(bytes) ? { ok: true, text } : { ok: false, problem: "it is not UTF-8" };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { ok: true, text: undefined };
    return { ok: false, problem: `it cannot be read (${code})` };
  }
}

/** Nothing, where it cannot be read: the installation says so. */
export function textOf(path: string): string {
  const read = readConfig(path);
  return read.ok ? (read.text ?? "") : "";
}

/** Why a file cannot be replaced, asked before the first of several is touched. One that is read-only was made so on purpose. */
export function whyNotWritable(path: string): string | undefined {
  const real = behindLinks(path);
  if (existsSync(real) && !isWritable(real)) return "it is read-only";
  let folder = dirname(real);
  while (!existsSync(folder)) folder = dirname(folder);
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
  return isWritable(folder) ? undefined : `the folder ${folder} is read-only`;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** In one move, so that a host never reads half a file. A link into your dotfiles stays a link. */
export function replaceConfig(path: string, text: string | undefined): void {
  const real = behindLinks(path);
  if (text === undefined) {
    rmSync(real, { force: true });
    return;
  }
  makeFolder(dirname(real));
  const mode = statSync(real, { throwIfNoEntry: false })?.mode ?? 0o600;
  const beside = `${real}.tildone`;
  writeFileSync(beside, text, { mode });
  renameSync(beside, real);
}

/** Where a path leads, also if nothing is there yet. */
function behindLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  try {
    return behindLinks(resolve(dirname(path), readlinkSync(path)));
  } catch {
    return path; // no link
  }
}
