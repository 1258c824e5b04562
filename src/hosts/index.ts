export { endsNoTurn } from "./ends-no-turn.ts";
export type { HostProcess, Line, SessionFiles, SpendTold } from "./host-process.ts";
export type { HostProfile, McpTells } from "./host-profile.ts";
export { HOOK_PROFILES, PROFILES } from "./profiles.ts";
export { scriptedHost } from "./scripted.ts";
export type { ScriptedHost, ScriptedPlace, ScriptedTools } from "./scripted-host.ts";
