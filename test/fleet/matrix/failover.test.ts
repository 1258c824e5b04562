import { expect, test } from "vitest";
import { askedBy } from "../asked-by.ts";
import { LEASE_MS, slowly } from "../fleet-world.ts";
import { useWorld } from "../use-world.ts";

const LONG = { timeout: 240_000 };
const fleet = useWorld();
const { workedOn, published } = fleet;

const driving = (run: string) => (line: { run?: string; type?: string }) =>
  line.run === run && line.type === "run.driving";

test("a machine that dies in the middle of a turn loses at most that turn", LONG, async () => {
  const machines = ["a1", "a2", "a3"].map((id) => fleet.world.work(id));
  const run = await fleet.world.submit();
  const first = await workedOn(run, 1);
  first.signal("SIGKILL");
  expect(await published(run)).toEqual([]);
  expect(machines.flatMap(({ lines }) => lines.filter(driving(run))).length).toBe(2);
  expect(machines.flatMap(({ lines }) => lines.filter(({ type }) => type === "workers.dead")).length).toBe(1);
});

test("what judges the work survives the machine: a check proves it on another one", LONG, async () => {
  for (const id of ["j1", "j2"]) fleet.world.work(id);
  const run = await fleet.world.submit({ checks: ["test -f file-2.txt"] });
  (await workedOn(run, 1)).signal("SIGKILL");
  expect(await published(run)).toEqual([]);
  expect(await fleet.world.ledger.get(run)).toMatchObject({ outcome: "all_done", epoch: 2 });
});

test("a machine that stood still finds that another one has its run, and says nothing any more", LONG, async () => {
  for (const id of ["b1", "b2"]) fleet.world.work(id);
  const run = await fleet.world.submit();
  const first = await workedOn(run, 1);
  first.signal("SIGSTOP");
  await fleet.world.until("the takeover", async () => ((await fleet.world.ledger.get(run))?.epoch ?? 0) >= 2);
  const before = fleet.world.model.requests.length;
  first.signal("SIGCONT");
  await fleet.world.until("fenced", () => first.lines.find(({ type, run: of }) => type === "run.fenced" && of === run));
  expect(await published(run)).toEqual([]);
  const late = fleet.world.model.requests
    .slice(before)
    .map(askedBy)
    .filter((asked) => asked?.machine === first.id);
  expect(late.length, "what was on its way when it stood still").toBeLessThanOrEqual(1);
  expect(late.filter((asked) => asked?.isNudge)).toEqual([]);
});

test("only the worker stood still: its run is fenced at the next checkpoint", LONG, async () => {
  for (const id of ["c1", "c2"]) fleet.world.work(id);
  const run = await fleet.world.submit();
  const first = await workedOn(run, 1);
  const takenOver = Promise.withResolvers<void>();
  fleet.world.model.play((request) => ({ ...slowly(3, 200)(request), after: takenOver.promise }));
  first.signal("SIGSTOP", "worker");
  await fleet.world.until("the takeover", async () => ((await fleet.world.ledger.get(run))?.epoch ?? 0) >= 2);
  takenOver.resolve();
  expect(await published(run)).toEqual([]);
  first.signal("SIGCONT", "worker");
  await fleet.world.until("fenced", () => first.lines.find(({ type, run: of }) => type === "run.fenced" && of === run));
});

test("the database restarts: nothing is taken over, nothing is lost", LONG, async () => {
  for (const id of ["d1", "d2"]) fleet.world.work(id);
  const run = await fleet.world.submit();
  await workedOn(run, 1);
  await fleet.world.postgres.restart();
  expect(await published(run)).toEqual([]);
  expect((await fleet.world.ledger.get(run))?.epoch).toBe(1);
});

test("the database is away for longer than the lease, with runs on both: they wait, and continue", LONG, async () => {
  for (const id of ["e1", "e2"]) fleet.world.work(id, { slots: 1 });
  const runs = [await fleet.world.submit(), await fleet.world.submit()];
  for (const run of runs) await workedOn(run, 1);
  fleet.world.postgres.pause();
  await new Promise((done) => setTimeout(done, LEASE_MS * 2)); // an outage takes its time
  fleet.world.postgres.resume();
  for (const run of runs) {
    expect(await published(run)).toEqual([]);
    expect((await fleet.world.ledger.get(run))?.epoch).toBe(1);
  }
});

test("a worker that is asked to end finishes the turn, and another one continues", LONG, async () => {
  for (const id of ["f1", "f2"]) fleet.world.work(id);
  const run = await fleet.world.submit();
  const first = await workedOn(run, 1);
  first.signal("SIGTERM", "worker");
  expect(await first.exited).toBe(0);
  expect(await published(run)).toEqual([]);
  expect(await fleet.world.ledger.lostRows(run)).toEqual([]);
});
