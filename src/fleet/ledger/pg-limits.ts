import type { Limit } from "../ports.ts";
import type { Database, Statements } from "./connect.ts";
import { TURN_MS } from "./rules.ts";

/** Counts the run against its limits, in the transaction that claims it; gives the first one that is reached. */
export async function takeLimits(
  client: Statements,
  schema: string,
  run: string,
  limits: readonly Limit[],
): Promise<string | undefined> {
  const ordered = await locked(client, schema, limits);
  const reached = await limitReached(client, schema, run, ordered);
  if (reached !== undefined) return reached;
  await releaseLimits(client, schema, run);
  for (const [name] of ordered)
    await client.query(`INSERT INTO ${schema}.slots (name, holder) VALUES ($1, $2)`, [name, run]);
  return undefined;
}

export async function releaseLimits({ query }: Statements, schema: string, run: string): Promise<void> {
  await query(`DELETE FROM ${schema}.slots WHERE holder = $1`, [run]);
}

/**
 * Whether a run may be claimed now; gives the limit that is reached. Who was told so has its turn: for a moment others of that limit wait, or
 * whoever starts its process soonest would come before what is more urgent. That is all: a claim asks only what is running.
 */
export async function askForTurn(
  database: Pick<Database, "transact">,
  schema: string,
  run: string,
  limits: readonly Limit[],
): Promise<string | undefined> {
  if (limits.length === 0) return undefined;
  return database.transact(async (client) => {
    const ordered = await locked(client, schema, limits);
    const reached = await limitReached(client, schema, run, ordered, TURN_MS);
    if (reached !== undefined) return reached;
    for (const [name] of ordered)
      await client.query(
        `INSERT INTO ${schema}.slots (name, holder) SELECT $1, run FROM ${schema}.runs WHERE run = $2
         ON CONFLICT (name, holder) DO UPDATE SET taken = clock_timestamp()`,
        [name, run],
      );
    return undefined;
  });
}

/** One at a time looks at a limit, and all take their limits in one order, so that none waits for another in a circle. */
async function locked(client: Statements, schema: string, limits: readonly Limit[]): Promise<readonly Limit[]> {
  const ordered = [...limits].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name] of ordered)
    await client.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`${schema} slot ${name}`]);
  return ordered;
}

/** Only what is running counts: whatever became of a worker, a limit is not kept from others by what does not run. */
async function limitReached(
  { query }: Statements,
  schema: string,
  run: string,
  limits: readonly Limit[],
  turnMs = 0,
): Promise<string | undefined> {
  for (const [name, most] of limits) {
    const [row] = await query<{ count: number }>(
      `SELECT count(*)::int FROM ${schema}.slots JOIN ${schema}.runs ON run = holder
       WHERE name = $1 AND holder <> $2
         AND (state = 'running' OR (state = 'queued' AND taken > clock_timestamp() - $3 * interval '1 ms'))`,
      [name, run, turnMs],
    );
    if (row!.count >= most) return name;
  }
  return undefined;
}
