export { HOST_PROCESSES, type SupervisedHost } from "./host-process.ts";
export { type Supervised, type SuperviseOptions, type SupervisorProgress, supervise } from "./supervise.ts";
