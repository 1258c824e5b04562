export { answerHook, type HookCall } from "./answer-hook.ts";
export { answerHooksOf } from "./answer-hooks-of.ts";
export { hookCapabilities } from "./capabilities.ts";
export { blocksOrTells, toldAt, withMessage } from "./common-answers.ts";
export type { Cut, Dialect, HostFiles, Places } from "./dialect.ts";
export {
  converse,
  examineHost,
  type Finding,
  fix,
  isInstalled,
  note,
  offIn,
  ok,
  readSettings,
} from "./doctor/index.ts";
export type { Door } from "./door/open-door.ts";
export { type HookFailure, readFailures } from "./failures.ts";
export {
  type Answer,
  type Before,
  type EndedCall,
  EVENTS,
  type EventName,
  type Happening,
  type Past,
} from "./happening.ts";
export type { HookProfile, HostWithHooks, SwitchedOff } from "./hook-profile.ts";
export {
  allowing,
  applyInstall,
  applyUninstall,
  type FileChange,
  type FileEdit,
  handlerName,
  hookEntries,
  hookGroups,
  type Installation,
  type InstallRequest,
  isOnlyOurs,
  jsonFile,
  lineDiff,
  nodeAt,
  type OurServer,
  type OurTable,
  ownFile,
  type Places as ConfigPlaces,
  type Planned,
  parseSettings,
  planInstall,
  planUninstall,
  readJson,
  readToml,
  setting,
  textOf,
  tomlValueIn,
  type Want,
  type Whereabouts,
  withEntries,
  withoutTable,
  withTable,
} from "./install/index.ts";
export { nativeItem } from "./native-item.ts";
export { wordsText } from "./own-words.ts";
export { isObject, objectAt, objectsAt, type Payload, readPayload, textAt, textsAt } from "./payload.ts";
export { plainApiError } from "./plain-api-error.ts";
export { filledIn, type Plugin, type PluginFiles, type PluginKit } from "./plugin.ts";
export { readsAs } from "./reads-as.ts";
export { stopFailure } from "./stop-failure.ts";
export { toolOf } from "./tools.ts";
export { watchInterrupts } from "./watch-interrupts.ts";
