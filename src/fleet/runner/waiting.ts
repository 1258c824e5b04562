import { clipLine } from "../../core/text/index.ts";
import type { Lease, Ledger } from "../ports.ts";
import { insist, type Patience } from "./insist.ts";

/**
 * Says in the record what a run waits for and what you can do, so that screens on every machine can say it, and that it waits no more. `fenced`: the answer was
 * that another one has the run by now.
 */
export function tellWaiting(
  ledger: Pick<Ledger, "waits">,
  lease: Lease,
  fenced: () => void,
  patience: Pick<Patience, "isOver" | "wait"> = {},
) {
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
    onAway: (error: unknown) => say(waitingText(lease.run, error)),
    onBack: () => say(undefined),
    preparing: (command: string) => say(`Preparing the workspace: ${clipLine(command, 100)}`),
  };
}

const waitingText = (run: string, error: unknown): string =>
  `Waiting for the repository: ${error instanceof Error ? error.message : String(error)} The worker tries again by itself. Check the address and the worker's network, or end the run: tildone cancel ${run}`;
