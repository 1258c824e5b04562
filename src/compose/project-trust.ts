import { realpathSync } from "node:fs";
import { join } from "node:path";
import {
  directories,
  type Environment,
  findProject,
  loadConfig,
  openTrust,
  type ProjectCommand,
} from "../config/index.ts";
import { type ProjectPlace, projectFolders } from "../workflows/index.ts";
import { piPlaces, strangeContext } from "./pi-files.ts";
import { type ProjectFile, projectFiles } from "./project-files.ts";

/** What a project asks you to trust, and whether you do. Trust is of content: a changed file asks again. */
export interface ProjectTrust {
  readonly root: string;
  /** The project's config, everything in its folders of workflows and commands, and what it has for pi. */
  readonly files: readonly ProjectFile[];
  readonly untrusted: readonly string[];
  /** What its config would run or let run. */
  readonly commands: readonly ProjectCommand[];
  /** Said no to, as they are now: not asked about again. */
  readonly isDeclined: boolean;
  /** False if there is something among them that can never be trusted: then nothing is. */
  readonly trust: () => boolean;
  readonly decline: () => void;
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
  const all: readonly ProjectFile[] = [
    ...own,
    ...workflowFiles(project),
    ...commandFiles(project),
    ...piFiles(project),
  ];
  const files = [...new Map(all.map((file) => [file.path, file])).values()];
  const { root } = project;
  return {
    root,
    files,
    commands: loaded.ok ? (loaded.project?.commands ?? []) : [],
    untrusted: trust.standing(root, files).untrusted,
    isDeclined: trust.isDeclined(root, files),
    trust: () => {
      if (files.some(({ problem }) => problem !== undefined)) return false;
      trust.trust(root, files);
      return true;
    },
    decline: () => trust.decline(root, files),
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

/** Whether pi may take what this project has for it: settings, extensions, skills, prompts, as they are now. */
export function trustsPi({ cwd, env, home }: Whereabouts): boolean {
  const project = placeOfProject(cwd);
  const files = project ? piFiles(project) : [];
  if (!project || files.length === 0) return false; // what comes later was not looked at
  return openTrust({ state: directories({ env, home }).state }).isTrusted(project.root, files);
}

/** A file for the model that is not read, trusted or not; undefined if there is none. */
export function unreadContext(cwd: string): string | undefined {
  const project = placeOfProject(cwd);
  return project && strangeContext(project);
}

const workflowFiles = (project: ProjectPlace): readonly ProjectFile[] =>
  projectFiles(project.root, projectFolders(project));

const commandFiles = (project: ProjectPlace): readonly ProjectFile[] =>
  projectFiles(project.root, [commandFolder(project)]);

const piFiles = (project: ProjectPlace): readonly ProjectFile[] => projectFiles(project.root, piPlaces(project));

const commandFolder = ({ root, folder = join(root, ".tildone") }: ProjectPlace): string => join(folder, "commands");
