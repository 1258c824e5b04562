export { outcomeOf } from "../outcome.ts";
export { listOf } from "../plan-list.ts";
export { supervised } from "./capabilities.ts";
export { HOST_PROCESSES, type HostProcess, type SupervisedHost } from "./host-process.ts";
export { NotStarted, type Supervised, type SuperviseOptions, type SupervisorProgress, supervise } from "./supervise.ts";
