import { homedir } from "node:os";
import { answerHooksOf, DIALECTS, type Door, type HostName, watchInterrupts } from "../hooks/index.ts";
import { type McpOptions, serveMcp } from "../hosts/mcp/index.ts";

/** The MCP server of a session, which also answers the hooks of that session: it is awake, and they would have to load first. */
export async function serveSession(options: Omit<McpOptions, "onSession" | "onKnown">): Promise<void> {
  const doors: Promise<Door | undefined>[] = [];
  const ends: (() => void)[] = [];
  await serveMcp({
    ...options,
    onSession: ({ host, session }) => {
      if (isHostName(host)) doors.push(answerHooksOf({ host, session, env: options.env, home: homedir() }));
    },
    onKnown: ({ host, session }) => {
      if (isHostName(host)) ends.push(watchInterrupts({ host, session, env: options.env, home: homedir() }));
    },
  });
  for (const end of ends) end();
  for (const door of doors) (await door)?.close();
}

const isHostName = (host: string): host is HostName => Object.hasOwn(DIALECTS, host);
