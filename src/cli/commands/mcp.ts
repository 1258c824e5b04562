import { HOOK_HOSTS } from "../../config/index.ts";
import { type Command, text, UsageError } from "../command.ts";
import { unknownHost } from "../hosts.ts";
import { listed } from "../listed.ts";
import { packaged } from "../packaged.ts";
import { version } from "../version.ts";

export const mcp: Command = {
  name: "mcp",
  takes: "",
  summary: "Serves the todo tools to any MCP client on standard input and output.",
  details: `Add it to the client's configuration, for example:
  { "mcpServers": { "tildone": { "command": "tildone", "args": ["mcp"] } } }`,
  options: {
    host: {
      type: "string",
      completes: "hook-host",
      value: "name",
      says: `The host that starts it: ${listed(HOOK_HOSTS, "or")}.`,
    },
  },
  words: 0,
  run: async (given, io) => {
    const { serveSession } = await import("../serve-session.ts");
    const host = text(given, "host");
    if (host !== undefined && !HOOK_HOSTS.some((name) => name === host)) throw new UsageError(unknownHost(host));
    await serveSession({
      cwd: io.cwd,
      env: io.env,
      version: version(),
      hookEntry: packaged("tildone-hook.js"),
      signal: io.signal,
      host,
    });
    return 0;
  },
};
