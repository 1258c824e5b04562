import { homedir } from "node:os";
import { answerHooksOf, type Dialect, type Door, watchInterrupts } from "../hooks/index.ts";
import { type HostProfile, PROFILES } from "../hosts/index.ts";
import { type McpOptions, serveMcp } from "../hosts/mcp/index.ts";

/** The MCP server of a session, which also answers the hooks of that session: it is awake, and they would have to load first. */
export async function serveSession(options: Omit<McpOptions, "onSession" | "onKnown" | "tells">): Promise<void> {
  const doors: Promise<Door | undefined>[] = [];
  const ends: (() => void)[] = [];
  const { env } = options;
  await serveMcp({
    ...options,
    tells: Object.fromEntries(Object.values(PROFILES).map(({ name, mcp }) => [name, mcp])),
    onSession: ({ host, session }) => {
      const dialect = dialectOf(host);
      if (dialect) doors.push(answerHooksOf({ dialect, session, env, home: homedir() }));
    },
    onKnown: ({ host, session }) => {
      const dialect = dialectOf(host);
      if (dialect) ends.push(watchInterrupts({ dialect, session, env, home: homedir() }));
    },
  });
  for (const end of ends) end();
  for (const door of doors) (await door)?.close();
}

const dialectOf = (host: string): Dialect | undefined =>
  (PROFILES as Readonly<Record<string, HostProfile>>)[host]?.hook?.dialect;
