import pg from "pg";
import { slowly } from "../../test/fleet/fleet-world.ts";
import { measure, median, p95 } from "../harness.ts";
import { lagsOf, openBuiltWorld } from "./built-world.ts";
import type { Part } from "./part.ts";

const ITEMS = 12;
const ROUND_TRIPS = 200;

/** From an event in the log of the machine that works to its commit in the database, beside a plain row that another process hears of. */
export const lag: Part = async () => {
  await using world = await openBuiltWorld();
  world.model.play(slowly(ITEMS, 100));
  await world.started([world.workBuilt("one")]);
  const before = await roundTrips(world.url);
  await world.ended(await world.submit());
  const trips = [...before, ...(await roundTrips(world.url))];
  const lags = await lagsOf(world);
  const [seen] = await world.query<{ transactions: number; turns: number }>(
    `SELECT count(DISTINCT xmin::text)::int AS transactions, (count(*) FILTER (WHERE event LIKE '{"type":"turn.ended"%'))::int AS turns
     FROM tildone.events`,
  );
  const results = await measure(
    [
      { name: "p50", run: () => median(lags), floor: () => median(trips), target: { atMost: 150 }, repeat: 1 },
      { name: "p95", run: () => p95(lags), floor: () => p95(trips), target: { atMost: 150 }, repeat: 1 },
    ],
    0,
  );
  return {
    results,
    says: [
      `${lags.length} events of one run: ${seen!.turns} turns, ${seen!.transactions} transactions; the log is looked at every 20 ms, the floor is an insert with NOTIFY until it is heard`,
    ],
  };
};

async function roundTrips(url: string): Promise<readonly number[]> {
  const [speaker, listener] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([speaker.connect(), listener.connect()]);
  try {
    await speaker.query("CREATE TABLE IF NOT EXISTS heard (event text)");
    await listener.query("LISTEN heard");
    const took: number[] = [];
    for (let at = 0; at < ROUND_TRIPS; at++) {
      const heard = new Promise((done) => listener.once("notification", done));
      const began = performance.now();
      await speaker.query("INSERT INTO heard VALUES ('an event'); NOTIFY heard");
      await heard;
      took.push(performance.now() - began);
    }
    return took;
  } finally {
    await Promise.all([speaker.end(), listener.end()]);
  }
}
