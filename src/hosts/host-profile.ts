import type { HostName } from "../config/index.ts";
import type { Capabilities } from "../engine/index.ts";
import type { Finding, HookProfile, Whereabouts } from "../hooks/index.ts";
import type { HostProcess } from "./host-process.ts";

/** All that tildone knows about one host. */
export interface HostProfile {
  readonly name: HostName;
  /** Its name on a screen. */
  readonly title: string;
  /** What it is started with. */
  readonly program: string;
  /** The npm package that brings it. */
  readonly comesWith: string;
  /** The version whose contract was verified against the real program. */
  readonly verified: string;
  /** What it can do, in each of its modes. */
  readonly capabilities: Readonly<Record<string, Capabilities>>;
  readonly process: HostProcess;
  /** Variables that it gives to what it starts. Every program can set them: they prove nothing. */
  readonly marks: readonly string[];
  /** What the first process in the containers of its shells is called, where it has such. */
  readonly sandboxes?: readonly string[];
  /** How its MCP client tells whose list a call is about. */
  readonly mcp?: McpTells;
  /** How it calls our hooks, and how they get there; absent where our adapter lives inside it. */
  readonly hook?: HookProfile;
  /** How you put it in, where `tildone install` does not: with the folder of this package, which is there in every kind of install. */
  readonly installedBy?: (folder: string) => string;
  /** Whether it loads us, by what stands in its files, where it has no hooks. */
  readonly examine?: (where: Whereabouts, folder: string) => readonly Finding[];
}

/** `inCall`: with every call. `inEnvironment`: when it starts the server. */
export interface McpTells {
  readonly inCall?: (call: McpCall, server: McpServer) => ToldSession | undefined;
  readonly inEnvironment?: (server: McpServer) => ToldSession | undefined;
  /** Its hooks can begin a new conversation with a nudge: the agent hears from our server that its turn is over. */
  readonly renews?: "nudge";
}

/** The parts of a call that may name its session. */
export interface McpCall {
  readonly meta?: unknown;
  readonly args?: unknown;
}

export interface McpServer {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where it was started. */
  readonly cwd: string;
  /** Its configuration says which host starts it: that host has our hooks, too. */
  readonly isNamed: boolean;
}

export interface ToldSession {
  readonly session: string;
  /** Where the session works, where the host tells. */
  readonly cwd?: string;
  /** It is unknown where it works, and why: its list cannot be kept. */
  readonly nowhere?: string;
}

/** A name in what a client sent; anything else is none. */
export function nameIn(value: unknown, key: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "string" && found !== "" && found.length <= 200 ? found : undefined;
}
