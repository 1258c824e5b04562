export { driftIn, type Found, findWorkflow, type Startable, userWorkflows } from "./find-workflow.ts";
export { SHIPPED, type Surroundings, type WorkflowFolder, workflowFolders } from "./folders.ts";
export {
  type Library,
  type LoadedWorkflow,
  type LoadOptions,
  loadWorkflows,
  type UntrustedFolder,
} from "./load-workflows.ts";
export { type Problem, problemLine } from "./problem.ts";
