/** What an observer needs to understand the states it is told of. */
export {
  type Approval,
  type CallEvent,
  type CallRequest,
  type Claim,
  conflict,
  isSettled,
  loadPolicy,
  MODES,
  type Mode,
  NEXT,
  type Policy,
  type PolicySource,
  type Rule,
  type SettledCall,
  type ToolKind,
} from "../core/call/index.ts";
export { type Answered, type Grant, type Refuse, UNANSWERED } from "./answers.ts";
export { type Action, type CommandHost, type Confirmation, performAction } from "./commands/action.ts";
export { type Commander, createCommander } from "./commands/commander.ts";
export type { Invocation, SlashCommand } from "./commands/slash-command.ts";
export { LIMITS, type SchedulerLimits } from "./limits.ts";
export { createMessageQueue, type MessageQueue, type Queued } from "./message-queue.ts";
export type { Journal } from "./recorder.ts";
export type { Gate } from "./rulebook.ts";
export { createRunScheduler, cutOffCalls } from "./run-scheduler.ts";
export { createScheduler, type Scheduler, type SchedulerPorts, type Snapshot } from "./scheduler.ts";
export {
  type CallContext,
  type Parsed,
  type Permission,
  type Preview,
  type Question,
  type Tool,
  type ToolBox,
  TransientError,
  toolBox,
} from "./tool.ts";
export type { Observer, Update } from "./update.ts";
