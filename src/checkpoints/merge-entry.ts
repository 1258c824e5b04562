import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Entry, isSame } from "../checks/index.ts";
import type { Parts } from "./ports.ts";

/** `entry` undefined: there is no file. */
export type Merged = { readonly status: "merged"; readonly entry: Entry | undefined } | { readonly status: "conflict" };

export interface Versions {
  readonly now: Entry | undefined;
  /** What the step left, and what it found: the step is taken back from `now`. */
  readonly after: Entry | undefined;
  readonly before: Entry | undefined;
}

/** Takes one step back from a file that may have changed since. */
export async function mergeEntry(parts: Parts, cwd: string, { now, after, before }: Versions): Promise<Merged> {
  if (isSame(now, after) || isSame(before, now)) return merged(before);
  if (isSame(after, before)) return merged(now);
  if (!isFile(now) || !isFile(after) || !isFile(before)) return CONFLICT;
  const mode = now.mode === after.mode ? before.mode : now.mode;
  if (now.oid === after.oid) return merged({ mode, oid: before.oid });
  if (after.oid === before.oid || now.oid === before.oid) return merged({ mode, oid: now.oid });
  const oid = await mergeLines(parts, cwd, [now, after, before]);
  return oid === undefined ? CONFLICT : merged({ mode, oid });
}

const merged = (entry: Entry | undefined): Merged => ({ status: "merged", entry });
const CONFLICT: Merged = { status: "conflict" };
const isFile = (entry: Entry | undefined): entry is Entry => entry?.mode === "100644" || entry?.mode === "100755";

/** Undefined: the same lines were changed, or they are no lines. */
async function mergeLines(parts: Parts, cwd: string, versions: readonly Entry[]): Promise<string | undefined> {
  const contents: Buffer[] = [];
  for (const version of versions) {
    const content = await parts.snapshots.read(cwd, version);
    if (!content || content.length > LARGEST || content.subarray(0, 8_000).includes(0)) return undefined;
    contents.push(content);
  }
  const folder = mkdtempSync(join(tmpdir(), "tildone-merge-"));
  try {
    contents.forEach((content, at) => {
      writeFileSync(join(folder, `${at}`), content);
    });
    const answer = await parts.git(folder, ["merge-file", "-p", "-q", "0", "1", "2"]);
    return answer.status === "ok" ? parts.snapshots.write(cwd, answer.output) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const LARGEST = 8 * 1024 * 1024;
