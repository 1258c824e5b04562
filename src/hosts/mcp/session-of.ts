import { FOLDER_ARGUMENT, SESSION_ARGUMENT } from "../../core/words/index.ts";

/** Whose list a call is about: a session of a host, or this connection alone. */
export interface McpSession {
  readonly host: string;
  readonly session: string;
  /** The host has our hooks too: they speak at the boundary, so that a tool result need not. */
  readonly hasHooks: boolean;
  /** Where the session works, where the host tells: a plugin's server may run in the plugin's own folder. */
  readonly cwd?: string;
}

export interface McpIdentity {
  /** The host that started the server, where its configuration says so: it has our hooks then. */
  readonly host?: string;
  /** The server runs in the folder of a plugin, not where the session works. */
  readonly plugin?: boolean;
  /** This connection's own name, for clients without sessions. */
  readonly connection: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Claude Code tells the server its session in the environment, Codex with every call, Gemini through the hook that adds it to the
 * arguments. Any other client is one session per connection, so that two in one folder never mix their lists.
 */
export function sessionOf({ host, connection, env, plugin }: McpIdentity, { meta, args }: McpCall): McpSession {
  const told = stringIn(meta, "sessionId") ?? stringIn(meta, "threadId");
  const added = stringIn(args, SESSION_ARGUMENT);
  const claude = env.CLAUDE_CODE_SESSION_ID;
  const hasHooks = host !== undefined;
  if (host === "gemini" && added !== undefined) return { host, session: added, hasHooks };
  if ((host === "codex" || host === undefined) && told !== undefined)
    return { host: "codex", session: told, hasHooks, ...(plugin ? folderIn(args) : {}), ...workspaceIn(meta) };
  if ((host === "claude-code" || host === undefined) && claude) {
    const cwd = env.CLAUDE_PROJECT_DIR;
    return { host: "claude-code", session: claude, hasHooks, ...(cwd !== undefined && { cwd }) };
  }
  return { host: "mcp", session: connection, hasHooks: false };
}

/** The parts of a call that may name its session. */
export interface McpCall {
  readonly meta?: unknown;
  readonly args?: unknown;
}

/** Codex names the repositories of a session with every call. */
function workspaceIn(meta: unknown): { cwd?: string } {
  const turn = (meta as Record<string, unknown>)["x-codex-turn-metadata"];
  const { workspaces } = (typeof turn === "object" && turn !== null ? turn : {}) as { workspaces?: unknown };
  const [cwd] = typeof workspaces === "object" && workspaces !== null ? Object.keys(workspaces) : [];
  return cwd === undefined ? {} : { cwd };
}

/** Outside a repository our own hook says where it is. Only of a plugin: elsewhere the model alone could have written it. */
function folderIn(args: unknown): { cwd?: string } {
  const cwd = stringIn(args, FOLDER_ARGUMENT);
  return cwd === undefined ? {} : { cwd };
}

function stringIn(value: unknown, key: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "string" && found !== "" && found.length <= 200 ? found : undefined;
}
