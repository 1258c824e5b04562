export { drawWorkflow } from "./draw-workflow.ts";
export { driftIn, type Found, findWorkflow, type Startable, userWorkflows } from "./find-workflow.ts";
export {
  type ProjectPlace,
  projectFolders,
  type UserPlace,
  type WorkflowFolder,
  workflowFolders,
} from "./folders.ts";
export { splitFrontmatter } from "./frontmatter.ts";
export { listWorkflows, reportProblems } from "./list-workflows.ts";
export {
  type Library,
  type LoadedWorkflow,
  type LoadOptions,
  loadWorkflows,
  type UntrustedFolder,
} from "./load-workflows.ts";
export { type NewWorkflow, newWorkflow } from "./new-workflow.ts";
export { type Problem, problemLine } from "./problem.ts";
export { type ReadText, readText } from "./read-text.ts";
