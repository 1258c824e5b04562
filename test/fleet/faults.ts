// Random faults on a fleet at work: machines killed, frozen and cut off, whole or in part, the database restarted and paused. Seeded.
import type { Step } from "../../src/testing/index.ts";
import { type Asked, askedBy } from "./asked-by.ts";
import { isOver, LEASE_MS, type Machine, openWorld, slowly, type Wires } from "./fleet-world.ts";
import { type Cut, judgeLate } from "./judge-late.ts";

export interface FaultsOptions {
  readonly faults: number;
  readonly seed: number;
  readonly machines?: number;
  /** Todos of each run. */
  readonly items?: number;
  readonly say: (line: string) => void;
}

export interface FaultsResult {
  readonly faults: Readonly<Record<string, number>>;
  readonly runs: number;
  readonly finished: number;
  /** 3 deaths without a checkpoint: by design, and counted apart. */
  readonly poisoned: number;
  readonly claims: number;
  readonly lostEvents: number;
  /** Requests of a machine after another one had its run: what was in flight, and the rest of a turn while it could not know. */
  readonly lateRequests: number;
  readonly lateNudges: number;
  /** The longest that one of them came after its machine could know. */
  readonly lateMs: number;
  readonly problems: readonly string[];
  readonly seconds: number;
}

