import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowFolder } from "./folders.ts";
import { insideFolder, isInside } from "./inside-folder.ts";
import { LIMITS } from "./limits.ts";
import type { Problem } from "./problem.ts";
import { type ReadDefinition, type Reading, readDefinition } from "./read-definition.ts";
import type { ParseYaml } from "./yaml-text.ts";

export interface ReadFolder {
  readonly definitions: readonly ReadDefinition[];
  /** About the folder as a whole. */
  readonly problems: readonly Problem[];
}

/**
 * Every workflow of one folder: a directory in it, one level deep, with a `workflow.yaml`. Directories without one hold
 * phases that several workflows share. A folder that is not there is an empty one.
 */
export function readFolder(
  { path, within }: { readonly path: string; readonly within?: string },
  parse: ParseYaml,
): ReadFolder {
  const listed = listFolder(path, within);
  if (listed.status !== "listed")
    return { definitions: [], problems: listed.status === "wrong" ? [listed.problem] : [] };
  const reading: Reading = { root: listed.root, parse, phases: new Map() };
  const definitions = listed.names.flatMap((name) => readWorkflow(reading, path, name) ?? []);
  return { definitions, problems: listed.problems };
}

/** The names of the workflows in a folder, without opening any file in it. */
export function workflowNames({ path }: WorkflowFolder): readonly string[] {
  const listed = listFolder(path, undefined);
  return listed.status === "listed" ? listed.names.filter((name) => isThere(join(path, name, FILE))) : [];
}

export const FILE = "workflow.yaml";

type Listed =
  | {
      readonly status: "listed";
      readonly root: string;
      readonly names: readonly string[];
      readonly problems: readonly Problem[];
    }
  | { readonly status: "none" }
  | { readonly status: "wrong"; readonly problem: Problem };

function listFolder(path: string, within: string | undefined): Listed {
  try {
    const root = realpathSync.native(path);
    if (within !== undefined && !isInside(realpathSync.native(within), root))
      return {
        status: "wrong",
        problem: folderProblem(path, `expected a folder inside ${within}, but it leads out of it`),
      };
    const names = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .sort();
    const most = LIMITS.workflowsPerFolder;
    const problems =
      names.length > most
        ? [folderProblem(path, `expected at most ${most} workflows, got ${names.length}; the rest is left out`)]
        : [];
    return { status: "listed", root, names: names.slice(0, most), problems };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { status: "none" };
    return {
      status: "wrong",
      problem: folderProblem(path, code === "ENOTDIR" ? "expected a folder" : `cannot be read: ${message}`),
    };
  }
}

function readWorkflow(reading: Reading, folder: string, name: string): ReadDefinition | undefined {
  const file = join(folder, name, FILE);
  const found = insideFolder(reading.root, join(reading.root, name, FILE));
  switch (found.status) {
    case "missing":
      return undefined;
    case "inside":
      return readDefinition(reading, name, file);
    case "outside":
      return broken(name, file, `expected a file inside ${reading.root}, but it leads out of it`);
    case "unreadable":
      return broken(name, file, `cannot be read: ${found.message}`);
  }
}

function isThere(path: string): boolean {
  try {
    realpathSync.native(path);
    return true;
  } catch {
    return false;
  }
}

const broken = (key: string, file: string, message: string): ReadDefinition => ({
  key,
  file,
  problems: [{ severity: "error", workflow: key, file, message }],
  references: [],
  bytes: 0,
});

const folderProblem = (file: string, message: string): Problem => ({ severity: "error", file, message });
