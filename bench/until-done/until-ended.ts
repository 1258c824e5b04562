import type { ChildProcess } from "node:child_process";

export type Ending =
  | { readonly status: "ended"; readonly code: number | null }
  | { readonly status: "too long"; readonly afterMs: number; readonly still: "works" | "rests" };

export interface Patience {
  /** The longest that a process may take. */
  readonly longestMs: number;
  /** The longest that it may live without doing anything that counts. */
  readonly quietMs: number;
  /** Grows with what counts. */
  readonly deeds: () => number;
}

const LOOK_MS = 1000;

/** Waits for a process, but not forever: one that takes longer, or rests for longer, is killed. */
export function untilEnded(child: ChildProcess, { longestMs, quietMs, deeds }: Patience): Promise<Ending> {
  return new Promise((done, fail) => {
    const begun = performance.now();
    let [known, changed] = [deeds(), begun];
    const timer = setInterval(() => {
      const now = performance.now();
      if (deeds() !== known) [known, changed] = [deeds(), now];
      if (now - begun < longestMs && now - changed < quietMs) return;
      clearInterval(timer);
      child.kill("SIGKILL");
      done({ status: "too long", afterMs: now - begun, still: now - changed < quietMs ? "works" : "rests" });
    }, LOOK_MS);
    child.once("error", (error) => {
      clearInterval(timer);
      fail(error);
    });
    child.once("close", (code) => {
      clearInterval(timer);
      done({ status: "ended", code });
    });
  });
}
