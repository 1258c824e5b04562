export { type Supervised, type SuperviseOptions, type SupervisorProgress, supervise } from "./supervise.ts";
