import type { Client } from "pg";

/** A run that is over, in the tables of a fleet and in those of its queue. */
export interface Original {
  readonly schema: string;
  readonly run: string;
}

/**
 * Copies of a run that really ran, in the tables of another tenant: every row that names it, each copy with a name and a time of its own.
 * What is copied is what a worker wrote, so the tables have the form that they have in a fleet that worked for weeks.
 */
export async function copyFinished(
  client: Client,
  { schema, run }: Original,
  to: string,
  count: number,
): Promise<void> {
  const copy = { name: `'done' || lpad(n::text, 6, '0')`, earlier: `n * ${EVERY_MS}.0` };
  for (const [table, changed] of Object.entries(OWN)) await insert(schema, to, table, changed);
  for (const table of await tablesOf(`${schema}_dbos`, "workflow_uuid"))
    await insert(`${schema}_dbos`, `${to}_dbos`, table, QUEUE);
  await client.query(`ANALYZE`);

  async function insert(from: string, into: string, table: string, changed: Changed): Promise<void> {
    const names = await columnsOf(from, table);
    const values = names.map((name) => changed[name]?.(copy) ?? `"${name}"`);
    const key = names.includes("run") ? `run = '${run}'` : `workflow_uuid LIKE '${run}.%'`;
    await client.query(
      `INSERT INTO ${into}.${table} (${names.map((name) => `"${name}"`).join(", ")})
       SELECT ${values.join(", ")} FROM ${from}.${table}, generate_series(1, ${count}) AS n WHERE ${key}`,
    );
  }

  /** What the database numbers by itself is left to it. */
  async function columnsOf(of: string, table: string): Promise<readonly string[]> {
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = $1 AND table_name = $2 AND is_identity = 'NO' ORDER BY ordinal_position`,
      [of, table],
    );
    return rows.map(({ name }) => name);
  }

  async function tablesOf(of: string, column: string): Promise<readonly string[]> {
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = $1 AND column_name = $2 AND table_type = 'BASE TABLE' ORDER BY table_name = 'workflow_status' DESC`,
      [of, column],
    );
    return rows.map(({ name }) => name);
  }
}

/** One every ten minutes. */
const EVERY_MS = 600_000;

type Changed = Readonly<Record<string, (copy: { readonly name: string; readonly earlier: string }) => string>>;

const name: Changed = { run: (copy) => copy.name };
const OWN: Readonly<Record<string, Changed>> = {
  runs: {
    ...name,
    submission: (copy) => `jsonb_set(submission::jsonb, '{run}', to_jsonb(${copy.name}))::text`,
    submitted_at: ({ earlier }) => `submitted_at - ${earlier}`,
    updated_at: ({ earlier }) => `updated_at - ${earlier}`,
  },
  events: name,
  conversation: name,
  inbox: name,
};
const QUEUE: Changed = {
  workflow_uuid: (copy) => `${copy.name} || '.1'`,
  created_at: ({ earlier }) => `created_at - (${earlier})::bigint`,
};
