/** The public API, one list of names. `public-api.test.ts` pins it, so that growth is a visible change. */
export { type Opened, openTildone, type Tildone, type TildoneOptions } from "./compose/index.ts";
export {
  type Budget,
  DEFAULTS,
  type Decision,
  decide,
  type Limits,
  type NudgeKind,
  RULES,
  type Rule,
  STOP,
  type StopReason,
  WAIT,
  type WaitReason,
} from "./core/continuation/index.ts";
export {
  type Birth,
  begin,
  type Context,
  type Effect,
  type Envelope,
  EVENTS,
  evolve,
  fold,
  type Ledger,
  type Nudge,
  type Plan,
  type Receipt,
  type Reply,
  type Run,
  type RunEvent,
  react,
  type Trigger,
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
export { contextText, decisionText, eventText, nudgeText } from "./core/words/index.ts";
export {
  type Capabilities,
  type Checks,
  type Clock,
  createEngine,
  type Engine,
  type EnginePorts,
  type Host,
  type Notice,
  openRun,
  type Settled,
  type Store,
  speak,
  type Workspace,
} from "./engine/index.ts";
export { memoryStore, openStore, StoreError } from "./store/index.ts";
