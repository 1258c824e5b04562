export { openWorker, type Worker, WorkerError, type WorkerOptions } from "./open-worker.ts";
