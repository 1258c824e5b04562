import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { openTmux } from "../tmux.ts";

/** A real shell in a terminal of 80 by 24 with `tildone` on its PATH, and a home and a project of its own. */
export function openShell(
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
  size = { columns: 80, rows: 24 },
) {
  const root = mkdtempSync(join(tmpdir(), "tildone-shell-"));
  const [project, bin] = [join(root, "project"), join(root, "bin")];
  for (const folder of [project, bin]) mkdirSync(folder);
  symlinkSync(resolve("bin/tildone.js"), join(bin, "tildone"));
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH ?? ""}`,
    HOME: root,
    TILDONE_HOME: join(root, "tildone"),
    PI_CODING_AGENT_DIR: join(root, "pi"),
    PI_OFFLINE: "1",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    PS1: "$ ",
    ...more,
  };
  let commands = 0;
  const terminal = openTmux({ name: root.slice(-6), cwd: project, size, env, argv });
  return {
    ...terminal,
    root,
    project,
    env,
    /** With its colours as escape sequences. */
    colours: () => terminal.screen("-e"),
    /** Types a command on an empty screen; gives all lines that it printed, as long as they were printed. */
    prints: async (command: string): Promise<readonly string[]> => {
      const end = `END${++commands}`; // that of the command before may still be on the screen
      terminal.type(`clear; ${command}; echo ${end}`);
      terminal.keys("Enter");
      await terminal.shows(new RegExp(`^${end}$`, "m"));
      const all = terminal.screen("-J", "-S", "-").split("\n");
      return all.slice(all.findLastIndex((line) => line.includes("clear; ")) + 1, all.lastIndexOf(end));
    },
    /** The command line without a terminal, in the same place. */
    tildone: (...args: readonly string[]) =>
      spawnSync(process.execPath, [resolve("bin/tildone.js"), ...args], { cwd: project, env, encoding: "utf8" }),
    /** With more variables. */
    tildoneWith: (extra: Readonly<Record<string, string>>, ...args: readonly string[]) => {
      const options = { cwd: project, env: { ...env, ...extra }, encoding: "utf8" } as const;
      const { stdout, stderr, status } = spawnSync(process.execPath, [resolve("bin/tildone.js"), ...args], options);
      return { out: stdout, err: stderr, status };
    },
    [Symbol.dispose]: () => {
      terminal[Symbol.dispose]();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
