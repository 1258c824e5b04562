export { openTop } from "./open-top.ts";
export { createRunsReader } from "./read-runs.ts";
export type { Act } from "./top-state.ts";
