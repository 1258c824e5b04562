export { answerHook, type HookCall } from "./answer-hook.ts";
export { answerHooksOf } from "./answer-hooks-of.ts";
export type { HostName } from "./dialect.ts";
export { DIALECTS } from "./dialects/index.ts";
export { examineHost, type Finding, isInstalled } from "./doctor/index.ts";
export type { Door } from "./door/open-door.ts";
export { type HookFailure, readFailures } from "./failures.ts";
export { EVENTS, type EventName } from "./happening.ts";
export {
  applyInstall,
  applyUninstall,
  CODEX_INHERITED,
  type FileChange,
  hookGroups,
  type InstallRequest,
  lineDiff,
  type Planned,
  planInstall,
  planUninstall,
} from "./install/index.ts";
export { wordsText } from "./own-words.ts";
export { plainApiError } from "./plain-api-error.ts";
export { watchInterrupts } from "./watch-interrupts.ts";
