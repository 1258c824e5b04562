// Workflow folders for tests: a table of paths and texts, written to a directory that goes away with the test.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Library, loadWorkflows, problemLine, type WorkflowFolder } from "../../src/workflows/index.ts";

export type Files = Readonly<Record<string, string | Buffer>>;

export function aDirectory(files: Files = {}): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "tildone-workflows-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  writeFiles(path, files);
  return path;
}

export function writeFiles(directory: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
}

/** The files of a plain workflow. Entries are ids of phases, or `>key` for a subworkflow. */
export function workflowFiles(key: string, entries: readonly string[], fields = ""): Files {
  const phases = entries.map((entry) =>
    entry.startsWith(">") ? `  - subworkflow: ${entry.slice(1)}` : `  - ${entry}.md`,
  );
  const files = entries.filter((entry) => !entry.startsWith(">")).map((id) => [`${key}/${id}.md`, phaseFile(id)]);
  return {
    [`${key}/workflow.yaml`]: `name: The ${key}\ncommandName: ${key}\ninitialMessage: Go.\n${fields}phases:\n${phases.join("\n")}\n`,
    ...Object.fromEntries(files),
  };
}

export function phaseFile(id: string, header = "", body = `Do ${id}.`): string {
  return `---\nid: ${id}\nname: ${id[0]!.toUpperCase()}${id.slice(1)}\nemoji: 🔧\n${header}---\n${body}\n`;
}

/** Reads one folder as the user's. */
export function load(path: string): Promise<Library> {
  return loadFolders([{ path, scope: "user" }]);
}

export function loadFolders(
  folders: readonly WorkflowFolder[],
  project = "/nowhere",
  trusted = true,
): Promise<Library> {
  return loadWorkflows({ folders, project, isTrusted: () => trusted });
}

export const keysOf = (library: Library): readonly string[] =>
  library.workflows.map(({ definition }) => definition.key);

/** Problems as a user reads them, paths relative to the directory. */
export function told(library: Library, directory: string): readonly string[] {
  return library.problems.map((problem) =>
    `${problem.severity} ${problemLine(problem)}`.replaceAll(`${directory}/`, ""),
  );
}
