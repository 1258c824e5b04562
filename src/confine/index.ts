export { allowedEnvironment } from "./allowed-environment.ts";
export { type Confinement, type ConfineRequest, confinementFor } from "./confinement-for.ts";
export type { Obstacle } from "./diagnose.ts";
export type { Launch, Place } from "./enclosure.ts";
export { dropPlanted, type GitFiles, gitFiles, workspaceAround } from "./git-files.ts";
