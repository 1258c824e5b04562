import { isUnderWay } from "../core/run/index.ts";
import type { Engine } from "../engine/index.ts";

/**
 * Ctrl-C in a host without a screen ends the process it lives in, and us with it. What it means for the runs is written down
 * first; then the signal does what it would have done. Another listener answers for it, and a second one is not held up.
 */
export function onInterrupt(engine: Engine, sessions: () => Iterable<string>): () => void {
  const heard = (): void => {
    if (process.listenerCount("SIGINT") > lookingOn()) return;
    void Promise.allSettled([...sessions()].map(interrupt)).then(() => process.kill(process.pid, "SIGINT"));
  };
  process.once("SIGINT", heard);
  return () => void process.off("SIGINT", heard);

  async function interrupt(session: string): Promise<void> {
    const run = engine.run(session);
    if (run?.status !== "live") return;
    await engine.tell(
      session,
      isUnderWay(run.ledger) ? { type: "turn.ended", outcome: "aborted" } : { type: "human.interrupt", how: "signal" },
    );
  }
}

/** Listeners that let the signal through when nothing else listens: the library signal-exit, in both its ways, counts its own. */
function lookingOn(): number {
  const old = (process as { __signal_exit_emitter__?: Counter }).__signal_exit_emitter__;
  const current = (globalThis as { [SIGNAL_EXIT]?: Counter })[SIGNAL_EXIT];
  return (old?.count ?? 0) + (current?.count ?? 0);
}
const SIGNAL_EXIT: unique symbol = Symbol.for("signal-exit emitter") as never;
interface Counter {
  readonly count: number;
}
