import { join, relative, resolve } from "node:path";
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
  try {
    const value: unknown = JSON.parse(readBounded(join(folder, "settings.json"))?.toString("utf8") ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) return {};
    throw error;
  }
}
