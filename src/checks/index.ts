export { type ChecksPorts, createChecks } from "./create-checks.ts";
export { unstartable } from "./unstartable.ts";
export { createWorkspace, type WorkspacePorts } from "./workspace/index.ts";
