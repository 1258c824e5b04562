import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { withoutPrivate } from "../../core/secret/index.ts";
import type { Line } from "../../hosts/index.ts";
import { lineOf } from "./line.ts";

export interface ProcessRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It starts another process and passes no signal on. */
  readonly hasLauncher?: boolean | undefined;
  readonly onLine: (line: Line) => void;
  /** Aborted: the host is asked to end, and made to if it does not. */
  readonly signal?: AbortSignal | undefined;
}
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it complained about. */
  readonly complaint: string;
}

const GRACE_MS = 15_000;

/** Runs a host to its end. A program that cannot be started ended with the reason. */
export function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const { program, args, cwd, env, hasLauncher = false, onLine, signal } = request;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: withoutPrivate(env),
      stdio: ["ignore", "pipe", "pipe"],
      detached: hasLauncher,
    });
    let overdue: NodeJS.Timeout | undefined;
    const send = (what: NodeJS.Signals): void => {
      if (!hasLauncher || child.pid === undefined) child.kill(what);
      else
        try {
          process.kill(-child.pid, what);
        } catch {
          // it is gone
        }
    };
    const interrupt = () => {
      send("SIGINT");
      overdue = setTimeout(() => send("SIGKILL"), GRACE_MS);
    };
    let complaint = "";
    signal?.addEventListener("abort", interrupt, { once: true });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      complaint = (complaint + chunk).slice(-2000);
    });
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line = lineOf(text);
      if (line) onLine(line);
    });
    child.on("error", (error) => resolve({ code: null, signal: null, complaint: error.message }));
    child.on("close", (code, by) => {
      clearTimeout(overdue);
      signal?.removeEventListener("abort", interrupt);
      resolve({ code, signal: by, complaint });
    });
  });
}
