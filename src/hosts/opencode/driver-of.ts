import type { Driver } from "./capabilities.ts";

/** Options that may stand before the command with a value of their own. */
const VALUED = new Set([
  ...[
    "--log-level",
    "--port",
    "--hostname",
    "--model",
    "-m",
    "--agent",
    "--session",
    "-s",
    "--prompt",
    "--mdns-domain",
  ],
  ...["--cors", "--format", "--dir", "--title", "--variant", "--file", "-f", "--command"],
]);
const INTERACTIVE = ["-i", "--interactive", "--mini"];

/** `opencode run` ends at its first idle, unless it has a terminal; a server that it is attached to does not. */
export function driverOf([, , ...words]: readonly string[]): Driver {
  const command = words.find((word, at) => !word.startsWith("-") && !VALUED.has(words[at - 1] ?? ""));
  return command === "run" && !words.some((word) => INTERACTIVE.includes(word)) ? "loop" : "idle";
}
