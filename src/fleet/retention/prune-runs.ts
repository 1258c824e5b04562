import { type Database, OVER } from "../ledger/index.ts";
import type { FleetRun, Ledger } from "../ports.ts";
import { type Removal, type RemovalPorts, removeRuns } from "./remove-runs.ts";

/** At once; the next time has the rest. */
const MOST = 200;

/** Removes what is over for longer than `keepMs`. One worker of the fleet does it at a time; the others find it done. */
export async function pruneRuns(
  ports: RemovalPorts & { readonly database: Database; readonly ledger: Ledger },
  keepMs: number,
  isOurs: (run: FleetRun) => boolean,
  tell: (run: string, removal: Removal) => void,
): Promise<void> {
  const { database, ledger } = ports;
  const lock = await database.connect();
  try {
    const { rows } = await lock.query<{ got: boolean }>("SELECT pg_try_advisory_lock(hashtext($1)) AS got", [
      `${database.schema} prune`,
    ]);
    if (!rows[0]?.got) return;
    // Its clock and the database's may differ by seconds; it is about days.
    const old = await ledger.list({ states: OVER, changedBefore: Date.now() - keepMs, limit: MOST });
    const ours = old.filter(isOurs);
    if (ours.length > 0) await removeRuns(ports, ours, tell);
    await ledger.forgetWorkers(keepMs);
  } finally {
    await lock.end(); // and the lock with it
  }
}
