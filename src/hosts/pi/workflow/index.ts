export { withWorkflow } from "./context.ts";
export { createGates, type Gates } from "./gates.ts";
export { showWorkflow } from "./status.ts";
export { stepTool } from "./step-tool.ts";
export { WRITERS } from "./tool-kinds.ts";
