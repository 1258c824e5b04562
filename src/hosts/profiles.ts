import { HOOK_HOSTS, HOST_NAMES, type HookHostName, type HostName } from "../config/index.ts";
import type { HookProfile } from "../hooks/index.ts";
import type { HostProfile } from "./host-profile.ts";

// By name: an import for each would be a second list of hosts beside the one in config.
const loaded = await Promise.all(
  HOST_NAMES.map(async (name) => {
    const { profile } = (await import(`./${name}/profile.ts`)) as { readonly profile: HostProfile };
    return [name, profile] as const;
  }),
);

/** What we know of each host in the list. */
export const PROFILES = Object.fromEntries(loaded) as Readonly<Record<HostName, HostProfile>>;

type HookHost = HostProfile & { readonly hook: HookProfile };

/** Of those that call our hooks. */
export const HOOK_PROFILES = Object.fromEntries(HOOK_HOSTS.map((name) => [name, PROFILES[name]])) as Readonly<
  Record<HookHostName, HookHost>
>;
