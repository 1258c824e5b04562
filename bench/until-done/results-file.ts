import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ResultRow, Results, RunHead } from "./results.ts";
import { isSame, named } from "./source.ts";

export type Begun =
  | { readonly status: "begun"; readonly rows: readonly ResultRow[]; readonly begun: string }
  | { readonly status: "refused"; readonly why: string };

/**
 * What a run begins with. `anew`: nothing; what stood there is kept under another name. `missing`: what a run that was broken
 * off has already, if it measured the same state of the code.
 */
export function beginRun(path: string, head: RunHead, what: "anew" | "missing"): Begun {
  const before = readJson<Results>(path);
  if (what === "anew") {
    if (before) renameSync(path, asidePath(path, before.run.begun));
    return { status: "begun", rows: [], begun: head.begun };
  }
  if (!before) return { status: "begun", rows: [], begun: head.begun };
  if (isSame(before.run.source, head.source)) return { status: "begun", rows: before.rows, begun: before.run.begun };
  return {
    status: "refused",
    why:
      `${path} measured ${named(before.run.source)}; this is ${named(head.source)}. ` +
      "Without --missing a new run begins, and that one is kept beside it.",
  };
}

/** A name that is free, with the time at which that run began. */
function asidePath(path: string, begun: string): string {
  const stem = `${path.replace(/\.json$/, "")}.${begun.replaceAll(/[:.]/g, "-")}`;
  for (let count = 0; ; count++) {
    const aside = `${stem}${count === 0 ? "" : `-${count}`}.json`;
    if (!existsSync(aside)) return aside;
  }
}

/** Undefined: there is no such file. */
export function readJson<Content>(path: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whole or not at all: a run that is interrupted keeps what it has. */
export function writeJson(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${withPlaysOnLines(JSON.stringify(content, null, 2))}\n`);
  renameSync(`${path}.new`, path);
}

/** A line for each cell, so that two runs can be compared by eye. No string in JSON holds a line break. */
const withPlaysOnLines = (json: string): string =>
  json.replaceAll(/"plays": \[[^\]]*\]/g, (plays) => plays.replaceAll(/\s*\n\s*/g, " "));
