import { readFileSync } from "node:fs";
import { HOOK_HOSTS, type HookHostName } from "../../src/config/index.ts";
import type { Dialect } from "../../src/hooks/index.ts";
import { HOOK_PROFILES } from "../../src/hosts/index.ts";
import type { Call } from "../../src/testing/index.ts";
import { host as CLAUDE_CODE } from "./real/claude-code.ts";
import { host as CODEX } from "./real/codex.ts";
import { host as GEMINI } from "./real/gemini.ts";
import type { RealHost } from "./real-host.ts";
import type { Sandbox } from "./sandbox.ts";

export type { Asked, OwnItem, RealHost } from "./real-host.ts";
/** Each for what is true of it alone; what is true of all is shown on `REAL_HOSTS`. */
export { CLAUDE_CODE, CODEX, GEMINI };

/** Every host in the list that calls our hooks. */
export const REAL_HOSTS: readonly RealHost[] = await Promise.all(HOOK_HOSTS.map(realHost));

export async function realHost(name: HookHostName): Promise<RealHost> {
  return ((await import(`./real/${name}.ts`)) as { readonly host: RealHost }).host;
}

/** What its value says of how it calls our hooks. */
export const dialectOf = ({ name }: RealHost): Dialect => HOOK_PROFILES[name].hook.dialect;

/** One item of its own list, and what lets it keep that. */
export const ownItemOf = (host: RealHost): { readonly call: Call } & NonNullable<RealHost["ownListNeeds"]> =>
  host.ownItem
    ? { call: host.ownItem }
    : { call: host.ownList([{ text: "one", status: "pending" }]), ...host.ownListNeeds };

export const bytesOf = (host: RealHost, sandbox: Sandbox): readonly (string | undefined)[] =>
  host.config(sandbox).map((path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  });
