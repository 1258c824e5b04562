export { awaitedCommands, type BackgroundCommand } from "./awaited.ts";
export { type Brake, brake, brakeDeadline, overOf } from "./brake.ts";
export { type Calibration, decidesIn, type Ended } from "./calibrate.ts";
export {
  checkKey,
  commandLine,
  firstKey,
  firstOf,
  isProposal,
  mayRun,
  mustFailFirst,
  type OwnedCheck,
  observedBy,
  type ProposedCheck,
  proposedChecks,
  requiredChecks,
  showsWork,
  untriedChecks,
} from "./checks.ts";
export {
  type ConversationChoice,
  chooseConversation,
  isUnasked,
  mayRenew,
  modeOf,
  renewsNow,
} from "./conversation.ts";
export { decide } from "./decide.ts";
export { doubtsOf, finish, isFresh, isUnseen, suspicion } from "./finish.ts";
export { DEFAULTS, type Limits } from "./limits.ts";
export { RULES, type Rule } from "./rules.ts";
export { type Next, next, uncovered } from "./step.ts";
