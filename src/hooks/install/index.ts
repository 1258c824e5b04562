export { parseSettings } from "./edit-json.ts";
export { CODEX_INHERITED, type Launch } from "./file-edits.ts";
export { isOurCommand } from "./hook-entries.ts";
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
export { type Places, placesOf, type Scope, type Whereabouts } from "./places.ts";
export { hasPlugin } from "./plugin.ts";
export { type HookGroups, hookGroups } from "./registration.ts";
export { tomlValueIn } from "./toml-statements.ts";
