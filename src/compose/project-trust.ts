import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import {
  directories,
  type Environment,
  findProject,
  loadConfig,
  openTrust,
  type TrustedFile,
} from "../config/index.ts";
import { type ProjectPlace, projectFolders } from "../workflows/index.ts";

/** What a project asks the human to trust, and whether they do. Trust is of content: a changed file asks again. */
export interface ProjectTrust {
  readonly root: string;
  /** The project's config and everything in its folders of workflows and commands. */
  readonly files: readonly TrustedFile[];
  readonly untrusted: readonly string[];
  readonly trust: () => void;
  /** False if it was not trusted. */
  readonly untrust: () => boolean;
}

export interface Whereabouts {
  readonly cwd: string;
  readonly env: Environment;
  readonly home: string;
}

export async function projectTrust({ cwd, env, home }: Whereabouts): Promise<ProjectTrust | undefined> {
  const project = placeOfProject(cwd);
  if (!project) return undefined;
  const trust = openTrust({ state: directories({ env, home }).state });
  const loaded = await loadConfig({ cwd, env, home });
  const own = loaded.ok && loaded.project?.file ? [loaded.project.file] : [];
  const files = [...own, ...workflowFiles(project), ...commandFiles(project)];
  return {
    root: project.root,
    files,
    untrusted: trust.standing(project.root, files).untrusted,
    trust: () => trust.trust(project.root, files),
    untrust: () => trust.untrust(project.root),
  };
}

/** Whether the project's workflows may be read as they are now. */
export function trustsWorkflows({ cwd, env, home }: Whereabouts): boolean {
  const project = placeOfProject(cwd);
  if (!project) return false;
  return openTrust({ state: directories({ env, home }).state }).isTrusted(project.root, workflowFiles(project));
}

/** Where slash commands of the terminal are looked for: the user's folder, then the project's. */
export function commandFolders({
  cwd,
  env,
  home,
}: Whereabouts): readonly { readonly path: string; readonly isTrusted: boolean }[] {
  const { config, state } = directories({ env, home });
  const user = { path: join(config, "commands"), isTrusted: true };
  const project = placeOfProject(cwd);
  if (!project) return [user];
  const isTrusted = openTrust({ state }).isTrusted(project.root, commandFiles(project));
  return [user, { path: commandFolder(project), isTrusted }];
}

/** Undefined if the working folder itself is gone. */
export function placeOfProject(cwd: string): ProjectPlace | undefined {
  const project = findProject(cwd);
  return project && { ...project, cwd: realpathSync(cwd) };
}

const workflowFiles = (project: ProjectPlace): readonly TrustedFile[] => trustedFiles(project, projectFolders(project));

const commandFiles = (project: ProjectPlace): readonly TrustedFile[] => trustedFiles(project, [commandFolder(project)]);

const commandFolder = ({ root, folder = join(root, ".tildone") }: ProjectPlace): string => join(folder, "commands");

function trustedFiles({ root }: ProjectPlace, folders: readonly string[]): readonly TrustedFile[] {
  return folders.flatMap(filesBelow).map((path) => ({ path: relative(root, path), digest: digestOf(path, root) }));
}

function filesBelow(folder: string): readonly string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** A link counts as what it leads to; one that leads out of the project or nowhere is never trusted by content. */
function digestOf(path: string, root: string): string {
  try {
    const real = realpathSync(path);
    const content = real.startsWith(`${root}/`) ? readFileSync(real) : `outside ${real}`;
    return createHash("sha256").update(content).digest("hex");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return "unreadable";
  }
}
