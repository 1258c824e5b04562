export { type ChecksPorts, createChecks, type Repeats } from "./create-checks.ts";
export type { NotPacked } from "./snapshot/index.ts";
export { unstartable } from "./unstartable.ts";
export { type ProofFiles, proofFiles } from "./verify/proof-files.ts";
export type { Repeated } from "./verify/repeat-check.ts";
export { createWorkspace, type WorkspacePorts } from "./workspace/index.ts";
