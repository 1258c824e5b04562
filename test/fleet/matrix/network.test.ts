import { expect, test } from "vitest";
import { askedBy } from "../asked-by.ts";
import type { Machine } from "../fleet-world.ts";
import { useWorld } from "../use-world.ts";

const LONG = { timeout: 240_000 };
const fleet = useWorld();
const { workedOn, published } = fleet;

const claims = async (run: string) => (await fleet.world.ledger.get(run))?.epoch ?? 0;
const fenced = (machine: Machine, run: string) =>
  fleet.world.until(`${run} fenced on ${machine.id}`, () =>
    machine.lines.find((line) => line.type === "run.fenced" && line.run === run),
  );

/** Two machines on wires that can be cut, one goal, and who works on it. */
async function wiredPair(one: string, two: string) {
  const wires = new Map([
    [one, await fleet.world.wire(one)],
    [two, await fleet.world.wire(two)],
  ]);
  for (const id of wires.keys()) fleet.world.work(id);
  const run = await fleet.world.submit();
  const first = await workedOn(run, 1);
  return { run, first, ...wires.get(first.id)! };
}

test.each([
  ["the database", "a", ["database"]],
  ["database and repository", "b", ["database", "remote"]],
] as const)(
  "a machine cut from %s is taken over, and what it sends late counts for nothing",
  LONG,
  async (...[, name, ends]) => {
    const { run, first, ...wires } = await wiredPair(`${name}1`, `${name}2`);
    for (const end of ends) wires[end].cut();
    await fleet.world.until("the takeover", async () => (await claims(run)) === 2);
    const before = fleet.world.model.requests.length;
    for (const end of ends) wires[end].join();
    await fenced(first, run);
    expect(await published(run)).toEqual([]);
    const late = fleet.world.model.requests.slice(before).map(askedBy);
    expect(late.filter((asked) => asked?.machine === first.id && asked.isNudge)).toEqual([]);
  },
);

test("a machine cut from the repository alone waits at the end of its turn, and keeps its run", LONG, async () => {
  const { run, first, remote } = await wiredPair("c1", "c2");
  remote.refuse();
  await fleet.world.until("it waits", () => first.lines.find(({ says }) => says?.includes("cannot be reached")));
  const outcome = async () => (await fleet.world.ledger.get(run))?.outcome;
  await fleet.world.until("it says so everywhere", async () => (await outcome())?.includes("cannot be reached"));
  remote.join();
  await fleet.world.until("it waits no more", async () => !(await outcome())?.includes("cannot be reached"));
  expect(await published(run)).toEqual([]);
  expect(await claims(run)).toBe(1);
});

test("a run that waits for its repository says so, and its worker ends without waiting for it", LONG, async () => {
  const { remote } = await fleet.world.wire("f1");
  remote.refuse();
  const machine = fleet.world.work("f1");
  const run = await fleet.world.submit();
  await fleet.world.until("it says so", async () => {
    const found = await fleet.world.ledger.get(run);
    return found?.state === "running" && found.outcome?.includes("cannot be reached");
  });
  await endsSoon(machine);
  expect(await fleet.world.ledger.get(run)).toMatchObject({ state: "queued", attempts: 0 });
  await fleet.world.ledger.cancel(run, "the test");
});

test("a repository that never answers: the run says so, and its worker ends without waiting for it", LONG, async () => {
  const { remote } = await fleet.world.wire("g1");
  remote.cut();
  const machine = fleet.world.work("g1");
  const run = await fleet.world.submit();
  await fleet.world.until("it says so", async () => {
    const { outcome = "" } = (await fleet.world.ledger.get(run))!;
    return outcome.includes("does not answer") && outcome.includes(`tildone cancel ${run}`);
  });
  await endsSoon(machine);
  expect(await fleet.world.ledger.get(run)).toMatchObject({ state: "queued", attempts: 0 });
  await fleet.world.ledger.cancel(run, "the test");
});

test.each(["refuse", "cut"] as const)(
  "a worker that ends at the end of a turn waits for no repository that is away (%s)",
  LONG,
  async (how) => {
    const { remote } = await fleet.world.wire(`h-${how}`);
    const machine = fleet.world.work(`h-${how}`);
    const run = await fleet.world.submit();
    await workedOn(run, 1);
    remote[how]();
    await fleet.world.until("it waits", async () =>
      (await fleet.world.ledger.get(run))?.outcome?.includes("cannot be reached"),
    );
    await endsSoon(machine);
    expect(await fleet.world.ledger.get(run)).toMatchObject({ state: "queued" });
    remote.join();
    fleet.world.work(`h-${how}`);
    expect(await published(run)).toEqual([]);
  },
);

test("a worker that ends waits for no prepare command", LONG, async () => {
  const machine = fleet.world.work("i1");
  const run = await fleet.world.submit({ prepare: "sleep 3000" });
  await fleet.world.until("it says so", async () =>
    (await fleet.world.ledger.get(run))?.outcome?.includes("Preparing the workspace: sleep 3000"),
  );
  await endsSoon(machine);
  expect(machine.pids()).toEqual([]);
  expect(await fleet.world.ledger.get(run)).toMatchObject({ state: "queued", attempts: 0 });
  await fleet.world.ledger.cancel(run, "the test");
});

async function endsSoon(machine: Machine): Promise<void> {
  const asked = Date.now();
  machine.signal("SIGTERM", "worker");
  expect(await machine.exited).toBe(0);
  expect(Date.now() - asked, "a turn that runs may take two minutes; there is none").toBeLessThan(60_000);
}

test("the answer to a checkpoint is lost on the way: it is said again, and counts once", LONG, async () => {
  const { run, database } = await wiredPair("d1", "d2");
  await database.loseAnswerTo(CHECKPOINT);
  expect(await published(run)).toEqual([]);
  expect(await claims(run)).toBe(1);
});

test("killed after the database had the checkpoint, before it heard so: the checkpoint counts", LONG, async () => {
  const { run, first, database } = await wiredPair("e1", "e2");
  await database.loseAnswerTo(CHECKPOINT);
  first.signal("SIGKILL");
  const { checkpoint } = (await fleet.world.ledger.get(run))!;
  expect(await published(run)).toEqual([]);
  expect(await claims(run)).toBe(2);
  const lost = await fleet.world.ledger.lostRows(run);
  expect(lost.filter(({ seq }) => seq <= checkpoint!.seq)).toEqual([]);
});

/** The commit of the files, as a value in a statement. */
const CHECKPOINT = /checkpoint_commit.*\0\0\0\x28[0-9a-f]{40}/s;
