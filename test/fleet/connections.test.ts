import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectFleet, initFleet, openLedger, pgLedger } from "../../src/fleet/index.ts";
import { RUNNER_CONNECTIONS } from "../../src/fleet/runner/drive-run.ts";
import { recoverDead } from "../../src/fleet/worker/dead-workers.ts";
import { aSubmission } from "./ledgers.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";

let server: TestPostgres;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.database();
  await initFleet({ url, ownTablesOnly: true });
}, 60_000);
afterAll(() => server.stop(), 60_000);

const beat = { version: "1", labels: [], queues: [], slots: 1, busy: 0, draining: false };

test("looks for dead workers on one connection, and recovers only theirs", async () => {
  const database = await connectFleet({ url }, 1);
  try {
    await pgLedger(database).beat({ id: "alive", ...beat });
    const judge = { id: "alive", leaseMs: 60_000, working: async () => ["alive", "gone", undefined, "gone"] };
    const recovered: string[][] = [];
    await recoverDead(database, judge, async (dead) => void recovered.push(dead));
    await recoverDead(database, { ...judge, id: "unheard" }, async (dead) => void recovered.push(dead));
    expect(recovered).toEqual([["gone"]]);
  } finally {
    await database.close();
  }
});

test("one at a time looks for dead workers", async () => {
  const database = await connectFleet({ url }, 2);
  try {
    await pgLedger(database).beat({ id: "alive", ...beat });
    const judge = { id: "alive", leaseMs: 60_000, working: async () => ["gone"] };
    let again = 0;
    await recoverDead(database, judge, () => recoverDead(database, judge, async () => void again++));
    expect(again).toBe(0);
  } finally {
    await database.close();
  }
});

test("a runner hears whether the run is still its own while a write of it waits", async () => {
  const ledger = await openLedger({ url }, RUNNER_CONNECTIONS);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await ledger.submit(aSubmission("waits"));
    const answer = await ledger.claim("waits", "w", 1);
    if (answer.status !== "claimed") throw new Error(answer.status);
    const { lease } = answer.claimed;
    await other.query("BEGIN");
    await other.query("SELECT 1 FROM tildone.runs WHERE run = 'waits' FOR UPDATE");
    let isWritten = false;
    const written = ledger.append(lease, {
      from: 0,
      rows: [{ seq: 1, at: 0, by: "a", v: 1, event: "{}" }],
      applied: [],
    });
    void written.then(() => {
      isWritten = true;
    });
    expect(await ledger.holds(lease)).toBe(true);
    expect(await ledger.words("waits")).toEqual([]);
    expect(isWritten).toBe(false);
    await other.query("COMMIT");
    expect(await written).toEqual({ status: "written" });
  } finally {
    await other.end();
    await ledger.close();
  }
});
