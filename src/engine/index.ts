export { bindContinued } from "./bind-continued.ts";
export { type Capabilities, type Carriage, carriageOf, keptInPart, limitsOn, unmeasurable } from "./capabilities.ts";
export { cardOf, type RunSummary, summaryOf } from "./card.ts";
export { createCountdownTicks } from "./countdown-ticks.ts";
export { createEngine, type Engine, type EnginePorts } from "./engine.ts";
export type { Settled } from "./held-boundary.ts";
export { isAgedOut, isGone, isWaiting, isWorking, livingDriver } from "./is-working.ts";
export { foldStored, type Known, openRun } from "./open-run.ts";
export type {
  Audit,
  Change,
  CheckpointRequest,
  CheckpointResult,
  Checkpoints,
  CheckRound,
  Checks,
  Clock,
  Driver,
  DriverPlace,
  Drivers,
  GuardRequest,
  Host,
  HostProcess,
  Leave,
  Log,
  Notice,
  RunCard,
  Runs,
  Snapshot,
  Store,
  Tail,
  Timer,
  Transacted,
  TurnEnd,
  WorkPlace,
  Workspace,
} from "./ports.ts";
export { type LogEntry, readEvents, readLog } from "./read-log.ts";
export { createReader, type Reader, type ReadRun } from "./reader.ts";
export { record } from "./recorder.ts";
export { type RunRow, rowOf } from "./run-row.ts";
export { speak, tellDelivered, tellFailed, tellRefused } from "./speak.ts";
