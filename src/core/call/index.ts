export { type Admission, type Candidate, createAdmission } from "./admission.ts";
export { type Arrangement, arrange, type Needing } from "./arrange.ts";
export {
  type Approval,
  CANCELLATIONS,
  type Call,
  type CallRequest,
  type CallStatus,
  type CancelCode,
  type Effect,
  ERRORS,
  type ErrorCode,
  isSettled,
  MOST_APPROVED,
  mayMove,
  NEXT,
  NO_OUTPUT,
  type Output,
  type SettledCall,
  type SettledStatus,
  SHORT,
  shortDigest,
} from "./call.ts";
export { absolutePath, type Claim, conflict, pathWithin } from "./claim.ts";
export { cutCallText } from "./cut-call-text.ts";
export { canonical, digestOf } from "./digest.ts";
export {
  type BatchSummary,
  type CallEvent,
  type CutCall,
  type CutOff,
  type Intent,
  OUTCOMES,
  type Outcome,
  recover,
} from "./event.ts";
export { isDestructive } from "./is-destructive.ts";
export { createLoopWatch, type Loop, type LoopWatch } from "./loop.ts";
export {
  type Decision,
  type Judgement,
  judge,
  loadPolicy,
  MODE_SAYS,
  MODES,
  type Mode,
  type Policy,
  type PolicyLoad,
  type PolicySource,
  PROTECTED,
  PROTECTED_IN_YOLO,
  type Rule,
  type Subject,
  strictest,
  type ToolKind,
  withGrants,
  withMode,
  yoloText,
} from "./policy/index.ts";
