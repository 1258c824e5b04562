export { FilesError, type FilesProblem, isAway, silentRemote } from "./files-error.ts";
export { type FleetGit, fleetGit } from "./fleet-git.ts";
export { pruneClones } from "./prune-clones.ts";
export { removeFiles } from "./remove-files.ts";
export { type FilesMark, openRunFiles, publishResult, type RunFiles, type RunFilesOptions } from "./run-files.ts";
