import { closeSync, fsyncSync, linkSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, hashOf, makeFolder, processStart } from "../machine/index.ts";
import type { FileChange } from "./plan-undo.ts";
import type { IndexStep } from "./user-index.ts";

/** An undo under way: written before the first file changes, removed when the log knows of it. */
export interface Journal {
  readonly v: 1;
  readonly root: string;
  readonly cwd: string;
  /** Where the new files wait and the old ones go. */
  readonly staging: string;
  readonly changes: readonly FileChange[];
  readonly index: readonly IndexStep[];
  /** The run, what its checkpoint afterwards is called, and the tree it is measured against. */
  readonly after: { readonly run: string; readonly id: string; readonly tree: string };
  /** Folders that are younger go when they are empty. */
  readonly since: number;
  /** What the run is told when it is done. */
  readonly then: unknown;
  readonly owner: { readonly pid: number; readonly started: string | undefined };
}

export const journalOf = (directory: string, root: string): string =>
  join(directory, `undo-${hashOf("sha256", Buffer.from(root)).toString("hex", 0, 16)}.json`);

export const thisProcess = (): Journal["owner"] => ({ pid: process.pid, started: processStart(process.pid) });

/** False: another process is taking something back there. */
export function writeJournal(file: string, journal: Journal): boolean {
  const draft = `${file}.${process.pid}`;
  makeFolder(join(file, ".."), 0o700);
  writeFileSync(draft, JSON.stringify(journal), { mode: 0o600 });
  const handle = openSync(draft, "r");
  fsyncSync(handle);
  closeSync(handle);
  try {
    linkSync(draft, file); // fails where there is one
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Undefined: nothing is under way. */
export function readJournal(file: string): Journal | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Journal;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

export const isOwnerAlive = ({ owner }: Journal): boolean =>
  owner.pid !== process.pid && owner.started !== undefined && processStart(owner.pid) === owner.started;

/** What processes left that died before their journal was written. */
export function removeStrayStaging(root: string, except: string | undefined): void {
  for (const name of readdirSync(root)) {
    const [, pid] = STAGING.exec(name) ?? [];
    const path = join(root, name);
    if (pid !== undefined && path !== except && processStart(Number(pid)) === undefined)
      rmSync(path, { recursive: true, force: true });
  }
}

const STAGING = /^\.tildone-undo-(\d+)-[0-9a-f]{8}$/;
export const stagingIn = (root: string): string =>
  join(root, `.tildone-undo-${process.pid}-${crypto.randomUUID().slice(0, 8)}`);
