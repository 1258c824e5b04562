export { fleetGit } from "./files/index.ts";
export * from "./ledger/index.ts";
export * from "./local/index.ts";
export * from "./mirror/index.ts";
export type * from "./ports.ts";
export { readWord, type Saying } from "./read-word.ts";
export { type Removal, removeRuns } from "./retention/index.ts";
export { cancelRun, enqueue, submitGoal } from "./submit.ts";
export { openWorker, type Worker, WorkerError, type WorkerOptions } from "./worker/index.ts";
