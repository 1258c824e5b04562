import type { Run } from "../../core/run/index.ts";
import type { Clock, Timer } from "../../engine/index.ts";

/** How often background work is counted while a run waits for it. */
const COUNT_EVERY_MS = 1_000;

type State = { readonly status: "off" | "counting" } | { readonly status: "waiting"; readonly timer: Timer };
const OFF: State = { status: "off" };

export interface CountParts {
  readonly clock: Clock;
  readonly run: () => Run | undefined;
  readonly read: () => Promise<number | null | undefined>;
  readonly tell: (agents: number) => Promise<unknown>;
  readonly failed: (error: unknown) => void;
}

/**
 * While a run waits for background work it is counted again and again: no event tells when it ends.
 *
 *     off --awaited--> waiting --a second--> counting --still awaited--> waiting
 *                         +-- not awaited --> off <-- not awaited --+
 */
export function createBackgroundCount({ clock, run, read, tell, failed }: CountParts) {
  let state: State = OFF;

  return { follow, drop };

  function follow(): void {
    if (!isAwaited(run())) drop();
    else if (state.status === "off")
      state = {
        status: "waiting",
        timer: clock.setTimer(clock.now() + COUNT_EVERY_MS, () => void count().catch(failed)),
      };
  }

  async function count(): Promise<void> {
    state = { status: "counting" };
    const agents = await read().catch(() => undefined); // counted again in a second; the deadline ends it
    state = OFF;
    if (typeof agents === "number") await tell(agents);
    follow();
  }

  function drop(): void {
    if (state.status === "waiting") state.timer.cancel();
    state = OFF;
  }
}

function isAwaited(run: Run | undefined): boolean {
  const { decision, boundary } = run?.ledger ?? {};
  return boundary?.status === "waiting" && decision?.type === "wait" && decision.reason === "background";
}
