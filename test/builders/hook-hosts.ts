import type { HookHostName } from "../../src/config/index.ts";
import type { ConfigPlaces, Dialect, Whereabouts } from "../../src/hooks/index.ts";
import { HOOK_PROFILES } from "../../src/hosts/index.ts";

/** Hosts whose payloads the tables beside the machinery of hooks know; another one has its tests beside its dialect. */
export const TABLED = ["claude-code", "codex", "gemini"] as const;
export type Tabled = (typeof TABLED)[number];

export const dialectOf = (host: HookHostName): Dialect => HOOK_PROFILES[host].hook.dialect;

export const placesOf = (host: HookHostName, scope: "user" | "project", where: Whereabouts): ConfigPlaces =>
  HOOK_PROFILES[host].hook.placesOf(scope, where);
