import { directories } from "../config/index.ts";
import { type Library, loadWorkflows, workflowFolders } from "../workflows/index.ts";
import { placeOfProject, trustsWorkflows, type Whereabouts } from "./project-trust.ts";

/** Every workflow that may be used here: shipped, the user's, and the project's if the user trusts it as it is now. */
export function readWorkflows(here: Whereabouts): Promise<Library> {
  const { env, home, cwd } = here;
  const project = placeOfProject(cwd);
  return loadWorkflows({
    folders: workflowFolders({ env, home, config: directories({ env, home }).config }, project),
    project: project?.root ?? cwd,
    isTrusted: () => trustsWorkflows(here),
  });
}
