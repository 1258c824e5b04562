import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A folder with workflows, one folder each. Later ones replace earlier ones by key. */
export interface WorkflowFolder {
  readonly path: string;
  readonly scope: "shipped" | "user" | "project";
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory of the user's tildone configuration. */
  readonly userConfig: string;
  /** The project's directory. */
  readonly project: string;
}

/** Where workflows are looked for: shipped ones, then the user's, then the project's; in each, pi's folder before ours. */
export function workflowFolders({ env, userConfig, project }: Surroundings): readonly WorkflowFolder[] {
  const agent = env.PI_CODING_AGENT_DIR?.trim() || join(env.HOME?.trim() || homedir(), ".pi", "agent");
  return [
    { path: SHIPPED, scope: "shipped" },
    { path: join(expandHome(agent, env), "workflows"), scope: "user" },
    { path: join(userConfig, "workflows"), scope: "user" },
    { path: join(project, ".pi", "workflows"), scope: "project" },
    { path: join(project, ".tildone", "workflows"), scope: "project" },
  ];
}

/** The package's own; the same way up from the sources and from what is built of them. */
export const SHIPPED = fileURLToPath(new URL("../../workflows", import.meta.url));

function expandHome(path: string, env: Surroundings["env"]): string {
  return path === "~" || path.startsWith("~/") ? join(env.HOME?.trim() || homedir(), path.slice(1)) : path;
}
