/** The server as a process of its own: `node mcp-main.js <host> <version>`, for plugins that bring no package with them. */
import { dirname, join } from "node:path";
import { serveSession } from "./serve-session.ts";

const [host, version = "0"] = process.argv.slice(2);
const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => ended.abort());
await serveSession({
  cwd: process.cwd(),
  env: process.env,
  version,
  hookEntry: join(dirname(process.argv[1] ?? ""), "tildone-hook.js"),
  signal: ended.signal,
  host,
});
