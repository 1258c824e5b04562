import type { Lease, Ledger } from "../ports.ts";
import { insist, type Patience } from "./insist.ts";

/** Says in the record what a run waits for, so that screens on every machine can say it, and that it waits no more. */
export function tellWaiting(
  ledger: Pick<Ledger, "waits">,
  lease: Lease,
  patience: Pick<Patience, "isOver" | "wait"> = {},
): Required<Pick<Patience, "onAway" | "onBack">> {
  let last: Promise<unknown> = Promise.resolve();
  const say = (why: string | undefined): void => {
    // A run that is somebody else's by now, or let go of, is told nothing.
    last = last.then(() => insist(() => ledger.waits(lease, why), patience)).catch(() => {});
  };
  return {
    onAway: (error) => say(error instanceof Error ? error.message : String(error)),
    onBack: () => say(undefined),
  };
}
