export { RESETS, type Reset } from "./resets.ts";
export { FINISHED, type News, STOP, type StopReason, stopRow } from "./stop.ts";
export { WAIT, type WaitReason, waitRow } from "./wait.ts";
