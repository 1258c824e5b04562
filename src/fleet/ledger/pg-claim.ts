import type { Attempt, ClaimAnswer, Claimed, Row } from "../ports.ts";
import type { Database, Statements } from "./connect.ts";
import { addSpend, lostSpend } from "./lost-spend.ts";
import { releaseLimits, takeLimits } from "./pg-limits.ts";
import { ROW_COLUMNS, RUN_COLUMNS, type RunRow, rowIn, runIn, WORD_COLUMNS, type WordRow, wordIn } from "./pg-rows.ts";
import { MOST_DEATHS, poisonedText } from "./rules.ts";
import { maybeFrom, toStored } from "./stored-text.ts";

export interface Claimant {
  readonly run: string;
  readonly driver: string;
  readonly version: number;
  readonly attempt: Attempt;
}

/**
 * The row is locked first: a worker that writes with an older epoch waits, and then finds that it is too old. What the new driver starts
 * from is read after that, without a lock: no other worker can change it any more, and it may be large.
 */
export async function claimRun(database: Database, claimant: Claimant): Promise<ClaimAnswer> {
  const taken = await database.transact((client) => take(client, database.schema, claimant));
  return "status" in taken ? taken : { status: "claimed", claimed: await startOf(database, taken) };
}

type Refusal = Exclude<ClaimAnswer, { status: "claimed" }>;
type Taken = Pick<Claimed, "lost" | "lostSpend"> & { readonly row: RunRow };

async function take(client: Statements, schema: string, claimant: Claimant): Promise<Refusal | Taken> {
  const [row] = await client.query<RunRow>(`SELECT ${RUN_COLUMNS} FROM ${schema}.runs WHERE run = $1 FOR UPDATE`, [
    claimant.run,
  ]);
  const refusal = refusalOf(row, claimant);
  if (refusal) return refusal;
  if (isRepeated(row!, claimant)) return { row: row!, lost: 0, lostSpend: spendIn(row!) };
  const { after, limits = [] } = claimant.attempt;
  if (after !== undefined && row!.epoch !== after) return { status: "overtaken" };
  if (row!.attempts < MOST_DEATHS) {
    const by = await takeLimits(client, schema, claimant.run, limits);
    return by === undefined ? takeOver(client, schema, row!, claimant) : { status: "limited", by };
  }
  await releaseLimits(client, schema, claimant.run);
  await client.query(
    `UPDATE ${schema}.runs SET state = 'poisoned', epoch = epoch + 1, driver = NULL, outcome = $2,
       updated_at = extract(epoch FROM clock_timestamp()) * 1000 WHERE run = $1`,
    [claimant.run, toStored(poisonedText())],
  );
  return { status: "poisoned" };
}

function refusalOf(row: RunRow | undefined, { version }: Claimant): Refusal | undefined {
  if (!row) return { status: "unknown" };
  const outcome = maybeFrom(row.outcome) ?? "";
  if (row.state === "poisoned" || row.state === "cancelled") return { status: row.state };
  if (row.state === "parked") return { status: "parked", why: outcome };
  if (row.state === "finished")
    return { status: "finished", outcome, ...(row.result_commit !== null && { resultCommit: row.result_commit }) };
  if (row.event_version > version) return { status: "newer", eventVersion: row.event_version };
  return undefined;
}

/** The same process claims again, because the answer was lost: it could not write anything since. */
const isRepeated = (row: RunRow, { attempt: { token } }: Claimant): boolean =>
  token !== undefined && row.state === "running" && row.claim_token === token;

async function takeOver({ query }: Statements, schema: string, row: RunRow, claimant: Claimant): Promise<Taken> {
  const { run, driver, version, attempt } = claimant;
  const mark = row.checkpoint_seq;
  const gone = await query<Row>(
    `WITH gone AS (DELETE FROM ${schema}.events WHERE run = $1 AND seq > $2 RETURNING *), moved AS (
       INSERT INTO ${schema}.events_lost (run, seq, epoch, at, by, v, event)
       SELECT run, seq, epoch, at, by, v, event FROM gone ORDER BY seq)
     SELECT ${ROW_COLUMNS} FROM gone ORDER BY seq`,
    [run, mark],
  );
  const kept = gone.length === 0 ? [] : await rowsUpTo(query, schema, run, mark);
  await query(`DELETE FROM ${schema}.conversation WHERE run = $1 AND at_byte >= $2`, [run, row.checkpoint_bytes]);
  await query(`UPDATE ${schema}.inbox SET applied_seq = NULL, refused = NULL WHERE run = $1 AND applied_seq > $2`, [
    run,
    mark,
  ]);
  const lost = addSpend(spendIn(row), lostSpend(kept, gone));
  const [taken] = await query<RunRow>(
    `UPDATE ${schema}.runs SET epoch = epoch + 1, state = 'running', driver = $2, claim_token = $3, seq = checkpoint_seq,
       event_version = greatest(event_version, $4), attempts = attempts + 1, card = checkpoint_card, outcome = NULL,
       lost_tokens = $5, lost_cost = $6, lost_minutes = $7, updated_at = extract(epoch FROM clock_timestamp()) * 1000
     WHERE run = $1 RETURNING ${RUN_COLUMNS}`,
    [run, toStored(driver), attempt.token ?? null, version, lost.tokens, lost.cost, lost.minutes],
  );
  return { row: taken!, lost: gone.length, lostSpend: lost };
}

const spendIn = (row: RunRow) => ({ tokens: row.lost_tokens, cost: row.lost_cost, minutes: row.lost_minutes });

async function startOf({ query, schema }: Database, { row, lost, lostSpend }: Taken): Promise<Claimed> {
  const { run } = row;
  const parts = await query<{ bytes: Buffer }>(
    `SELECT bytes FROM ${schema}.conversation WHERE run = $1 ORDER BY at_byte`,
    [run],
  );
  const words = await query<WordRow>(
    `SELECT ${WORD_COLUMNS} FROM ${schema}.inbox WHERE run = $1 AND applied_seq IS NULL ORDER BY id`,
    [run],
  );
  const session = maybeFrom(row.session);
  return {
    lease: { run, epoch: row.epoch },
    run: runIn(row),
    rows: (await rowsUpTo(query, schema, run, row.checkpoint_seq)).map(rowIn),
    conversation: Buffer.concat(parts.map(({ bytes }) => bytes)).subarray(0, row.checkpoint_bytes),
    ...(session !== undefined && { session }),
    words: words.map(wordIn),
    lost,
    lostSpend,
  };
}

const rowsUpTo = (query: Statements["query"], schema: string, run: string, last: number): Promise<readonly Row[]> =>
  query<Row>(`SELECT ${ROW_COLUMNS} FROM ${schema}.events WHERE run = $1 AND seq <= $2 ORDER BY seq`, [run, last]);
