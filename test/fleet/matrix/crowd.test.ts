import { join } from "node:path";
import { expect, test } from "vitest";
import { type Machine, slowly } from "../fleet-world.ts";
import { useWorld } from "../use-world.ts";

const fleet = useWorld();
const { becomes, workedOn, published } = fleet;

test("12 runs, two machines killed, one frozen, and the database restarted: every step once", {
  timeout: 400_000,
}, async () => {
  const current = new Map<string, Machine>();
  const start = (id: string) => void current.set(id, fleet.world.work(id));
  for (const id of ["a1", "a2", "a3"]) start(id);
  const runs: string[] = [];
  for (let count = 0; count < 12; count++) runs.push(await fleet.world.submit());
  const finished = async () => (await fleet.world.ledger.list({ states: ["finished"] })).length;
  const some = (count: number) => fleet.world.until(`${count} runs`, async () => (await finished()) >= count, 200_000);
  const kill = async (id: string) => {
    current.get(id)!.signal("SIGKILL");
    await current.get(id)!.exited;
    start(id);
  };
  await workedOn(runs[0]!, 1);
  await kill("a1");
  await some(2);
  current.get("a2")!.signal("SIGSTOP");
  await some(4);
  await fleet.world.postgres.restart();
  current.get("a2")!.signal("SIGCONT");
  await some(6);
  await kill("a3");
  for (const run of runs) expect(await published(run)).toEqual([]);
});

/** Above a command stands the shell that watches over it, then its runner, then the worker. */
const parentOf = (pid: string, name: string) => `read -r _ _ _ ${name} _ < /proc/${pid}/stat`;

test("a goal that kills its whole worker is given up after three, and the fleet continues", {
  timeout: 240_000,
}, async () => {
  const machines = ["b1", "b2", "b3", "b4"].map((id) => fleet.world.work(id));
  const run = await fleet.world.submit({
    prepare: `${parentOf("$PPID", "runner")}; ${parentOf("$runner", "worker")}; kill -9 "$worker" "$runner" $PPID`,
  });
  expect(await becomes(run, "poisoned", "finished", "parked")).toMatchObject({ state: "poisoned" });
  expect(machines.filter(({ process }) => process.signalCode === "SIGKILL").length).toBe(3);
  fleet.world.model.play(slowly(3, 50));
  expect(await published(await fleet.world.submit())).toEqual([]);
});

test("an older worker hands a newer log back, and the newer one finishes it", { timeout: 240_000 }, async () => {
  const newer = fleet.world.work("c1");
  const run = await fleet.world.submit();
  await workedOn(run, 1);
  newer.signal("SIGTERM", "worker");
  expect(await newer.exited).toBe(0);
  const program = (name: string) => [process.execPath, join(import.meta.dirname, "../programs", name)];
  const older = fleet.world.work("c2", {
    programs: { runner: program("older-runner.ts"), tildone: program("tildone.ts") },
  });
  expect(await older.exited).toBe(75);
  const { epoch, state } = (await fleet.world.ledger.get(run))!;
  expect({ epoch, state }).toEqual({ epoch: 1, state: "queued" });
  fleet.world.work("c3");
  expect(await published(run)).toEqual([]);
  expect(await fleet.world.ledger.get(run)).toMatchObject({ epoch: 2 });
});
