import type { FleetRun } from "../ports.ts";

type Urgency = Pick<FleetRun, "run" | "priority" | "submittedAt">;

/** What the queue gives out at once arrives here in any order, and within so long. */
const TOGETHER_MS = 100;

/**
 * Runs that this process was given and that share a limit, one after the other: of those that are there together the most urgent first, as the
 * queue has them. Gives what lets the next one pass.
 */
export function takeTurns(wait: (ms: number) => Promise<void>): (run: Urgency) => Promise<() => void> {
  const waiting = new Set<Urgency>();
  let asking: Promise<void> | undefined;
  return async (run) => {
    waiting.add(run);
    await wait(TOGETHER_MS);
    for (;;) {
      if (asking) await asking;
      else if (first(waiting) === run) break;
      else await wait(TOGETHER_MS); // a more urgent one was just given out
    }
    waiting.delete(run);
    const passed = Promise.withResolvers<void>();
    asking = passed.promise;
    return () => {
      asking = undefined;
      passed.resolve();
    };
  };
}

const first = (runs: ReadonlySet<Urgency>): Urgency | undefined =>
  [...runs].sort((a, b) => a.priority - b.priority || a.submittedAt - b.submittedAt || (a.run < b.run ? -1 : 1))[0];
