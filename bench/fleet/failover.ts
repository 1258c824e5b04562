import { LEASE_MS, slowly } from "../../test/fleet/fleet-world.ts";
import { measure, median } from "../harness.ts";
import { type BuiltWorld, openBuiltWorld } from "./built-world.ts";
import type { Part } from "./part.ts";

const REPEAT = 5;

/** A machine is killed in the middle of a turn; how long until another one's agent asks its model? Beside the lease. */
export const failover: Part = async () => {
  await using world = await openBuiltWorld();
  world.model.play(slowly(3, 500));
  const takeovers: Takeover[] = [];
  for (let at = 0; at < REPEAT; at++) takeovers.push(await takeover(world, at));
  const row = (name: string, of: (each: Takeover) => number, atMost: number) => {
    let next = 0;
    return {
      name,
      run: () => of(takeovers[next++ % REPEAT]!) / 1000,
      floor: () => LEASE_MS / 1000,
      target: { atMost },
      repeat: REPEAT,
      unit: "s" as const,
    };
  };
  const results = await measure(
    [
      row("killed, until it counts as dead", ({ dead }) => dead, 1.8),
      row("until another one has the run", ({ driving }) => driving, 2.5),
      row("until its agent asks the model", ({ working }) => working, 3.2),
    ],
    0,
  );
  const part = (of: (each: Takeover) => number) => (median(takeovers.map(of)) / 1000).toFixed(1);
  return {
    results,
    says: [
      `medians of ${REPEAT}: silence and detection ${part(({ dead }) => dead)} s, queue, start of the runner and claim ${part(({ dead, driving }) => driving - dead)} s, restore and start of the agent ${part(({ driving, working }) => working - driving)} s`,
      `the last beat is up to ${LEASE_MS / 5} ms old when it dies, and is looked at every ${Math.round(LEASE_MS / 3)} ms`,
    ],
  };
};

/** Milliseconds since the kill. */
interface Takeover {
  readonly dead: number;
  readonly driving: number;
  readonly working: number;
}

async function takeover(world: BuiltWorld, at: number): Promise<Takeover> {
  const machines = ["a", "b"].map((id) => world.workBuilt(`${id}${at}`));
  await world.started(machines);
  const steadyAt = Date.now() + LEASE_MS; // a worker judges others after one lease of its own
  const run = await world.submit();
  await world.until(`a step of ${run}`, async () => {
    const rows = await world.ledger.rows(run, 0, 10_000);
    return rows.some(({ event }) => event.includes('"todo.completed"')) && Date.now() > steadyAt;
  });
  const driver = (await world.ledger.get(run))?.driver;
  const first = machines.find(({ id }) => id === driver)!;
  const second = machines.find(({ id }) => id !== driver)!;
  first.signal("SIGKILL");
  const killed = Date.now();
  const dead = await lineOf(({ workers }) => Array.isArray(workers) && workers.includes(first.id));
  const driving = await lineOf((line) => line.type === "run.driving" && line.run === run);
  const working = await world.until("a request", () => {
    const asked = world.model.requests.findLast(({ system }) => system.includes(`/${second.id}/`));
    return asked && Date.now();
  });
  await world.ended(run); // else the next workers would begin with it
  second.signal("SIGKILL");
  return { dead: dead - killed, driving: driving - killed, working: working - killed };

  async function lineOf(is: (line: (typeof second.lines)[number]) => boolean): Promise<number> {
    const line = await world.until("a line of the other worker", () => second.lines.find(is));
    return Date.parse(line.at);
  }
}
