import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A folder with workflows, one folder each. Later ones replace earlier ones by key. */
export interface WorkflowFolder {
  readonly path: string;
  readonly scope: "shipped" | "user" | "project";
}

export interface UserPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder of the user's tildone configuration. */
  readonly config: string;
}

export interface ProjectPlace {
  /** The project's top folder; nothing of the project is read outside it. */
  readonly root: string;
  readonly cwd: string;
  /** The project's own `.tildone`, if it has one. */
  readonly folder?: string;
}

/** Where workflows are looked for: shipped ones, then the user's, then the project's; in each, pi's folder before ours. */
export function workflowFolders(user: UserPlace, project: ProjectPlace | undefined): readonly WorkflowFolder[] {
  return [
    { path: SHIPPED, scope: "shipped" },
    { path: join(piFolder(user), "workflows"), scope: "user" },
    { path: join(user.config, "workflows"), scope: "user" },
    ...(project ? projectFolders(project).map((path) => ({ path, scope: "project" }) as const) : []),
  ];
}

/** pi looks in the folder it is started in; that may lie below the project's top. */
export function projectFolders({ root, cwd, folder = join(root, ".tildone") }: ProjectPlace): readonly string[] {
  return [...new Set([join(root, ".pi", "workflows"), join(cwd, ".pi", "workflows"), join(folder, "workflows")])];
}

/** The package's own; the same way up from the sources and from what is built of them. */
export const SHIPPED = fileURLToPath(new URL("../../workflows", import.meta.url));

function piFolder({ env, home }: UserPlace): string {
  const given = env.PI_CODING_AGENT_DIR?.trim();
  if (!given) return join(home, ".pi", "agent");
  return given === "~" || given.startsWith("~/") ? join(home, given.slice(1)) : given;
}
