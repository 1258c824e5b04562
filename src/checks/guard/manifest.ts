import { hash } from "node:crypto";
import type { Part } from "./definition.ts";

/** What is protected, as it was: whole files, and pieces of files that define checks. */
export interface Manifest {
  readonly files: ReadonlyMap<string, ProtectedFile>;
  readonly parts: ReadonlyMap<string, Part>;
}
export interface ProtectedFile {
  readonly mode: string;
  readonly oid: string;
}

export const partKey = ({ path, name }: Pick<Part, "path" | "name">): string => `${path}\0${name}`;

/** The state now, except that what changed since `before` without a declaration is what it was before. */
export function mergeManifests(before: Manifest, now: Manifest, isDeclared: (path: string) => boolean): Manifest {
  const files = new Map(now.files);
  for (const [path, file] of before.files) if (!isDeclared(path)) files.set(path, file);
  const parts = new Map(now.parts);
  for (const [key, part] of before.parts) if (!isDeclared(part.path)) parts.set(key, part);
  return { files, parts };
}

export function writeManifest({ files, parts }: Manifest): { readonly name: string; readonly text: string } {
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify({
    v: VERSION,
    files: sorted(files).map(([path, { mode, oid }]) => [path, mode, oid]),
    parts: sorted(parts).map(([, { path, name, value }]) => [path, name, value]),
  });
  return { name: hash("sha256", text).slice(0, 32), text };
}

const VERSION = 1;

/** Undefined: this is not what `name` names. */
export function readManifest(name: string, text: string): Manifest | undefined {
  if (hash("sha256", text).slice(0, 32) !== name) return undefined;
  const { v, files, parts } = JSON.parse(text) as {
    v: number;
    files: [string, string, string][];
    parts: [string, string, string][];
  };
  if (v !== VERSION) return undefined;
  return {
    files: new Map(files.map(([path, mode, oid]) => [path, { mode, oid }])),
    parts: new Map(parts.map(([path, part, value]) => [partKey({ path, name: part }), { path, name: part, value }])),
  };
}
