export type { Config } from "./config.ts";
export { type Directories, directories } from "./directories.ts";
export { findProject, type Project } from "./find-project.ts";
export { type ConfigRequest, type LoadedConfig, type LoadedProject, loadConfig } from "./load-config.ts";
export { type ConfigProblem, type ConfigWarning, sayProblem } from "./problem.ts";
export { type Environment, type Flags, flagOptions } from "./read-process.ts";
export type { Explained } from "./resolve.ts";
export { openTrust, type Trust, type TrustedFile, type TrustedProject } from "./trust.ts";
