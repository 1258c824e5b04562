import { realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { attempt, errorCode } from "../machine/index.ts";
import type { ProjectPlace } from "../workflows/index.ts";
import { readBounded } from "./project-files.ts";

/**
 * Where pi takes things of a project from: its `.pi` in the working folder (settings, extensions, prompts, installed
 * packages), `.agents/skills` there and above, and the local paths that its settings name.
 */
export function piPlaces({ root, cwd }: ProjectPlace): readonly string[] {
  const folder = join(cwd, ".pi");
  return [folder, ...foldersUpTo(root, cwd).map((path) => join(path, ".agents", "skills")), ...namedBy(folder)];
}

function foldersUpTo(root: string, cwd: string): readonly string[] {
  const steps = relative(root, cwd).split("/").filter(Boolean);
  return [root, ...steps.map((_step, index) => join(root, ...steps.slice(0, index + 1)))];
}

const CONTEXT = ["AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"];
const LARGEST_CONTEXT = 1_048_576;

/**
 * The first file for the model that pi must not read: it leads out of the project (a key of yours would go to the provider), is
 * a pipe (pi would wait forever), or is huge.
 */
export function strangeContext({ root, cwd }: ProjectPlace): string | undefined {
  const paths = foldersUpTo(root, cwd).flatMap((folder) => CONTEXT.map((name) => join(folder, name)));
  return paths.find((path) => {
    try {
      if (!realpathSync(path).startsWith(root === "/" ? root : `${root}/`)) return true;
      return readBounded(path, LARGEST_CONTEXT) === undefined;
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      return code !== "ENOENT";
    }
  });
}

const LISTS = ["extensions", "skills", "prompts", "themes", "packages"] as const;

/** What lies outside the project is not the project's, so it is not shown; that the settings name it is. */
function namedBy(folder: string): readonly string[] {
  const settings = settingsIn(folder);
  const named = LISTS.flatMap((key) => (Array.isArray(settings[key]) ? settings[key] : [])).map((entry: unknown) =>
    typeof entry === "object" && entry !== null && "source" in entry ? entry.source : entry,
  );
  return [...named, settings.shellPath]
    .filter((entry): entry is string => typeof entry === "string" && entry !== "" && !/^[a-z]+:|^[~!+-]/.test(entry))
    .map((entry) => resolve(folder, entry))
    .filter((path) => path.startsWith(`${resolve(folder, "..")}/`) && !path.startsWith(`${folder}/`));
}

function settingsIn(folder: string): Readonly<Record<string, unknown>> {
  const value: unknown = attempt(() =>
    JSON.parse(readBounded(join(folder, "settings.json"))?.toString("utf8") ?? "{}"),
  );
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
