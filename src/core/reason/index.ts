export { FINISHED, STOP, type StopReason, WAIT, type WaitReason } from "./reasons.ts";
export { RESETS, RESUME, type Reset, type ResumeRow } from "./resume.ts";
