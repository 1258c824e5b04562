import type { Lease, Ledger } from "../ports.ts";
import { insist, type Patience } from "./insist.ts";

/**
 * Says in the record what a run waits for, so that screens on every machine can say it, and that it waits no more. `fenced`: the answer was
 * that another one has the run by now.
 */
export function tellWaiting(
  ledger: Pick<Ledger, "waits">,
  lease: Lease,
  fenced: () => void,
  patience: Pick<Patience, "isOver" | "wait"> = {},
): Required<Pick<Patience, "onAway" | "onBack">> {
  let last: Promise<unknown> = Promise.resolve();
  const say = (why: string | undefined): void => {
    last = last
      .then(() => insist(() => ledger.waits(lease, why), patience))
      .then(({ status }) => {
        if (status === "fenced") fenced();
      })
      .catch(() => {}); // it is only said
  };
  return {
    onAway: (error) => say(error instanceof Error ? error.message : String(error)),
    onBack: () => say(undefined),
  };
}
