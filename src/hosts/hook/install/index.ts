export type { Launch } from "./file-edits.ts";
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
