import type { Client, Pool } from "pg";
import type { Row } from "../../src/fleet/index.ts";

/** The floor of every write: the same rows in a table of the same form, without a fence. */
export async function makePlainTable(client: Client | Pool): Promise<void> {
  await client.query(
    `CREATE TABLE plain (run text, seq int, epoch int, at float8, by text, v int, event text, PRIMARY KEY (run, seq))`,
  );
}

export async function insertPlain(client: Pick<Pool, "query">, run: string, rows: readonly Row[]): Promise<void> {
  await client.query(
    `INSERT INTO plain SELECT $1, seq, 1, at, by, v, event
     FROM unnest($2::int[], $3::float8[], $4::text[], $5::int[], $6::text[]) AS fresh (seq, at, by, v, event)`,
    [
      run,
      rows.map(({ seq }) => seq),
      rows.map(({ at }) => at),
      rows.map(({ by }) => by),
      rows.map(({ v }) => v),
      rows.map(({ event }) => event),
    ],
  );
}
