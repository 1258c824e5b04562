export { type CheckpointStore, createCheckpoints } from "./create-checkpoints.ts";
export type { UndoPlan } from "./plan-undo.ts";
export type { Teller } from "./undo-files.ts";
