export { openWorker } from "./open-worker.ts";
export { type Worker, WorkerError, type WorkerOptions } from "./worker-options.ts";
