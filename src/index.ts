/** The public API, one list of names. `public-api.test.ts` pins it, so that growth is a visible change. */
export { type Opened, openTildone, type Tildone, type TildoneOptions } from "./compose/index.ts";
export { DEFAULTS, decide, type Limits, RULES, type Rule } from "./core/continuation/index.ts";
export {
  type Birth,
  begin,
  type Context,
  type Effect,
  type Nudge,
  type Reply,
  react,
  type Trigger,
} from "./core/react/index.ts";
export { STOP, type StopReason, WAIT, type WaitReason } from "./core/reason/index.ts";
export {
  type Budget,
  type Decision,
  decisionText,
  type Envelope,
  EVENTS,
  eventText,
  evolve,
  fold,
  type Ledger,
  type NudgeKind,
  type Plan,
  type Receipt,
  type Run,
  type RunEvent,
  UNBORN,
} from "./core/run/index.ts";
export {
  plainList,
  REFUSALS,
  type Refusal,
  STATUSES,
  type Todo,
  type TodoStatus,
  themedList,
} from "./core/todo/index.ts";
export { contextChange, contextText, nudgeText } from "./core/words/index.ts";
export {
  type Capabilities,
  type Checks,
  type Clock,
  cardOf,
  carriageOf,
  createEngine,
  type Engine,
  type EnginePorts,
  foldStored,
  type Host,
  type Notice,
  openRun,
  record,
  type Settled,
  type Store,
  speak,
  type Workspace,
} from "./engine/index.ts";
export { memoryStore, openStore, StoreError } from "./store/index.ts";
