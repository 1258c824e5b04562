export { FilesError, type FilesProblem, isAway, silentRemote } from "./files-error.ts";
export { type FleetGit, fleetGit } from "./fleet-git.ts";
export { pruneClones } from "./prune-clones.ts";
export { removeFiles } from "./remove-files.ts";
export { type FilesMark, openRunFiles, publishResult, type RunFiles } from "./run-files.ts";
export type { RunFilesOptions } from "./run-git.ts";
