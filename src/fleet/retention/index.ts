export { pruneRuns } from "./prune-runs.ts";
export { type Removal, type RemovalPorts, removeRuns } from "./remove-runs.ts";
