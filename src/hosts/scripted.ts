import type { HostName } from "../config/index.ts";
import type { ScriptedHost } from "./scripted-host.ts";

/** How it is set up for a scripted model. No hook and no run needs that: it is loaded when it is asked for. */
export async function scriptedHost(name: HostName): Promise<ScriptedHost> {
  return ((await import(`./${name}/scripted.ts`)) as { readonly scripted: ScriptedHost }).scripted;
}
