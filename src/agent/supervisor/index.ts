export { outcomeOf } from "../outcome.ts";
export { listOf } from "../plan-list.ts";
export { supervised } from "./capabilities.ts";
export { type Program, programOf } from "./program.ts";
export { type Supervised, type SuperviseOptions, type SupervisorProgress, supervise } from "./supervise.ts";
export { NotStarted } from "./supervised-run.ts";
