import { readFileSync } from "node:fs";
import { HOOK_HOSTS, type HookHostName } from "../../src/config/index.ts";
import { host as CLAUDE_CODE } from "./real/claude-code.ts";
import { host as CODEX } from "./real/codex.ts";
import { host as GEMINI } from "./real/gemini.ts";
import { host as QWEN } from "./real/qwen.ts";
import type { RealHost } from "./real-host.ts";
import type { Sandbox } from "./sandbox.ts";

export type { Asked, RealHost } from "./real-host.ts";
export { CLAUDE_CODE, CODEX, GEMINI, QWEN };

/** Every host in the list that calls our hooks. */
export const REAL_HOSTS: readonly RealHost[] = await Promise.all(HOOK_HOSTS.map(realHost));

export async function realHost(name: HookHostName): Promise<RealHost> {
  return ((await import(`./real/${name}.ts`)) as { readonly host: RealHost }).host;
}

export const bytesOf = (host: RealHost, sandbox: Sandbox): readonly (string | undefined)[] =>
  host.config(sandbox).map((path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  });
