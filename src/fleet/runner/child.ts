import { spawn } from "node:child_process";

export interface Child {
  readonly pid: number;
  /** Resolves with its exit code, and what it said last; null: it was killed. */
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
  /** At once, with everything it started. */
  kill(): void;
}

/** Dies with us: the shell between reads our end of a pipe, and ends its whole group when that is gone. */
const SCRIPT = 'exec 3<&0; "$@" </dev/null 3<&- & c=$!; (read -r _ <&3; kill -9 0) & exec 3<&-; wait $c; exit $?';

export function startChild(
  command: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly onLine?: (line: string) => void;
    /** What it leaves running ends with us, not with it: a service that the work needs. */
    readonly leavesServices?: boolean;
  },
): Child {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "sh", ...command], {
    cwd: options.cwd,
    env: options.env as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  let isOver = false;
  const hear = (text: string): void => {
    said = (said + text).slice(-4_000);
    for (const line of text.split("\n")) if (line.trim() !== "") options.onLine?.(line);
  };
  child.stdin.on("error", () => {});
  child.stdout.setEncoding("utf8").on("data", hear);
  child.stderr.setEncoding("utf8").on("data", hear);
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.on("error", (error) => resolve({ code: 127, said: error.message }));
    child.on("exit", (code) => {
      isOver = true;
      if (!options.leavesServices) child.stdin.destroy(); // what is left of its group ends with that
      resolve({ code: code === null || code > 128 ? null : code, said });
    });
  });
  return { pid: child.pid ?? 0, ended, kill };

  function kill(): void {
    if (child.pid === undefined || isOver) return; // its number may be another process's by now
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
