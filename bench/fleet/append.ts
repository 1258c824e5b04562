import pg from "pg";
import { initFleet, type Lease, openLedger } from "../../src/fleet/index.ts";
import { aSubmission } from "../../test/fleet/ledgers.ts";
import { measure } from "../harness.ts";
import { CARD, rowsOfTurn } from "./a-turn.ts";
import { durableServer } from "./durable-server.ts";
import type { Part } from "./part.ts";
import { insertPlain, makePlainTable } from "./plain-rows.ts";

const BATCH = 10;
const RUNS = 8;
const BATCHES_EACH = 25;

/** Events as the runner sends them while the agent works, beside the same rows inserted by plain SQL. */
export const append: Part = async () => {
  await using postgres = await durableServer();
  const url = await postgres.database();
  await initFleet({ url, ownTablesOnly: true });
  const ledger = await openLedger({ url }, RUNS);
  const pool = new pg.Pool({ connectionString: url, max: RUNS });
  try {
    await makePlainTable(pool);
    const writers = await Promise.all(
      Array.from({ length: RUNS }, async (_, index) => {
        const run = `run${index}`;
        await ledger.submit(aSubmission(run));
        const answer = await ledger.claim(run, "bench", 1);
        if (answer.status !== "claimed") throw new Error(answer.status);
        return { run, ours: fenced(answer.claimed.lease), plain: unfenced(run) };
      }),
    );
    const [one] = writers;
    const all = (write: (writer: (typeof writers)[number]) => Promise<void>) =>
      Promise.all(
        writers.map(async (writer) => {
          for (let at = 0; at < BATCHES_EACH; at++) await write(writer);
        }),
      );
    const results = await measure([
      {
        name: `one run: ${BATCH} events`,
        run: () => one!.ours(),
        floor: () => one!.plain(),
        target: { atMost: 3 },
        repeat: 60,
      },
      {
        name: `${RUNS} runs: ${RUNS * BATCHES_EACH * BATCH} events`,
        run: () => all(({ ours }) => ours()),
        floor: () => all(({ plain }) => plain()),
        target: { atMost: 3 },
        repeat: 9,
      },
    ]);
    const perSecond = (ms: number, events: number) => Math.round((events / ms) * 1000);
    const many = results[1]!;
    const count = RUNS * BATCHES_EACH * BATCH;
    return {
      results,
      says: [
        `${perSecond(many.ms, count)} events a second from ${RUNS} runs (${perSecond(many.ms, count / BATCH)} transactions); plain SQL: ${perSecond(many.floorMs, count)}`,
      ],
    };
  } finally {
    await pool.end();
    await ledger.close();
  }

  function fenced(lease: Lease): () => Promise<void> {
    let from = 0;
    return async () => {
      const rows = rowsOfTurn(from, BATCH);
      if ((await ledger.append(lease, { from, rows, card: CARD, applied: [] })).status !== "written")
        throw new Error("fenced");
      from += BATCH;
    };
  }

  function unfenced(run: string): () => Promise<void> {
    let from = 0;
    return async () => {
      await insertPlain(pool, run, rowsOfTurn(from, BATCH));
      from += BATCH;
    };
  }
};
