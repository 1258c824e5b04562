import { directories, findProject } from "../config/index.ts";
import { type Library, loadWorkflows, workflowFolders } from "../workflows/index.ts";
import { trustsWorkflows, type Whereabouts } from "./project-trust.ts";

/** The workflows that can be used here, read anew: shipped, the user's, and the project's if the human trusts them. */
export function workflowLibrary(here: Whereabouts & { readonly more?: readonly string[] }): Promise<Library> {
  const { cwd, env, home, more = [] } = here;
  const project = findProject(cwd);
  const user = { env, home, config: directories({ env, home }).config };
  const folders = workflowFolders(user, project && { ...project, cwd });
  const extra = more.map((path) => ({ path, scope: "user" as const }));
  return loadWorkflows({
    folders: [
      ...folders.filter(({ scope }) => scope !== "project"),
      ...extra,
      ...folders.filter(({ scope }) => scope === "project"),
    ],
    project: project?.root ?? cwd,
    isTrusted: () => trustsWorkflows(here),
  });
}
