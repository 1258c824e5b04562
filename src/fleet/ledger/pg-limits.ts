import type { Limit } from "../ports.ts";
import type { Statements } from "./connect.ts";

/**
 * Counts the run against its limits, in the transaction that claims it; gives the first one that is reached. One claim of a limit at a time
 * looks and takes, and all take their limits in one order, so that none waits for another in a circle.
 */
export async function takeLimits(
  client: Statements,
  schema: string,
  run: string,
  limits: readonly Limit[],
): Promise<string | undefined> {
  const ordered = [...limits].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name] of ordered)
    await client.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`${schema} slot ${name}`]);
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

/** Only what is running counts: whatever became of a worker, a limit is not kept from others by what does not run. */
export async function limitReached(
  { query }: Statements,
  schema: string,
  run: string,
  limits: readonly Limit[],
): Promise<string | undefined> {
  for (const [name, most] of limits) {
    const [row] = await query<{ running: number }>(
      `SELECT count(*)::int AS running FROM ${schema}.slots JOIN ${schema}.runs ON run = holder
       WHERE name = $1 AND holder <> $2 AND state = 'running'`,
      [name, run],
    );
    if (row!.running >= most) return name;
  }
  return undefined;
}
