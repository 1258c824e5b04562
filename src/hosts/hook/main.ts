/** The hook as a process of its own: `node main.js <host> <event>`. Prints one JSON object or nothing, and always ends with 0. */
import { readFileSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { answerHook } from "./answer-hook.ts";
import type { HostName } from "./dialect.ts";
import type { EventName } from "./happening.ts";

const [host, event] = process.argv.slice(2) as [HostName, EventName];
const input = readFileSync(0, "utf8");
answerHook({ host, event, input, env: process.env, home: homedir(), now: () => Date.now() }).then((output) => {
  if (output !== "") writeSync(1, output);
  // What still runs in the background, such as a look at the workspace, is not worth the host's time.
  process.exit(0);
});
