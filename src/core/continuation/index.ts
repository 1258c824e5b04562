export { type Brake, brake, brakeDeadline } from "./brake.ts";
export { type BudgetUse, budgetSpent, budgetUse, countedTokens } from "./budget.ts";
export { checkKey, commandLine, mayRun, type OwnedCheck, observedBy, requiredChecks } from "./checks.ts";
export { type Decision, decide, isSameDecision, type NudgeKind } from "./decide.ts";
export { doubtsOf, finish, isFresh, suspicion } from "./finish.ts";
export { type Budget, DEFAULTS, type Limits } from "./limits.ts";
export { FINISHED, STOP, type StopReason, WAIT, type WaitReason } from "./reasons.ts";
export { RULES, type Rule } from "./rules.ts";
export { type Next, next, type Step, uncovered } from "./step.ts";
