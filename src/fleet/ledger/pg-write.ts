import type { Barrier, Lease, News, Written } from "../ports.ts";
import { checkNews } from "./check-news.ts";
import type { Database } from "./connect.ts";
import { keepable, maybeStored } from "./stored-text.ts";

/**
 * What is new, and with a mark the checkpoint, in one statement: a process that stands still can hold no lock between two. Rows that are
 * there already are those of a call whose answer was lost: with this epoch no other process writes.
 */
export async function write(database: Database, lease: Lease, news: News & Partial<Barrier>): Promise<Written> {
  const last = news.rows.at(-1)?.seq ?? news.from;
  checkNews(news, last);
  const [held] = await database.query<{ held: number }>(statement(database.schema), [
    lease.run,
    lease.epoch,
    news.from,
    last,
    news.card === undefined ? null : JSON.stringify(news.card),
    news.rows.map(({ seq }) => seq),
    news.rows.map(({ at }) => at),
    news.rows.map(({ by }) => keepable(by)),
    news.rows.map(({ v }) => v),
    news.rows.map(({ event }) => keepable(event)),
    news.applied.map(({ id }) => id),
    news.applied.map(({ seq }) => seq),
    news.applied.map(({ refused }) => maybeStored(refused)),
    news.mark?.seq ?? null,
    news.mark?.commit ?? null,
    news.mark?.bytes ?? null,
    maybeStored(news.session),
    news.conversation?.at ?? null,
    news.conversation ? Buffer.from(news.conversation.bytes) : null,
    news.survived ?? false,
  ]);
  if (held!.held === 1) return { status: "written" };
  const [row] = await database.query<{ seq: number }>(
    `SELECT seq FROM ${database.schema}.runs WHERE run = $1 AND epoch = $2 AND state = 'running'`,
    [lease.run, lease.epoch],
  );
  if (row) throw new Error(`the log of ${lease.run} ends at ${row.seq}, and the news begin after ${news.from}`);
  return { status: "fenced" };
}

const statement = (schema: string): string => `
  WITH held AS (
    UPDATE ${schema}.runs SET
      seq = greatest(seq, $4),
      card = CASE WHEN $4 >= seq THEN coalesce($5, card) ELSE card END,
      checkpoint_seq = CASE WHEN $14::int >= checkpoint_seq THEN $14 ELSE checkpoint_seq END,
      checkpoint_commit = CASE WHEN $14::int >= checkpoint_seq THEN $15 ELSE checkpoint_commit END,
      checkpoint_bytes = CASE WHEN $14::int >= checkpoint_seq THEN $16 ELSE checkpoint_bytes END,
      checkpoint_card = CASE WHEN $14::int >= checkpoint_seq THEN coalesce($5, card) ELSE checkpoint_card END,
      session = CASE WHEN $14::int >= checkpoint_seq THEN coalesce($17, session) ELSE session END,
      checkpoints = CASE WHEN $14::int IS NULL THEN checkpoints ELSE checkpoints + 1 END,
      attempts = CASE WHEN $20 THEN 0 ELSE attempts END,
      updated_at = extract(epoch FROM clock_timestamp()) * 1000
    WHERE run = $1 AND epoch = $2 AND state = 'running' AND seq >= $3
    RETURNING $14::int IS NOT NULL AND checkpoint_seq = $14::int AS marked
  ), events_new AS (
    INSERT INTO ${schema}.events (run, seq, epoch, at, by, v, event)
    SELECT $1, seq, $2, at, by, v, event
    FROM unnest($6::int[], $7::float8[], $8::text[], $9::int[], $10::text[]) AS fresh (seq, at, by, v, event)
    WHERE EXISTS (SELECT FROM held)
    ON CONFLICT DO NOTHING
  ), words_applied AS (
    UPDATE ${schema}.inbox SET applied_seq = done.seq, refused = done.refused
    FROM unnest($11::bigint[], $12::int[], $13::text[]) AS done (id, seq, refused)
    WHERE inbox.id = done.id AND inbox.run = $1 AND EXISTS (SELECT FROM held)
  ), cut AS (
    DELETE FROM ${schema}.conversation
    WHERE run = $1 AND $18::bigint IS NOT NULL AND EXISTS (SELECT FROM held WHERE marked)
      AND (at_byte > $18 OR (at_byte = $18 AND length($19::bytea) = 0))
  ), shortened AS (
    UPDATE ${schema}.conversation SET bytes = substring(bytes FROM 1 FOR ($18 - at_byte)::int)
    WHERE run = $1 AND at_byte < $18 AND at_byte + length(bytes) > $18 AND EXISTS (SELECT FROM held WHERE marked)
  ), said AS (
    INSERT INTO ${schema}.conversation (run, at_byte, bytes)
    SELECT $1, $18, $19 WHERE $18::bigint IS NOT NULL AND length($19::bytea) > 0 AND EXISTS (SELECT FROM held WHERE marked)
    ON CONFLICT (run, at_byte) DO UPDATE SET bytes = excluded.bytes
  )
  SELECT count(*)::int AS held FROM held`;
