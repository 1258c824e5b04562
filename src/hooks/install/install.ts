import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../../machine/index.ts";
import type { HostWithHooks } from "../hook-profile.ts";
import { readConfig, replaceConfig, whyNotWritable } from "./config-file.ts";
import { fileEdits, type Launch, type Want } from "./file-edits.ts";
import type { FileMemory } from "./json-editor.ts";
import type { Scope, Whereabouts } from "./places.ts";

/** A file of a host, before and after; undefined: there is none. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly memory: FileMemory;
}
export type Planned =
  | { readonly ok: true; readonly changes: readonly FileChange[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface InstallRequest {
  readonly host: HostWithHooks;
  readonly scope: Scope;
  readonly where: Whereabouts;
  readonly launch: Launch;
  /** Where backups and what was written are kept. */
  readonly state: string;
}

/** What an installation changes. Nothing is written; a file that cannot be read as what it should be refuses the whole. */
export function planInstall(request: InstallRequest): Planned {
  const { host, where } = request;
  if (host.hook.hasPlugin?.(where))
    return { ok: false, problems: [`tildone is in ${host.name} as a plugin already; one is enough.`] };
  return planned(request, "in");
}

/** What taking it out changes: our entries go, whatever stands around them by now, and every other byte stays. */
export const planUninstall = (request: InstallRequest): Planned => planned(request, "out");

function planned(request: InstallRequest, want: Want): Planned {
  const { host, scope, where, launch } = request;
  const problems: string[] = [];
  const kept = readKept(request);
  const edits = fileEdits(host, host.hook.placesOf(scope, where), launch, want, (path) => {
    const read = readConfig(path);
    return read.ok ? read.text : undefined;
  });
  const changes = edits.flatMap(({ path, edit }): FileChange[] => {
    const read = readConfig(path);
    if (!read.ok) return refused(path, read.problem);
    const before = read.text;
    if (want === "out" && before === undefined) return [];
    const edited = edit(before, kept.find((file) => file.path === path)?.memory);
    if (!edited.ok) return refused(path, edited.problem);
    return edited.text === before ? [] : changed({ path, before, after: edited.text, memory: edited.memory });
  });
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
  const next = changes.map(({ path, before, memory }): Kept => {
    const backup = kept.find((file) => file.path === path)?.backup ?? keepBackup(request, path, before);
    return { path, memory, ...(backup !== undefined && { backup }) };
  });
  writeKept(request, [...kept.filter(({ path }) => !changes.some((change) => change.path === path)), ...next]);
  for (const { path, after } of changes) replaceConfig(path, after);
}

export function applyUninstall(request: InstallRequest, changes: readonly FileChange[]): void {
  for (const { path, after } of changes) replaceConfig(path, after);
  rmSync(keptFile(request), { force: true });
}

/** What is remembered of a file that holds entries of ours. */
interface Kept {
  readonly path: string;
  readonly memory?: FileMemory;
  /** The file as it was before the first of them. */
  readonly backup?: string;
}

const keptFile = ({ state, host, scope, where }: InstallRequest): string =>
  join(state, "installed", `${host.name}-${scope === "user" ? "user" : digestOf(where.cwd).slice(0, 12)}.json`);

function readKept(request: InstallRequest): readonly Kept[] {
  const text = readText(keptFile(request));
  return text === undefined ? [] : (JSON.parse(text) as Kept[]);
}

function writeKept(request: InstallRequest, kept: readonly Kept[]): void {
  const file = keptFile(request);
  makeFolder(dirname(file), 0o700);
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
}

function keepBackup({ state, host }: InstallRequest, path: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const backup = join(
    state,
    "backups",
    `${host.name}-${digestOf(path).slice(0, 8)}-${digestOf(text).slice(0, 8)}-${basename(path)}`,
  );
  makeFolder(dirname(backup), 0o700);
  writeFileSync(backup, text, { mode: 0o600 });
  return backup;
}

const readText = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