export async function runFaults({
  faults,
  seed,
  machines: size = 3,
  items = 4,
  say,
}: FaultsOptions): Promise<FaultsResult> {
  const began = Date.now();
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
  await using world = await openWorld();
  const requests: Asked[] = [];
  const works = slowly(items, 150);
  world.model.play((request): Step => {
    const asked = askedBy(request);
    if (asked) requests.push(asked);
    return works(request);
  });
  const ids = Array.from({ length: size }, (_, index) => `m${index + 1}`);
  const current = new Map<string, Machine>();
  const start = (id: string) => void current.set(id, world.work(id, { slots: 2 }));
  const wires = new Map<string, Wires>();
  for (const id of ids) {
    wires.set(id, await world.wire(id));
    start(id);
  }
  const runs: string[] = [];
  const done: Record<string, number> = {};
  const cuts: Cut[] = [];
  const passing = new Set<Promise<unknown>>();
  const keepBusy = async () => {
    const states = await Promise.all(runs.map((run) => world.ledger.get(run).catch(() => undefined)));
    const active = states.filter((found) => !found || !isOver(found.state)).length;
    for (let open = active; open < size + 1; open++)
      runs.push(await world.submit({ goal: `make the files ${runs.length}` }));
  };

  for (let at = 0; at < faults; at++) {
    await keepBusy().catch(() => {});
    // A fault while nothing is worked on shows nothing.
    await world
      .until("work", async () => (await world.ledger.list({ states: ["running"] })).some(({ seq }) => seq > 0), 30_000)
      .catch(() => {});
    await wait(300 + random() * 3_000);
    const kind = pick(KINDS);
    done[kind] = (done[kind] ?? 0) + 1;
    const machine = current.get(pick(ids))!;
    say(
      `${new Date().toISOString().slice(11, 19)} ${at + 1}/${faults} ${kind} ${kind.startsWith("database") ? "" : machine.id} (${runs.length} runs)`,
    );
    await carryOut(kind, machine);
    for (const [id, each] of current) if (each.process.exitCode !== null || each.process.signalCode !== null) start(id);
  }
  await Promise.all(passing);
  for (const [id, each] of current) {
    each.signal("SIGCONT");
    if (each.process.exitCode !== null || each.process.signalCode !== null) start(id);
  }
  say("no more faults: waiting for the runs to end");
  for (const run of runs)
    await world
      .until(`the end of ${run}`, async () => isOver((await world.ledger.get(run))?.state), 600_000)
      .catch(() => {});
  await wait(3_000); // the last branch is pushed after its run ended
  const problems: string[] = [];
  let [finished, poisoned, lostEvents] = [0, 0, 0];
  for (const run of runs) {
    const found = await world.ledger.get(run);
    lostEvents += (await world.ledger.lostRows(run)).length;
    if (found?.state === "poisoned") {
      poisoned++;
      problems.push(...(await world.judgeGivenUp(run)));
    } else {
      if (found?.state === "finished") finished++;
      problems.push(...(await world.judge(run, items)));
    }
  }
  // One that starts while the database is away ends, and is started again.
  for (const { id, process, lines } of world.machines)
    if (process.exitCode !== null && process.exitCode !== 0 && lines.some(({ says }) => says === "started"))
      problems.push(`${id} ended by itself (exit ${process.exitCode}): ${lines.at(-1)?.says ?? ""}`);
  const changes = await world.witness!.changes();
  const judged = judgeLate({ asked: requests, changes, cuts, nudges: await world.witness!.nudges() });
  problems.push(...judged.problems);
  for (const { asked, epoch, afterMs, knewMs } of judged.late)
    say(
      `late: ${asked.run} claim ${epoch} of ${asked.machine}${asked.isNudge ? ", a nudge" : ""}: ${Math.round(afterMs)} ms after the next claim, ${Math.round(knewMs)} ms after it could know`,
    );
  return {
    faults: done,
    runs: runs.length,
    finished,
    poisoned,
    claims: changes.filter(({ machine }) => machine !== undefined).length,
    lostEvents,
    lateRequests: judged.late.length,
    lateNudges: judged.late.filter(({ asked }) => asked.isNudge).length,
    lateMs: Math.round(Math.max(0, ...judged.late.map(({ knewMs }) => knewMs))),
    problems,
    seconds: Math.round((Date.now() - began) / 1000),
  };

  async function carryOut(kind: Kind, machine: Machine): Promise<void> {
    switch (kind) {
      case "kill the machine":
        machine.signal("SIGKILL");
        return;
      case "kill the worker":
        machine.signal("SIGKILL", "worker");
        return;
      case "kill the runners":
        machine.signal("SIGKILL", "runners");
        return;
      case "kill the agents":
        machine.signal("SIGKILL", "agents");
        return;
      case "ask the worker to end":
        machine.signal("SIGTERM", "worker");
        return;
      case "freeze the machine":
        return freeze(machine, "all");
      case "freeze the worker":
        return freeze(machine, "worker");
      case "freeze the runners":
        return freeze(machine, "runners");
      case "cut the machine from the database":
        return cut(machine, "database");
      case "cut the machine from the repository":
        return cut(machine, "remote");
      case "cut the machine from both":
        return cut(machine, "database", "remote");
      case "database restarts":
        return unknowing(() => world.postgres.restart());
      case "database stands still":
        return unknowing(async () => {
          world.postgres.pause();
          await wait(500 + random() * 4_000);
          world.postgres.resume();
        });
    }
  }

  function freeze(machine: Machine, which: "all" | "worker" | "runners"): void {
    const from = Date.now();
    machine.signal("SIGSTOP", which);
    later(() => {
      machine.signal("SIGCONT");
      if (which !== "worker") cuts.push({ machine: machine.id, from, to: Date.now() });
    });
  }

  function cut({ id }: Machine, ...ends: readonly (keyof Wires)[]): void {
    const from = Date.now();
    for (const end of ends) wires.get(id)![end].cut();
    later(() => {
      for (const end of ends) wires.get(id)![end].join();
      if (ends.includes("database")) cuts.push({ machine: id, from, to: Date.now() });
    });
  }

  async function unknowing(passes: () => Promise<void>): Promise<void> {
    const from = Date.now();
    await passes();
    cuts.push({ from, to: Date.now() });
  }

  /** After less than a lease, or more; everything else goes on meanwhile. */
  function later(act: () => void): void {
    const acted = wait(500 + random() * 3 * LEASE_MS).then(act);
    passing.add(acted);
    void acted.then(() => passing.delete(acted));
  }
}

const KINDS = [
  "kill the machine",
  "kill the worker",
  "kill the runners",
  "kill the agents",
  "ask the worker to end",
  "freeze the machine",
  "freeze the worker",
  "freeze the runners",
  "cut the machine from the database",
  "cut the machine from the repository",
  "cut the machine from both",
  "database restarts",
  "database stands still",
] as const;
type Kind = (typeof KINDS)[number];

/** mulberry32: the same seed, the same faults. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
