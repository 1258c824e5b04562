import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { commandFolders, type Whereabouts } from "../../../compose/index.ts";
import { attempt } from "../../../machine/index.ts";
import type { SlashCommand } from "../../../scheduler/index.ts";
import { readText } from "../../../workflows/index.ts";
import { type ReadCommand, readCommandFile } from "./command-file.ts";

export interface CommandFiles {
  readonly commands: readonly SlashCommand[];
  /** What the user should hear: files that say nothing sensible, and those of a project that is not trusted yet. */
  readonly problems: readonly string[];
}

/** Commands of the user and of the project, as they are now. The project's replace the user's of the same name. */
export function readCommandFiles(
  here: Whereabouts,
  taken: ReadonlySet<string>,
  shell: (line: string) => Promise<string>,
): CommandFiles {
  const commands = new Map<string, SlashCommand>();
  const problems: string[] = [];
  for (const { path: folder, isTrusted } of commandFolders(here)) {
    const names = namesIn(folder);
    if (names.length > 0 && !isTrusted) {
      problems.push(
        `Not loaded until you trust this project (tildone trust): ${names.map((name) => `/${name}`).join(", ")}.`,
      );
      continue;
    }
    for (const name of names) {
      const path = join(folder, `${name}.md`);
      const read = taken.has(name) ? TAKEN : readFile(name, path, shell);
      if (read.ok) commands.set(name, read.command);
      else problems.push(`${path}: ${read.message}.`);
    }
  }
  return { commands: [...commands.values()], problems };
}

const TAKEN: ReadCommand = {
  ok: false,
  message: "a command of that name already exists; rename the file",
};

function readFile(name: string, path: string, shell: (line: string) => Promise<string>): ReadCommand {
  const read = readText(path);
  if (read.status !== "read")
    return { ok: false, message: read.status === "wrong" ? read.message : "the file is gone" };
  try {
    return readCommandFile(name, read.text, { parseYaml: parse, shell });
  } catch (error) {
    return {
      ok: false,
      message: `its header is not YAML: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`,
    };
  }
}

function namesIn(folder: string): readonly string[] {
  return (attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => name.slice(0, -3))
    .sort();
}
