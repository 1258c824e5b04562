import type { TestPostgres } from "../../test/fleet/postgres.ts";

/** What a database has done and who is connected to it, asked from another one so that it is not counted. */
export interface Traffic {
  readonly transactions: number;
  /** Milliseconds that its connections spent in statements. */
  readonly activeMs: number;
  /** Process numbers of its connections. */
  readonly connections: readonly number[];
}

export async function traffic(postgres: TestPostgres, database: string): Promise<Traffic> {
  const [row] = await postgres.sql(
    `SELECT (xact_commit + xact_rollback)::float8 AS transactions, active_time AS "activeMs",
       ARRAY (SELECT pid FROM pg_stat_activity WHERE datname = '${database}' AND backend_type = 'client backend') AS connections
     FROM pg_stat_database WHERE datname = '${database}'`,
  );
  return row as unknown as Traffic;
}
