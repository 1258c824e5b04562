/** Whose list a call is about: a session of a host that also has our hooks, or this connection alone. */
export interface McpSession {
  readonly host: string;
  readonly session: string;
}

export interface McpIdentity {
  /** The host that started the server, where its configuration says so. */
  readonly host?: string;
  /** This connection's own name, for clients without sessions. */
  readonly connection: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Claude Code tells the server its session in the environment, Codex with every call, Gemini through the hook that adds it to the
 * arguments. Any other client is one session per connection, so that two in one folder never mix their lists.
 */
export function sessionOf({ host, connection, env }: McpIdentity, meta: unknown): McpSession {
  const told = stringIn(meta, "sessionId") ?? stringIn(meta, "threadId");
  if (host === "codex" || (host === undefined && told !== undefined))
    return told === undefined ? { host: "mcp", session: connection } : { host: "codex", session: told };
  const claude = env.CLAUDE_CODE_SESSION_ID;
  if ((host === "claude-code" || host === undefined) && claude) return { host: "claude-code", session: claude };
  const given = env.TILDONE_SESSION;
  if (host !== undefined && given) return { host, session: given };
  return { host: "mcp", session: connection };
}

function stringIn(value: unknown, key: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "string" && found !== "" && found.length <= 200 ? found : undefined;
}
