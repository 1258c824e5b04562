import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openTmux, type Size, type TmuxScreen } from "../tmux.ts";
import type { Sandbox } from "./sandbox.ts";

/** pi in a real terminal. */
export interface PiTerminal extends TmuxScreen {
  /** How often the bell rang. */
  rings(): number;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** `size`: of the terminal; absent, one in which much can be seen at once. */
export function openTerminal(box: Sandbox & { readonly size?: Size }, ...args: readonly string[]): PiTerminal {
  const terminal = openTmux({
    name: box.root.slice(-6),
    cwd: box.cwd,
    size: box.size ?? { columns: 120, rows: 50 },
    env: { ...box.env, TERM: "xterm-256color", LANG: "C.UTF-8" },
    argv: [process.execPath, ...box.argv, ...args],
    // What it says when it ends stays on the screen, and its status; what tmux says of a pane that died comes and goes.
    after: '; echo "(exit $?)"',
  });
  const bells = join(box.root, "bells");
  terminal.tmux("set-hook", "-g", "alert-bell", `run-shell 'echo >> ${bells}'`);
  return {
    ...terminal,
    rings: () => (existsSync(bells) ? readFileSync(bells, "utf8").length : 0),
    kill: async () => {
      const shell = terminal.tmux("list-panes", "-t", "test", "-F", "#{pane_pid}").trim();
      process.kill(Number(execFileSync("pgrep", ["-P", shell], { encoding: "utf8" })), "SIGKILL");
      await terminal.shows(/\(exit 137\)/);
    },
  };
}
