import { type Database, pgLedger } from "../ledger/index.ts";

export interface Judge {
  readonly id: string;
  /** A worker that is silent for longer is dead. */
  readonly leaseMs: number;
  /** Names of the workers that have something on the queue's books. */
  readonly working: () => Promise<readonly (string | undefined)[]>;
}

/**
 * Has the work of dead workers recovered. One worker of the fleet does it at a time, and only one that is alive itself. It needs one
 * connection: with a second for what it asks meanwhile, a few slow looks at once would wait for each other.
 */
export async function recoverDead(
  database: Database,
  { id, leaseMs, working }: Judge,
  recover: (dead: string[]) => Promise<void>,
): Promise<void> {
  await database.transact(async (client) => {
    const [row] = await client.query<{ got: boolean }>("SELECT pg_try_advisory_xact_lock(hashtext($1)) AS got", [
      `${database.schema} reaper`,
    ]);
    if (!row?.got) return;
    const heard = await pgLedger({ ...database, ...client }).workers();
    const alive = new Set(heard.filter(({ silentMs }) => silentMs < leaseMs).map((each) => each.id));
    const dead = new Set((await working()).filter((each) => each !== undefined && !alive.has(each)));
    if (dead.size > 0 && alive.has(id)) await recover([...dead] as string[]);
  });
}
