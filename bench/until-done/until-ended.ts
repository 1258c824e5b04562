import type { ChildProcess } from "node:child_process";

export type Ending = { readonly status: "ended"; readonly code: number | null } | { readonly status: "too long" };

/** Waits for a process, but not for ever: one that takes longer is killed. */
export function untilEnded(child: ChildProcess, longestMs: number): Promise<Ending> {
  return new Promise((done) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      done({ status: "too long" });
    }, longestMs);
    child.once("close", (code) => {
      clearTimeout(timer);
      done({ status: "ended", code });
    });
  });
}
