import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { FleetState } from "../../src/fleet/index.ts";
import { type Machine, openWorld, slowly, type World } from "./fleet-world.ts";
import type { PostgresOptions } from "./postgres.ts";

/**
 * A fleet for the tests of a file, with what they ask of it again and again. After each test its machines are gone. `options` is called where
 * a test of the file runs at all.
 */
export function useWorld(options: () => PostgresOptions = () => ({})) {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(options());
  }, 120_000);
  afterAll(() => world[Symbol.asyncDispose](), 60_000);
  beforeEach(() => world.model.play(slowly(3, 200)));
  afterEach(() => {
    for (const machine of world.machines) machine.signal("SIGKILL");
  });
  return {
    get world() {
      return world;
    },
    becomes,
    events,
    steps,
    workedOn,
    published,
  };

  function becomes(run: string, ...states: readonly FleetState[]) {
    return world.until(
      `${run} ${states.join(" or ")}`,
      async () => {
        const found = await world.ledger.get(run);
        return found && states.includes(found.state) ? found : undefined;
      },
      180_000,
    );
  }

  async function events(run: string, type: string): Promise<number> {
    const rows = await world.ledger.rows(run, 0, 10_000);
    return rows.filter(({ event }) => event.includes(`"type":"${type}"`)).length;
  }

  function steps(run: string): Promise<number> {
    return events(run, "todo.completed");
  }

  /** The machine that works on it, once it completed so many steps. */
  async function workedOn(run: string, count: number): Promise<Machine> {
    await world.until(`${count} steps of ${run}`, async () => (await steps(run)) >= count, 120_000);
    const found = await world.ledger.get(run);
    return world.machines.findLast(({ id }) => id === found?.driver)!;
  }

  /** Waits for its end and its branch; gives what is wrong with it. */
  async function published(run: string, items = 3): Promise<readonly string[]> {
    await becomes(run, "finished", "poisoned", "cancelled", "parked");
    await world.until(`the branch of ${run}`, async () => {
      const { state } = (await world.ledger.get(run))!;
      return state !== "finished" || world.git(world.remote, "for-each-ref", `refs/heads/tildone/${run}`) !== "";
    });
    return world.judge(run, items);
  }
}
