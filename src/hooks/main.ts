/** The hook as a process of its own: `node main.js <host> <event>`. Prints one JSON object or nothing, and always ends with 0. */
import { fstatSync, readFileSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { answerHook } from "./answer-hook.ts";
import type { HostName } from "./dialect.ts";
import type { EventName } from "./happening.ts";

const [host, event] = process.argv.slice(2) as [HostName, EventName];
const input = readFileSync(0, "utf8");
const call = { host, event, input, env: process.env, home: homedir(), parent: process.ppid, now: () => Date.now() };
answerHook(call, print).then(() => {
  // What still runs in the background, such as a look at the workspace, is not worth the host's time.
  process.exit(0);
});

/** Whole, or an error: half an answer is none, and whoever closed the pipe did not read it. */
function print(output: string): void {
  if (isNowhere(1)) throw new Error("nobody reads what the hook prints");
  const bytes = Buffer.from(output);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

/** Node puts /dev/null where the host closed the pipe. */
function isNowhere(output: number): boolean {
  if (!fstatSync(output).isCharacterDevice()) return false;
  // Not imported: it loads sockets and streams, and hosts read from a pipe.
  return !process.getBuiltinModule("node:tty").isatty(output);
}
