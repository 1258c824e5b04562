import type { Clock } from "../../engine/index.ts";
import { systemClock } from "../../machine/index.ts";
import {
  FLEET_STATES,
  type FleetState,
  type Lease,
  type Ledger,
  type Released,
  type Row,
  type Submission,
  type WorkerBeat,
  type Written,
} from "../ports.ts";
import { connectFleet, type Database, type FleetAccess, type Statements } from "./connect.ts";
import { claimRun } from "./pg-claim.ts";
import { askForTurn, releaseLimits } from "./pg-limits.ts";
import { channelOf, listen } from "./pg-listen.ts";
import {
  ROW_COLUMNS,
  RUN_COLUMNS,
  type RunRow,
  rowIn,
  runIn,
  WORD_COLUMNS,
  type WordRow,
  wordIn,
  wordStateIn,
} from "./pg-rows.ts";
import { write } from "./pg-write.ts";
import { OVER } from "./rules.ts";
import { checkRunName } from "./run-name.ts";
import { keepable, maybeFrom, maybeStored, toStored } from "./stored-text.ts";

/** The ledger in a database whose tables are ours. `max`: connections at once, one more while it listens. */
export async function openLedger(access: FleetAccess, max?: number, clock?: Clock): Promise<Ledger> {
  return pgLedger(await connectFleet(access, max), clock);
}

const NOW = "extract(epoch FROM clock_timestamp()) * 1000";

