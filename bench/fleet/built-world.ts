import { resolve } from "node:path";
import { isOver, type Machine, openWorld, type World } from "../../test/fleet/fleet-world.ts";
import { DURABLE } from "./durable-server.ts";

/** Machines whose runners and agents are the built ones, with a database that waits for its disk. */
export async function openBuiltWorld() {
  const world = await openWorld({ settings: DURABLE, unwatched: true });
  return Object.assign(world, {
    workBuilt: (id: string, options: object = {}): Machine => world.work(id, { programs: BUILT, ...options }),
    started: (machines: readonly Machine[]) =>
      world.until("the start of all workers", () =>
        machines.every(({ lines }) => lines.some(({ says }) => says === "started")),
      ),
    ended: (run: string) =>
      world.until(`the end of ${run}`, async () => isOver((await world.ledger.get(run))?.state), 1_800_000),
    query: <T>(text: string) => world.postgres.sql(text, databaseOf(world)) as Promise<readonly T[]>,
  });
}

export type BuiltWorld = Awaited<ReturnType<typeof openBuiltWorld>>;

export const BUILT = {
  runner: [process.execPath, resolve("bin/tildone-runner.js")],
  tildone: [process.execPath, resolve("bin/tildone.js")],
};

export const databaseOf = ({ url }: Pick<World, "url">): string => new URL(url).pathname.slice(1);

/** How long each event of these runs took from the log of its machine to the commit in the database. Both clocks are this machine's. */
export async function lagsOf(world: BuiltWorld): Promise<readonly number[]> {
  const rows = await world.query<{ lag: number }>(
    `SELECT (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 - at)::float8 AS lag FROM tildone.events`,
  );
  return rows.map(({ lag }) => lag);
}
