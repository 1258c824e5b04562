import { isIP } from "node:net";
import type { Client, ClientConfig, Pool, QueryResultRow } from "pg";
import { explained, FleetError } from "./fleet-error.ts";
import { MIGRATIONS } from "./migrations.ts";
import { loadPg } from "./packages.ts";

/** Which database, and which tenant in it. The URL is a secret. */
export interface FleetAccess {
  readonly url: string;
  /** Each tenant has a schema of its own; absent: `tildone`. */
  readonly schema?: string | undefined;
}

/** A database that was looked at: it can be reached, is new enough, and its tables are ours. */
export interface Database {
  readonly schema: string;
  query<T extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly T[]>;
  /** All or nothing. What `body` throws comes through, and nothing was written. */
  transact<T>(body: (client: Statements) => Promise<T>): Promise<T>;
  /** A connection of its own that is not shared, for LISTEN and for locks that last. The caller ends it. */
  connect(): Promise<Client>;
  close(): Promise<void>;
}
export interface Statements {
  query<T extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly T[]>;
}

/** An answer that takes longer is not coming: the server stands still, or the network is cut. */
const ANSWER_MS = 15_000;
/** A process that stands still in the middle of a transaction blocks the run for no longer than this. */
const IDLE_MS = 5_000;
const OLDEST_SERVER = 140_000;

/** Connects and looks whether the tables are there. `max`: connections at once. */
export async function connectFleet(access: FleetAccess, max = 3): Promise<Database> {
  const database = await openDatabase(access, max);
  try {
    await checkTables(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Connects to a server that is new enough, whatever tables it has. */
export async function openDatabase(access: FleetAccess, max = 3): Promise<Database> {
  const schema = schemaOf(access);
  checkUrl(access.url);
  const pg = await loadPg();
  const config: ClientConfig = {
    connectionString: access.url,
    application_name: "tildone",
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    statement_timeout: ANSWER_MS,
    lock_timeout: ANSWER_MS - IDLE_MS,
    idle_in_transaction_session_timeout: IDLE_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...config, max, allowExitOnIdle: true });
  pool.on("error", () => {}); // an unused connection was cut: the next query opens another
  const database = databaseOf(pool, schema, async () => {
    const client = new pg.Client(config);
    client.on("error", () => {}); // the code that uses it hears of its end
    try {
      await client.connect();
      return client;
    } catch (error) {
      throw explained(error);
    }
  });
  try {
    const [row] = await database.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    if (row!.version < OLDEST_SERVER) throw new FleetError("too_old", `server_version_num ${row!.version}`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

const DEFAULT_SCHEMA = "tildone";

export function schemaOf({ schema = DEFAULT_SCHEMA }: Pick<FleetAccess, "schema">): string {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(schema)) throw new FleetError("bad_schema");
  return schema;
}

/** Where DBOS keeps what it knows. */
export const dbosSchemaOf = (access: Pick<FleetAccess, "schema">): string => `${schemaOf(access)}_dbos`;

function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "postgres:" && parsed?.protocol !== "postgresql:") throw new FleetError("bad_url");
  // The driver checks the certificate of an address against the name "localhost".
  if (parsed.searchParams.get("sslmode") === "verify-full" && isIP(parsed.hostname.replace(/^\[|\]$/g, "")) !== 0)
    throw new FleetError("tls_address");
}

/** How many steps the tables took; undefined: there are none. */
export async function tablesVersion({
  query,
  schema,
}: Pick<Database, "query" | "schema">): Promise<number | undefined> {
  const [found] = await query<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [
    `${schema}.migrations`,
  ]);
  if (!found!.there) return undefined;
  const [row] = await query<{ steps: number }>(
    `SELECT coalesce(max(number), 0)::int AS steps FROM ${schema}.migrations`,
  );
  return row!.steps;
}

async function checkTables(database: Database): Promise<void> {
  const steps = await tablesVersion(database);
  if (steps === undefined) throw new FleetError("no_schema");
  if (steps > MIGRATIONS.length) throw new FleetError("newer");
  if (steps < MIGRATIONS.length) throw new FleetError("older");
}

function databaseOf(pool: Pool, schema: string, connect: Database["connect"]): Database {
  let closing: Promise<void> | undefined;
  return {
    schema,
    connect,
    async query(text, values) {
      try {
        return (await pool.query(text, values as unknown[])).rows;
      } catch (error) {
        throw explained(error);
      }
    },
    async transact(body) {
      const client = await pool.connect().catch((error: unknown) => {
        throw explained(error);
      });
      const cut = (): void => {}; // the next statement says so
      client.on("error", cut);
      let broken = true;
      try {
        await client.query("BEGIN");
        const value = await body({
          query: async (text, values) => (await client.query(text, values as unknown[])).rows,
        });
        await client.query("COMMIT");
        broken = false;
        return value;
      } catch (error) {
        throw explained(error);
      } finally {
        client.off("error", cut);
        client.release(broken); // what happened in it is unknown: it goes, and its transaction with it
      }
    },
    close: () => {
      closing ??= pool.end();
      return closing;
    },
  };
}
