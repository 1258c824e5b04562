export { FINISHED, STOP, type StopReason, stopRow, WAIT, type WaitReason, waitRow } from "./reasons.ts";
export { RESETS, RESUME, type Reset, type ResumeRow, resumeRow } from "./resume.ts";
