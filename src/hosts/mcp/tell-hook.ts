import { spawn } from "node:child_process";

export interface LostHost {
  readonly host: string;
  readonly hookEntry: string;
  readonly session: string;
  /** The process that started us. */
  readonly hostProcess: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Our end may be the end of the host, and hosts that end within a turn do not always run their hooks. A process that outlives us
 * both looks whether the host is gone; resolves when that process has heard what to look for.
 */
export function tellHook({ host, hookEntry, session, hostProcess, env }: LostHost): Promise<void> {
  return new Promise((done) => {
    const hook = spawn(process.execPath, [hookEntry, host, "host-gone"], {
      env,
      stdio: ["pipe", "ignore", "ignore"],
      detached: true, // a host that ends signals its servers again and again, and a terminal its whole group
    });
    hook.on("error", () => done()); // then no process looks, and the log says as much as before
    hook.stdin.on("error", () => done());
    hook.stdin.end(JSON.stringify({ session_id: session, host_process: hostProcess }), () => done());
    hook.unref();
  });
}
