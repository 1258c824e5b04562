import type { FleetRun, Ledger } from "../ports.ts";
import { adriftRuns } from "./adrift-runs.ts";

export interface LostParts {
  readonly ledger: Pick<Ledger, "workers" | "list" | "unpublished">;
  readonly self: string;
  readonly leaseMs: number;
  readonly driving: { has(run: string): boolean };
  /** Runs that have a place on the queue. */
  readonly queued: () => Promise<ReadonlySet<string>>;
}

/**
 * Finds runs that wait for a worker, whose worker is gone, or whose result is not published, and that the queue does not know: their
 * submitter or their workflow died. One may just be on its way: only what was seen twice is lost.
 */
export function createLostFinder({ ledger, self, leaseMs, driving, queued }: LostParts) {
  let seen: ReadonlySet<string> = new Set();
  return async (): Promise<readonly FleetRun[]> => {
    const workers = await ledger.workers();
    const alive = new Set(workers.filter(({ silentMs }) => silentMs < leaseMs).map(({ id }) => id));
    const runs = await ledger.list({ states: ["queued", "running"], limit: 1000 });
    const adrift = [...adriftRuns(runs, { alive, self, driving }), ...(await ledger.unpublished())];
    const known = adrift.length > 0 ? await queued() : new Set<string>();
    const lost = adrift.filter(({ run }) => !known.has(run));
    const again = lost.filter(({ run }) => seen.has(run));
    seen = new Set(lost.map(({ run }) => run).filter((run) => !seen.has(run)));
    return again;
  };
}
