/**
 * Every host, once: what tildone knows about one is the value in `src/hosts/<name>/profile.ts`, and every other list is made of these.
 * `hook`: it calls a process of ours at each event. `resident`: our adapter lives inside it.
 */
export const HOSTS = {
  "claude-code": "hook",
  codex: "hook",
  gemini: "hook",
  opencode: "resident",
  pi: "resident",
  qwen: "hook",
} as const satisfies Readonly<Record<string, "hook" | "resident">>;

export type HostName = keyof typeof HOSTS;
export type HookHostName = { [N in HostName]: (typeof HOSTS)[N] extends "hook" ? N : never }[HostName];

export const HOST_NAMES = Object.keys(HOSTS) as readonly HostName[];
export const HOOK_HOSTS = HOST_NAMES.filter((name) => HOSTS[name] === "hook") as readonly HookHostName[];

/** The host in whose sessions tildone's own agent works. */
export const OWN_HOST: HostName = "pi";
