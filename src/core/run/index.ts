export { UNBORN } from "./birth.ts";
export { type Budget, type BudgetUse, budgetSpent, budgetUse, countedTokens } from "./budget.ts";
export { type Changed, type Checkpoint, type CheckpointMoment, MOMENTS, UNCHANGED } from "./checkpoint.ts";
export { type Conversation, endsIn, NOTES, type Note } from "./conversation.ts";
export { type Decision, isSameDecision, type NudgeKind, type Step, type StoredDecision } from "./decision.ts";
export { decisionText, nextStepText } from "./decision-text.ts";
export { asksForCheckpoint, isDue } from "./due-checkpoint.ts";
export { dueWords, wordsWithPrompt } from "./due-words.ts";
export {
  type Actor,
  addUsage,
  type DroppedFile,
  type Envelope,
  type HoldBatch,
  type InterruptHow,
  type LedgerEvent,
  type ModelChoice,
  type NewEvent,
  NO_USAGE,
  type PlanEvent,
  type RunEvent,
  type TurnOutcome,
  type Usage,
} from "./event.ts";
export { EVENTS } from "./event-meanings.ts";
export { eventTable, versionOf } from "./event-table.ts";
export { eventText } from "./event-text.ts";
export { evolve, FOLD_VERSION, fold } from "./evolve.ts";
export {
  type Button,
  type ButtonAnswer,
  CHANNELS,
  type Channel,
  type Delivery,
  NOTIFY_KINDS,
  type Notification,
  type NotifyKind,
} from "./notification.ts";
export { type Braked, beyond, type Pace, passTime } from "./pace.ts";
export { hasPlan, isOpenPlan } from "./plan.ts";
export { problemOf } from "./problem-of.ts";
export { type FailureSaid, isUnreachable, readFailure } from "./read-failure.ts";
export { isUnread, type LogRow, readRow, type Unread } from "./read-row.ts";
export type {
  Boundary,
  Failure,
  FirstResult,
  Launch,
  Ledger,
  Millis,
  Origin,
  Plan,
  Proof,
  QueuedWords,
  Receipt,
  Requirement,
  Round,
  Run,
  Spent,
  TodoLedger,
  Turn,
  TurnCall,
} from "./run.ts";
export { hasSeenCall, hasSeenState } from "./seen.ts";
export type { Timebase } from "./timebase.ts";
export { isMidWork, isNudgeUntaken, isOpenAgain, isUnderWay, mayBeEndedByYou } from "./under-way.ts";
