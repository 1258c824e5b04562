import type { Client } from "pg";
import { type Database, dbosSchemaOf, type FleetAccess, openDatabase, tablesVersion } from "./connect.ts";
import { explained, FleetError } from "./fleet-error.ts";
import { MIGRATIONS } from "./migrations.ts";
import { loadDbos } from "./packages.ts";

export interface InitOptions extends FleetAccess {
  /** A role that workers and commands use: it may read and write, and change no table. */
  readonly workerRole?: string | undefined;
  /** How long another one that does the same is waited for. */
  readonly patienceMs?: number;
  /** Leaves the tables of DBOS to another call. */
  readonly ownTablesOnly?: boolean;
}

/** What `fleet init` did: how many steps of our own tables were taken. */
export interface InitDone {
  readonly schema: string;
  readonly steps: number;
}

/** Prepares a database for the fleet, or brings it up to date. Twice is harmless, also at once. */
export async function initFleet(options: InitOptions): Promise<InitDone> {
  const dbos = options.ownTablesOnly ? undefined : await loadDbos();
  const database = await openDatabase(options);
  try {
    return await locked(database, options.patienceMs ?? 60_000, async () => {
      const steps = await migrate(database);
      const role = options.workerRole;
      if (role !== undefined) await checkRole(database, role);
      const schemaName = dbosSchemaOf(options);
      if (dbos)
        await quietly(() => dbos.DBOS.migrate(options.url, { schemaName, ...(role && { applicationRole: role }) }));
      if (role !== undefined) await grant(database, role);
      return { schema: database.schema, steps };
    });
  } finally {
    await database.close();
  }
}

/**
 * One at a time. It asks again and again instead of waiting in the lock: DBOS builds indexes without blocking, and those wait for everybody
 * who waits in a transaction.
 */
async function locked<T>(database: Database, patienceMs: number, body: () => Promise<T>): Promise<T> {
  const client = await database.connect();
  try {
    const until = Date.now() + patienceMs;
    while (!(await tryLock(client))) {
      if (Date.now() > until) throw new FleetError("locked");
      await new Promise((done) => setTimeout(done, 200));
    }
    return await body();
  } catch (error) {
    throw explained(error);
  } finally {
    await client.end(); // and the lock with it
  }
}

/** Tenants share it: DBOS makes extensions and indexes that belong to the whole database. */
async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_try_advisory_lock(hashtext('tildone fleet init')) AS got");
  return (rows[0] as { got: boolean }).got;
}

async function migrate(database: Database): Promise<number> {
  const { schema } = database;
  const taken = await tablesVersion(database);
  if ((taken ?? 0) > MIGRATIONS.length) throw new FleetError("newer");
  if (taken === undefined)
    await database.transact(async ({ query }) => {
      await query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await query(
        `CREATE TABLE ${schema}.migrations (number int PRIMARY KEY, at timestamptz DEFAULT clock_timestamp())`,
      );
    });
  for (const [index, step] of MIGRATIONS.entries())
    if (index >= (taken ?? 0))
      await database.transact(async ({ query }) => {
        await query(step.replaceAll("%s", schema));
        await query(`INSERT INTO ${schema}.migrations (number) VALUES ($1)`, [index + 1]);
      });
  return MIGRATIONS.length - (taken ?? 0);
}

async function checkRole({ query }: Database, role: string): Promise<void> {
  const found = await query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  if (found.length === 0) throw new FleetError("no_role", role);
}

async function grant({ query, schema }: Database, role: string): Promise<void> {
  const name = `"${role.replaceAll('"', '""')}"`;
  await query(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
  await query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${name}`);
  await query(`REVOKE INSERT, UPDATE, DELETE ON ${schema}.migrations FROM ${name}`);
  await query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${name}`);
}

/** DBOS tells each of its steps on stdout, which belongs to the command's answer. */
async function quietly(body: () => Promise<void>): Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (() => true) as typeof process.stdout.write;
  try {
    await body();
  } finally {
    process.stdout.write = write;
  }
}
