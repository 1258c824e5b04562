export {
  type Call,
  type ModelRequest,
  type Script,
  type ScriptedModel,
  type Step,
  startScriptedModel,
} from "../scripted/index.ts";
export {
  aBoundary,
  aFailure,
  aReceipt,
  aRun,
  type History,
  type HistoryGiven,
  history,
  type RunGiven,
  receiptsOf,
  said,
  todos,
} from "./builders/index.ts";
export { createFakeChecks, type FakeChecks } from "./fake-checks.ts";
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { createFakeHost, type FakeHost } from "./fake-host.ts";
export { createFakeWorkspace, type FakeWorkspace } from "./fake-workspace.ts";
export { createFakeWorld, type FakeWorld, type WorldGiven } from "./fake-world.ts";
export { HOST_KINDS, type HostKind } from "./host-kinds.ts";
export {
  asCommand,
  type Meanwhile,
  PERSONAS,
  type Persona,
  type PersonaCall,
  type PersonaKind,
  type Played,
  playPersona,
  scriptOf,
  type View,
} from "./personas/index.ts";
export { type GeneratedQuestion, generateQuestions, QUESTIONED_LIST, type QuestionKind } from "./questions/index.ts";
export { type Clause, Skipped, STORE_CONTRACT, type StoreSubject } from "./store-contract.ts";
