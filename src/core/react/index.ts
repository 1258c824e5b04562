export { answerToModel, type ToolAnswer } from "./answer.ts";
export { attemptOf } from "./attempt-of.ts";
export { resumeProblem } from "./handle-resume.ts";
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
export { type ReadCall, readToolCall } from "./read-tool-call.ts";
export { endOfTurnIn } from "./renew-conversation.ts";
export type {
  Birth,
  Context,
  Delivery,
  HostFact,
  HumanAnswer,
  Leaving,
  Rechecked,
  SeenCommand,
  Trigger,
  Writer,
} from "./trigger.ts";
export { isOutcome } from "./trigger-table.ts";
