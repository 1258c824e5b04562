import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openWorld, slowly, type World } from "../fleet-world.ts";

const LONG = { timeout: 240_000 };
let world: World;
beforeAll(async () => {
  world = await openWorld();
  world.model.play(slowly(1, 10));
}, 120_000);
afterAll(() => world[Symbol.asyncDispose](), 60_000);
afterEach(() => {
  for (const machine of world.machines) machine.signal("SIGKILL");
});

const database = () => new URL(world.url).pathname.slice(1);
const rowsOf = async (run: string) => {
  const tables = ["runs", "events", "events_lost", "conversation", "inbox"].map((table) => `tildone.${table}`);
  const counts = tables.map((table) => `SELECT count(*)::int AS n FROM ${table} WHERE run = '${run}'`);
  const workflows = `SELECT count(*)::int AS n FROM tildone_dbos.workflow_status WHERE workflow_uuid LIKE '${run}.%'`;
  const all = await world.postgres.sql([...counts, workflows].join(" UNION ALL "), database());
  return all.reduce((sum, { n }) => sum + Number(n), 0);
};
const refs = (pattern: string) => world.git(world.remote, "for-each-ref", "--format=%(refname)", pattern).trim();
const age = (run: string) =>
  world.postgres.sql(`UPDATE tildone.runs SET updated_at = updated_at - 2 * 86400000 WHERE run = '${run}'`, database());
const finished = (run: string) =>
  world.until(
    `the branch of ${run}`,
    async () => (await world.ledger.get(run))?.state === "finished" && refs(`refs/heads/tildone/${run}`) !== "" && true,
  );

test("a worker removes what is over for longer than fleet.keep, everywhere, and nothing else", LONG, async () => {
  const machine = world.work("a1", { keepMs: 86_400_000, tidyMs: 1_000 });
  const [old, fresh] = [await world.submit(), await world.submit()];
  for (const run of [old, fresh]) await finished(run);
  const elsewhere = await world.submit({ repo: "https://127.0.0.1:9/away.git", needs: ["nothing-has-it"] });
  await world.ledger.cancel(elsewhere, "a test");
  const gone = await world.submit({ repo: join(world.root, "nowhere.git"), needs: ["nothing-has-it"] });
  await world.ledger.cancel(gone, "a test");
  const waiting = await world.submit({ needs: ["nothing-has-it"] });
  for (const run of [old, elsewhere, gone, waiting]) await age(run);
  await world.until("the removal", async () => (await world.ledger.get(old)) === undefined);
  await world.until("the other removal", async () => (await world.ledger.get(gone)) === undefined);
  expect([await rowsOf(old), refs(`refs/tildone/fleet/${old}`)]).toEqual([0, ""]);
  expect(refs(`refs/heads/tildone/${old}`), "the branch of the result stays").not.toBe("");
  expect(await rowsOf(fresh)).toBeGreaterThan(0);
  expect(refs(`refs/tildone/fleet/${fresh}`)).not.toBe("");
  const kept = await world.until("a word about the repository that is away", () =>
    machine.lines.find(({ type, run }) => type === "run.kept" && run === elsewhere),
  );
  expect(kept).toMatchObject({ level: "warn", why: expect.stringContaining("cannot be reached") });
  expect([(await world.ledger.get(elsewhere))?.state, (await world.ledger.get(waiting))?.state]).toEqual([
    "cancelled",
    "queued",
  ]);
  const folders = join(machine.home, "state/runs");
  await world.until("no folder of it", () => !existsSync(join(folders, old)) && !existsSync(join(folders, fresh)));
});

test("a worker that does not keep the repository, or was told nothing, removes nothing", LONG, async () => {
  const run = await world.submit({ needs: ["nothing-has-it"] });
  await world.ledger.cancel(run, "a test");
  await age(run);
  const machines = [
    world.work("b1", { keepMs: 86_400_000, tidyMs: 300, allow: ["https://example.com/*"] }),
    world.work("b2", { tidyMs: 300 }),
  ];
  // The second look begins after everything of the first one.
  for (const look of ["first", "second"]) {
    const folders = machines.map(({ home }) => join(home, "state/runs", run));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    await world.until(`the ${look} look of both`, () => !folders.some((folder) => existsSync(folder)));
  }
  expect((await world.ledger.get(run))?.state).toBe("cancelled");
});
