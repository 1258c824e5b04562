export { createWorkspace, type WorkspacePorts } from "./create-workspace.ts";