export function pgLedger(database: Database, clock: Pick<Clock, "now" | "setTimer"> = systemClock()): Ledger {
  const { query, transact, schema } = database;

  return {
    async submit(submission: Submission) {
      checkRunName(submission.run);
      await query(
        `INSERT INTO ${schema}.runs (run, submission, queue, repo) VALUES ($1, $2, $3, $4) ON CONFLICT (run) DO NOTHING`,
        [submission.run, JSON.stringify(submission), keepable(submission.queue), keepable(submission.repo)],
      );
    },
    async get(run) {
      const [row] = await query<RunRow>(`SELECT ${RUN_COLUMNS} FROM ${schema}.runs WHERE run = $1`, [run]);
      return row && runIn(row);
    },
    async list({ states, limit, changedAfter, changedBefore } = {}) {
      const rows = await query<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM ${schema}.runs
         WHERE ($1::text[] IS NULL OR state = ANY ($1)) AND updated_at > $3 AND updated_at < $4
         ORDER BY updated_at DESC, run LIMIT $2`,
        [states ?? null, limit ?? null, changedAfter ?? -1, changedBefore ?? "infinity"],
      );
      return rows.map(runIn);
    },
    counts: (overAfter) =>
      query<{ state: FleetState; count: number }>(
        // Two parts, so that each has a range of its index.
        `SELECT state, count(*)::int FROM ${schema}.runs WHERE state = ANY ($1) GROUP BY state
         UNION ALL
         SELECT state, count(*)::int FROM ${schema}.runs WHERE state = ANY ($2) AND updated_at > $3 GROUP BY state
         ORDER BY state`,
        [FLEET_STATES.filter((state) => !OVER.includes(state)), OVER, overAfter],
      ),
    async rows(run, after, limit) {
      const rows = await query<Row>(
        `SELECT ${ROW_COLUMNS} FROM ${schema}.events WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
        [run, after, limit],
      );
      return rows.map(rowIn);
    },
    async lostRows(run) {
      const rows = await query<Row & { epoch: number }>(
        `SELECT ${ROW_COLUMNS}, epoch FROM ${schema}.events_lost WHERE run = $1 ORDER BY id`,
        [run],
      );
      return rows.map((row) => ({ ...rowIn(row), epoch: row.epoch }));
    },

    claim: (run, driver, version, attempt = {}) => claimRun(database, { run, driver, version, attempt }),
    askForTurn: (run, limits) => askForTurn(database, schema, run, limits),
    append: (lease, news) => write(database, lease, news),
    barrier: (lease, barrier) => write(database, lease, barrier),
    async waits({ run, epoch }, why) {
      const rows = await query(
        `UPDATE ${schema}.runs SET outcome = $3, updated_at = ${NOW} WHERE run = $1 AND epoch = $2 AND state = 'running' RETURNING 1`,
        [run, epoch, maybeStored(why)],
      );
      return { status: rows.length === 1 ? "written" : "fenced" };
    },
    async holds({ run, epoch }) {
      const rows = await query(`SELECT 1 FROM ${schema}.runs WHERE run = $1 AND epoch = $2 AND state = 'running'`, [
        run,
        epoch,
      ]);
      return rows.length === 1;
    },
    finish: (lease, end) =>
      release(lease, ({ query }) =>
        query(
          `UPDATE ${schema}.runs SET state = 'finished', driver = NULL, attempts = 0, outcome = $2, result_commit = $3,
             report = $4, pr = $5, updated_at = ${NOW} WHERE run = $1`,
          [lease.run, toStored(end.outcome), end.resultCommit ?? null, maybeStored(end.report), maybeStored(end.pr)],
        ),
      ),
    park: (lease, why, unsaid) =>
      release(
        lease,
        ({ query }) =>
          query(
            `UPDATE ${schema}.runs SET state = 'parked', driver = NULL, attempts = 0, outcome = $2, updated_at = ${NOW} WHERE run = $1`,
            [lease.run, toStored(why)],
          ),
        unsaid,
      ),
    handBack: (lease) =>
      transact(async (client): Promise<Written> => {
        const standing = await standingOf(client, lease);
        if (standing !== "held") return { status: standing };
        await client.query(
          `UPDATE ${schema}.runs SET state = 'queued', driver = NULL, outcome = NULL, attempts = greatest(0, attempts - 1), updated_at = ${NOW}
           WHERE run = $1`,
          [lease.run],
        );
        await releaseLimits(client, schema, lease.run);
        return { status: "written" };
      }),

    say: ({ run, trigger, from, key = crypto.randomUUID() }) =>
      transact(async ({ query }) => {
        const [row] = await query<RunRow>(`SELECT ${RUN_COLUMNS} FROM ${schema}.runs WHERE run = $1 FOR UPDATE`, [run]);
        if (!row) return { status: "unknown" };
        const [known] = await query<{ id: number; wake_generation: number | null }>(
          `SELECT id::float8, wake_generation FROM ${schema}.inbox WHERE run = $1 AND key = $2`,
          [run, key],
        );
        if (known) return saidAs(known.id, known.wake_generation);
        if (OVER.includes(row.state)) return { status: "over", state: row.state };
        const wake = row.state === "parked" ? row.generation + 1 : null;
        if (wake !== null)
          await query(
            `UPDATE ${schema}.runs SET state = 'queued', generation = $2, outcome = NULL, updated_at = ${NOW} WHERE run = $1`,
            [run, wake],
          );
        const [said] = await query<{ id: number }>(
          `INSERT INTO ${schema}.inbox (run, key, trigger, said_from, wake_generation) VALUES ($1, $2, $3, $4, $5)
           RETURNING id::float8`,
          [run, key, keepable(trigger), keepable(from), wake],
        );
        await query("SELECT pg_notify($1, $2)", [channelOf(schema), run]);
        return saidAs(said!.id, wake);
      }),
    async words(run) {
      const rows = await query<WordRow>(`SELECT ${WORD_COLUMNS} FROM ${schema}.inbox WHERE run = $1 ORDER BY id`, [
        run,
      ]);
      return rows.map(wordStateIn);
    },
    cancel: (run, by) =>
      transact(async ({ query }) => {
        const changed = await query(
          `UPDATE ${schema}.runs SET state = 'cancelled', epoch = epoch + 1, driver = NULL, outcome = $2, updated_at = ${NOW}
           WHERE run = $1 AND NOT state = ANY ($3) RETURNING run`,
          [run, toStored(`cancelled by ${by}`), OVER],
        );
        await releaseLimits({ query }, schema, run);
        if (changed.length > 0) await query("SELECT pg_notify($1, $2)", [channelOf(schema), run]);
        return changed.length > 0;
      }),

    async beat(worker: WorkerBeat) {
      await query(
        `INSERT INTO ${schema}.workers (id, says) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET says = excluded.says, beat = clock_timestamp()`,
        [worker.id, JSON.stringify(worker)],
      );
    },
    async workers() {
      const rows = await query<{ says: string; silent: number }>(
        `SELECT says, greatest(0, extract(epoch FROM clock_timestamp() - beat) * 1000)::float8 AS silent
         FROM ${schema}.workers ORDER BY id`,
      );
      return rows.map(({ says, silent }) => ({ ...(JSON.parse(says) as WorkerBeat), silentMs: silent }));
    },
    async unpublished() {
      const rows = await query<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM ${schema}.runs
         WHERE state = 'finished' AND result_commit IS NOT NULL AND NOT is_published LIMIT 100`,
      );
      return rows.map(runIn);
    },
    async published(run) {
      await query(`UPDATE ${schema}.runs SET is_published = true WHERE run = $1`, [run]);
    },
    listen: (heard, only) => listen(database, clock, heard, only),
    async papers(run) {
      const [row] = await query<{ report: string | null; pr: string | null }>(
        `SELECT report, pr FROM ${schema}.runs WHERE run = $1`,
        [run],
      );
      const [report, pr] = [maybeFrom(row?.report ?? null), maybeFrom(row?.pr ?? null)];
      return { ...(report !== undefined && { report }), ...(pr !== undefined && { pr }) };
    },
    remove: (runs) =>
      transact(async ({ query }) => {
        const gone = await query<{ run: string }>(
          `DELETE FROM ${schema}.runs WHERE state = ANY ($1) AND run = ANY ($2) RETURNING run`,
          [OVER, runs],
        );
        const names = gone.map(({ run }) => run);
        for (const table of ["events", "events_lost", "conversation", "inbox"])
          await query(`DELETE FROM ${schema}.${table} WHERE run = ANY ($1)`, [names]);
        await query(`DELETE FROM ${schema}.slots WHERE holder = ANY ($1)`, [names]);
        return names;
      }),
    async forgetWorkers(silentMs) {
      await query(`DELETE FROM ${schema}.workers WHERE beat < clock_timestamp() - $1 * interval '1 ms'`, [silentMs]);
    },
    close: () => database.close(),
  };

  /** `held`: ours. `written`: we let go of it before, and the answer was lost. */
  async function standingOf({ query }: Statements, { run, epoch }: Lease): Promise<"held" | Written["status"]> {
    const [row] = await query<{ state: FleetState }>(
      `SELECT state FROM ${schema}.runs WHERE run = $1 AND epoch = $2 FOR UPDATE`,
      [run, epoch],
    );
    if (!row) return "fenced";
    return row.state === "running" ? "held" : "written";
  }

  /** The row is locked before the inbox is looked at: what is said after that finds the run let go of. */
  function release(
    lease: Lease,
    change: (client: Statements) => Promise<unknown>,
    unsaid: readonly number[] = [],
  ): Promise<Released> {
    return transact(async (client): Promise<Released> => {
      const standing = await standingOf(client, lease);
      if (standing !== "held") return { status: standing };
      const open = await client.query<WordRow>(
        `SELECT ${WORD_COLUMNS} FROM ${schema}.inbox WHERE run = $1 AND applied_seq IS NULL ORDER BY id`,
        [lease.run],
      );
      const [unsafe] = await client.query(`SELECT 1 FROM ${schema}.runs WHERE run = $1 AND seq > checkpoint_seq`, [
        lease.run,
      ]);
      if (unsafe || open.some(({ id }) => !unsaid.includes(id))) return { status: "words", words: open.map(wordIn) };
      await change(client);
      await releaseLimits(client, schema, lease.run);
      return { status: "written" };
    });
  }
}

const saidAs = (id: number, wake: number | null) => ({ id, ...(wake !== null && { wake: { generation: wake } }) });
