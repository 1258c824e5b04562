import { fileURLToPath } from "node:url";
import type { Environment } from "../config/index.ts";
import type { ProcessGroups } from "../machine/index.ts";
import { lineageOf } from "../machine/index.ts";

/** Two folders up: every place that this is shipped in lies alike. */
const ENTRY = fileURLToPath(new URL("../../bin/tildone-notify.js", import.meta.url));

/** How often a sender that was killed is started anew. */
const WAKES = 2;

/**
 * Starts the process that sends what waits in the log of a run, and leaves it alone: a server that hangs is no reason for a run, a
 * hook or a host to wait, and what it sends outlives them.
 */
export function wakeSender(env: Environment, home: string, groups: ProcessGroups): (run: string) => void {
  return wake;

  function wake(run: string, again = WAKES): void {
    const { spawn } = process.getBuiltinModule("node:child_process"); // at once: a hook may be gone a moment later
    const child = spawn(process.execPath, [ENTRY, run], {
      // Inside a host that brings a runtime of its own, its program is that runtime when it is told so.
      env: { ...env, HOME: home, BUN_BE_BUN: "1", TILDONE_TTY: lineageOf()[0]?.tty ?? "" },
      stdio: "ignore",
      detached: true,
    });
    child.on("error", () => {}); // it stays queued; the next process that takes the run over sends it
    // It runs your command: what that says, you say, also while the agent works.
    if (child.pid !== undefined) child.once("exit", groups.record(child.pid, "human"));
    child.once("exit", (_code, signal) => {
      if (signal !== null && again > 0) wake(run, again - 1); // killed in the middle: the log says what is left
    });
    child.unref();
  }
}
