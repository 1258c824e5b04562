export { attemptOf } from "./attempt-of.ts";
export { UNBORN } from "./birth.ts";
export { wordsWithPrompt } from "./due-words.ts";
export {
  type Actor,
  type DroppedFile,
  type Envelope,
  EVENT_VERSION,
  type HoldBatch,
  type InterruptHow,
  type LedgerEvent,
  type ModelChoice,
  NO_USAGE,
  type PlanEvent,
  type RunEvent,
  type TurnOutcome,
  type Usage,
} from "./event.ts";
export { problemOf } from "./event-form.ts";
export { EVENTS } from "./event-sentences.ts";
export { evolve, FOLD_VERSION, fold } from "./evolve.ts";
export { resumeProblem } from "./handle-resume.ts";
export { type Braked, beyond, type Pace } from "./pace.ts";
export { hasPlan, isOpenPlan } from "./plan.ts";
export { begin, isHumanWord, react } from "./react.ts";
export {
  type Effect,
  IGNORED,
  type IgnoredWhy,
  type NoticeTopic,
  type Nudge,
  type Reaction,
  type Reply,
} from "./reaction.ts";
export { readFailure, UNREACHABLE } from "./read-failure.ts";
export { type ReadCall, readToolCall } from "./read-tool-call.ts";
export type {
  Boundary,
  Failure,
  Launch,
  Ledger,
  Millis,
  Origin,
  Plan,
  QueuedWords,
  Receipt,
  Requirement,
  Run,
  Spent,
  TodoLedger,
  Turn,
} from "./run.ts";
export type { Timebase } from "./timebase.ts";
export type {
  Birth,
  Context,
  Delivery,
  NewEvent,
  SeenCommand,
  Trigger,
  WriteRequest,
  Writer,
} from "./trigger.ts";
export { isMidWork, isUnderWay } from "./under-way.ts";
