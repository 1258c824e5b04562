import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Mutant } from "./mutate.ts";

/** What became of a mistake. */
export type Verdict =
  | { readonly status: "killed"; readonly by: string }
  | { readonly status: "survived" }
  | { readonly status: "refused" };

/**
 * Verdicts of earlier runs, one line each, so that a run that was killed continues where it was. One of a file that changed
 * since is forgotten, and so is a survivor of tests that changed.
 */
export interface Kept {
  get(mutant: Mutant): Verdict | undefined;
  keep(mutant: Mutant, verdict: Verdict): void;
}

export interface KeptIn {
  readonly path: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
  readonly fresh: boolean;
}

export function openKept({ path, sources, tests, fresh }: KeptIn): Kept {
  const files = Object.fromEntries(Object.entries(sources).map(([file, text]) => [file, digest([text])]));
  const testsNow = digest(tests);
  const known = new Map<string, Verdict>();
  mkdirSync(dirname(path), { recursive: true });
  if (fresh) rmSync(path, { force: true });
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  for (const line of lines.slice(0, -1)) {
    const { key, tests, verdict } = JSON.parse(line) as { key: string; tests: string; verdict: Verdict };
    if (verdict.status !== "survived" || tests === testsNow) known.set(key, verdict);
    else known.delete(key);
  }
  const keyOf = ({ file, change: { start, end, text } }: Mutant) => `${file} ${files[file]} ${start}-${end} ${text}`;
  return {
    get: (mutant) => known.get(keyOf(mutant)),
    keep(mutant, verdict) {
      known.set(keyOf(mutant), verdict);
      appendFileSync(path, `${JSON.stringify({ key: keyOf(mutant), tests: testsNow, verdict })}\n`);
    },
  };
}

const digest = (texts: readonly string[]): string =>
  createHash("sha256").update(texts.join("\0")).digest("hex").slice(0, 16);
