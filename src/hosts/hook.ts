/** The hook as a process of its own: `node hook.js <host> <event>`. Prints one JSON object or nothing, and always ends with 0. */
import { fstatSync, readFileSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { answerHook, type Dialect, type EventName } from "../hooks/index.ts";
import { hostGone } from "./host-gone.ts";

const [host, event] = process.argv.slice(2) as [string, EventName];
const input = readFileSync(0, "utf8");
const { env, ppid: parent } = process;
const waits = event === "stop" && { gone: hostGone(parent) };
const call = { event, input, env, home: homedir(), parent, now: () => Date.now(), ...waits };
// Only the words of its own host: a process that lives for one event pays for each module.
(import(`./${host}/dialect.ts`) as Promise<{ readonly dialect: Dialect }>)
  .then(({ dialect }) => answerHook({ dialect, ...call }, print))
  .then(() => {
    // What still runs in the background, such as a look at the workspace, is not worth the host's time.
    process.exit(0);
  });

/** Whole, or an error: half an answer is none, and a host that closed the pipe did not read it. */
function print(output: string): void {
  if (isNowhere(1)) throw new Error("the hook's output is not read");
  const bytes = Buffer.from(output);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

/** Node puts /dev/null where the host closed the pipe. */
function isNowhere(output: number): boolean {
  if (!fstatSync(output).isCharacterDevice()) return false;
  // Not imported: it loads sockets and streams, and hosts read from a pipe.
  return !process.getBuiltinModule("node:tty").isatty(output);
}
