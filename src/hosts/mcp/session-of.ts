import type { McpCall, McpServer, McpTells, ToldSession } from "../host-profile.ts";

/** Whose list a call is about: a session of a host, or this connection alone. */
export interface McpSession extends ToldSession {
  readonly host: string;
  /** The host has our hooks too: they speak at the boundary, so that a tool result need not. */
  readonly hasHooks: boolean;
}

export interface McpIdentity {
  /** The host that started the server, where its configuration says so: it has our hooks then. */
  readonly host?: string;
  /** How hosts tell whose call it is. */
  readonly tells: Readonly<Record<string, McpTells | undefined>>;
  /** This connection's own name, for clients without sessions. */
  readonly connection: string;
  readonly env: McpServer["env"];
  readonly cwd: string;
}

/**
 * Some hosts tell the server its session when they start it, others with every call. Any other client is one session per
 * connection, so that two in one folder never mix their lists.
 */
export function sessionOf({ host, tells, connection, env, cwd }: McpIdentity, call: McpCall): McpSession {
  const isNamed = host !== undefined;
  const server = { env, cwd, isNamed };
  const asked = isNamed ? [host] : Object.keys(tells);
  const inCall = (name: string) => tells[name]?.inCall?.(call, server);
  const inEnvironment = (name: string) => tells[name]?.inEnvironment?.(server);
  for (const look of [inCall, inEnvironment])
    for (const name of asked) {
      const told = look(name);
      if (told) return { host: name, hasHooks: isNamed, ...told };
    }
  return { host: "mcp", session: connection, hasHooks: false };
}
