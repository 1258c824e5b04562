export { textOf } from "./config-file.ts";
export { nodeAt, parseSettings, readJson } from "./edit-json.ts";
export { type OurTable, withEntries, withoutTable, withTable } from "./edit-toml.ts";
export {
  allowing,
  type FileEdit,
  type Installation,
  jsonFile,
  type Launch,
  type OurServer,
  ownFile,
  setting,
  type Want,
} from "./file-edits.ts";
export { hookEntries, isOnlyOurs, isOurCommand } from "./hook-entries.ts";
export {
  applyInstall,
  applyUninstall,
  type FileChange,
  type InstallRequest,
  type Planned,
  planInstall,
  planUninstall,
} from "./install.ts";
export { lineDiff } from "./line-diff.ts";
export type { Places, Scope, Whereabouts } from "./places.ts";
export { handlerName, hookGroups } from "./registration.ts";
export { readToml, tomlValueIn } from "./toml-statements.ts";
