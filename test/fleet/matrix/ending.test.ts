import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, slowly, type World } from "../fleet-world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  world.model.play(slowly(3, 300));
}, 120_000);
afterAll(() => world[Symbol.asyncDispose](), 60_000);

test("a worker that is told to end does so although the database is away, and another one continues its run", {
  timeout: 240_000,
}, async () => {
  const first = world.work("a1", { drainMs: 1_000 });
  const run = await world.submit();
  await world.until("a step", async () =>
    (await world.ledger.rows(run, 0, 1_000)).some(({ event }) => event.includes('"type":"todo.completed"')),
  );
  await world.postgres.crash();
  first.signal("SIGTERM", "worker");
  expect(await Promise.race([first.exited, new Promise((done) => setTimeout(() => done("still there"), 60_000))])).toBe(
    0,
  );
  await world.postgres.start();
  world.work("a2");
  await world.until("its end", async () => (await world.ledger.get(run))?.state === "finished");
  await world.until("its branch", () => world.git(world.remote, "for-each-ref", `refs/heads/tildone/${run}`) !== "");
  expect(await world.judge(run)).toEqual([]);
});
