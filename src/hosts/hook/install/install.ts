import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { HostName } from "../dialect.ts";
import { readConfig, replaceConfig, whyNotWritable } from "./config-file.ts";
import { fileEdits, type Launch } from "./file-edits.ts";
import { placesOf, type Scope, type Whereabouts } from "./places.ts";
import { hasPlugin } from "./plugin.ts";

/** A file of a host, before and after; undefined: there is none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}
export type Planned =
  | { readonly ok: true; readonly changes: readonly FileChange[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface InstallRequest {
  readonly host: HostName;
  readonly scope: Scope;
  readonly where: Whereabouts;
  readonly launch: Launch;
  /** Where backups and what was written are kept. */
  readonly state: string;
}

/** What an installation changes. Nothing is written; a file that cannot be read as what it should be refuses the whole. */
export function planInstall(request: InstallRequest): Planned {
  const { host, where } = request;
  if (hasPlugin(host, where))
    return { ok: false, problems: [`tildone is in ${host} as a plugin already, and one is enough.`] };
  return planned(request, "in", () => undefined);
}

/**
 * What taking it out changes. A file that stands as the installation left it gets the very bytes it had before; one that
 * somebody changed since loses our entries and nothing else.
 */
export function planUninstall(request: InstallRequest): Planned {
  const kept = readKept(request);
  return planned(request, "out", (path, text) => {
    const entry = kept.find((file) => file.path === path);
    if (!entry || text === undefined || digestOf(text) !== entry.wrote) return undefined;
    return { before: entry.backup === undefined ? undefined : readText(entry.backup) };
  });
}

type Remembered = (path: string, text: string | undefined) => { readonly before: string | undefined } | undefined;

function planned({ host, scope, where, launch }: InstallRequest, want: "in" | "out", remembered: Remembered): Planned {
  const problems: string[] = [];
  const changes = fileEdits(host, placesOf(host, scope, where), launch, want).flatMap(
    ({ path, edit }): FileChange[] => {
      const read = readConfig(path);
      if (!read.ok) return refused(path, read.problem);
      const before = read.text;
      const exact = remembered(path, before);
      if (exact) return changed({ path, before, after: exact.before });
      if (want === "out" && before === undefined) return [];
      const edited = edit(before);
      if (!edited.ok) return refused(path, edited.problem);
      return edited.text === before ? [] : changed({ path, before, after: edited.text });
    },
  );
  return problems.length > 0 ? { ok: false, problems } : { ok: true, changes };

  function changed(change: FileChange): FileChange[] {
    const problem = whyNotWritable(change.path);
    return problem === undefined ? [change] : refused(change.path, problem);
  }
  function refused(path: string, problem: string): FileChange[] {
    problems.push(`${path}: ${problem}.`);
    return [];
  }
}

/** Writes an installation: each file is kept first, then replaced as a whole. */
export function applyInstall(request: InstallRequest, changes: readonly FileChange[]): void {
  const kept = readKept(request);
  const next = changes.map(({ path, before, after }): Kept => {
    const known = kept.find((file) => file.path === path);
    // Installed before and changed again: what stood there at first is what must come back.
    const isOnTop = known !== undefined && before !== undefined && digestOf(before) === known.wrote;
    const backup = isOnTop ? known.backup : keepBackup(request, path, before);
    return { path, wrote: digestOf(after ?? ""), ...(backup !== undefined && { backup }) };
  });
  writeKept(request, [...kept.filter(({ path }) => !changes.some((change) => change.path === path)), ...next]);
  for (const { path, after } of changes) replaceConfig(path, after);
}

export function applyUninstall(request: InstallRequest, changes: readonly FileChange[]): void {
  for (const { path, after } of changes) replaceConfig(path, after);
  rmSync(keptFile(request), { force: true });
}

interface Kept {
  readonly path: string;
  /** Digest of what was written: whoever finds other bytes knows that somebody changed them. */
  readonly wrote: string;
  readonly backup?: string;
}

const keptFile = ({ state, host, scope, where }: InstallRequest): string =>
  join(state, "installed", `${host}-${scope === "user" ? "user" : digestOf(where.cwd).slice(0, 12)}.json`);

function readKept(request: InstallRequest): readonly Kept[] {
  const text = readText(keptFile(request));
  return text === undefined ? [] : (JSON.parse(text) as Kept[]);
}

function writeKept(request: InstallRequest, kept: readonly Kept[]): void {
  const file = keptFile(request);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
}

function keepBackup({ state, host }: InstallRequest, path: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const backup = join(
    state,
    "backups",
    `${host}-${digestOf(path).slice(0, 8)}-${digestOf(text).slice(0, 8)}-${basename(path)}`,
  );
  mkdirSync(dirname(backup), { recursive: true, mode: 0o700 });
  writeFileSync(backup, text, { mode: 0o600 });
  return backup;
}

const readText = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
