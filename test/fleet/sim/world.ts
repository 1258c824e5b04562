import { setImmediate } from "node:timers/promises";
import type { Ledger } from "../../../src/fleet/index.ts";
import { insist } from "../../../src/fleet/runner/insist.ts";
import { adriftRuns } from "../../../src/fleet/worker/adrift-runs.ts";
import { createRandom, type Random } from "../../sim/random.ts";
import { aSubmission } from "../ledgers.ts";
import { databaseFor } from "./database.ts";
import { type Broken, createJudge } from "./judge.ts";
import { createQueue } from "./queue.ts";
import { createRemote } from "./remote.ts";
import type { Runner } from "./runner.ts";
import { type Setup, setupOf } from "./setup.ts";
import { createProcess, createWire, type Flight, type Process, withParts } from "./wire.ts";
import { type SimulatedWorker, startWorker } from "./worker.ts";

/** A ledger that is empty, and its clock where it can be set. */
export interface SimulatedLedger {
  readonly ledger: Ledger;
  readonly clock?: { now: number };
}

export interface Played {
  readonly seed: number;
  readonly setup: Setup;
  readonly broken: readonly Broken[];
  /** What happened, newest last. */
  readonly trace: readonly string[];
}

const LEASE_MS = 5_000;
const MOST_LEAPS = 8;
/** A world that has not come to rest by then never does. */
const CALM_STEPS = 4_000;

/** A fleet in which everything goes wrong for a while, then nothing any more. */
export async function playSeed(
  seed: number,
  { ledger, clock = { now: 1_000_000 } }: SimulatedLedger,
  limits: "limited" | "unlimited" = "limited",
): Promise<Played> {
  const random = createRandom(seed);
  const setup = setupOf(random, limits);
  const world = new World(random, setup, ledger, clock);
  for (let step = 0; step < setup.steps && world.judge.broken.length === 0; step++) await world.step();
  await world.calm();
  return { seed, setup, broken: world.judge.broken, trace: world.trace };
}

class World {
  readonly trace: string[] = [];
  readonly judge;
  private readonly wire = createWire();
  private readonly remote = createRemote();
  private readonly queue = createQueue();
  private readonly you = createProcess("you");
  private readonly workers = new Map<string, SimulatedWorker>();
  private readonly random: Random;
  private readonly setup: Setup;
  private readonly ledger: Ledger;
  private readonly yours: Ledger;
  private readonly clock: { now: number };
  private lives = 0;
  private leaps = 0;
  private said = 0;
  private submitted = 0;
  /** Runs whose submission was answered. */
  private readonly known = new Set<string>();
  private isAway = false;
  private isCalm = false;

  constructor(random: Random, setup: Setup, ledger: Ledger, clock: { now: number }) {
    this.random = random;
    this.setup = setup;
    this.ledger = ledger;
    this.clock = clock;
    this.judge = createJudge({
      ...{ ledger, remote: this.remote, limit: setup.limit },
      keeps: (token, run) => this.keeps(token, run),
    });
    this.remote.onMove((run, from, to) => this.judge.pushed(run, from, to));
    this.yours = databaseFor(this.wire, this.you, ledger, this.judge);
    for (let index = 1; index <= setup.workers; index++) this.start(`w${index}`);
    this.submit();
  }

  /** One thing happens. */
  async step(): Promise<void> {
    const { random, setup } = this;
    this.clock.now += 1 + random.below(20);
    if (random.chance(setup.trouble)) this.trouble();
    else if (random.chance(0.04)) this.say();
    else
      await random.weighted<() => Promise<void> | void>([
        [60, () => this.fly()],
        [12, () => this.look()],
        [3, () => this.hear()],
        [8, () => this.take()],
        [3, () => this.sweep()],
        [1, () => this.submit()],
        [0.3, () => this.prune()],
      ])();
    await setImmediate(); // everything that follows from it, up to what is in flight next
    this.close();
  }

  /** Nothing goes wrong any more: all of it must come to rest. */
  async calm(): Promise<void> {
    this.isCalm = true;
    this.isAway = false;
    while (this.submitted < this.setup.scripts.length) this.submit();
    for (const worker of this.workers.values())
      for (const process of withParts(worker.process)) if (process.status === "frozen") process.status = "alive";
    for (let steps = 0; this.judge.broken.length === 0; steps++) {
      if (steps === CALM_STEPS)
        return this.judge.fail(
          "everything comes to rest",
          this.wire.flights.map(({ process, what }) => `${process.name}: ${what}`).join("; ") || "nothing is in flight",
        );
      for (const { id, process } of this.workers.values()) if (process.status === "dead") this.start(id);
      this.clock.now += 60;
      if (this.random.chance(0.1)) this.look();
      if (this.random.chance(0.1)) await this.sweep();
      this.take();
      await this.fly();
      await setImmediate();
      this.close();
      if (this.wire.flights.length === 0 && (await this.isAtRest())) break;
    }
    if (this.judge.broken.length === 0) await this.judge.atRest();
    if ((await this.ledger.askForTurn("another run", [["repository", 1]])) !== undefined)
      this.judge.fail("limits are kept", "one is reached although no run is running");
  }

  private async isAtRest(): Promise<boolean> {
    for (const runner of this.runners()) {
      runner.driver?.look();
      void runner.driver?.hear();
    }
    for (const worker of this.workers.values()) await this.sweep(worker); // each looks for its own
    this.take();
    await setImmediate();
    return this.wire.flights.length === 0 && this.queue.places.length === 0;
  }

  /** Something in flight arrives, or gets lost. */
  private async fly(): Promise<void> {
    const { random, setup } = this;
    const { flights } = this.wire;
    const able = flights.filter(({ process, status }) => process.status === "alive" || status === "sent");
    if (able.length === 0) return;
    const flight = random.pick(able);
    const isDue = flight.process.status === "alive";
    if (flight.road === "own") {
      if (!isDue) return;
      await flight.perform();
      return flight.answer();
    }
    const isLost = !this.isCalm && random.chance(setup.loss);
    const isAway = this.isAway && flight.road === "database";
    if (flight.status === "sent") {
      if (isAway || isLost) return this.lose(flight);
      await flight.perform();
      this.tell(flight, "is done");
      if (flight.process.status === "dead") return this.wire.drop(flight);
      if (!isDue || random.chance(0.35)) return;
    }
    if (isAway || isLost) return this.tell(flight, "loses its answer", () => flight.lose());
    this.tell(flight, "is answered", () => flight.answer());
  }

  /** One that stands still hears of it later. */
  private lose(flight: Flight): void {
    const { status } = flight.process;
    if (status === "frozen") return;
    this.tell(flight, "is lost", () => (status === "dead" ? this.wire.drop(flight) : flight.lose()));
  }

  private tell({ process, what }: Flight, how: string, act?: () => void): void {
    this.note(`${process.name}: ${what} ${how}`);
    act?.();
  }

  private look(): void {
    const runner = this.anyOf(this.runners().filter(({ process }) => process.status === "alive"));
    runner?.driver?.look();
  }

  private hear(): void {
    const runner = this.anyOf(this.runners().filter(({ process }) => process.status === "alive"));
    if (runner) this.heard(runner.run);
  }

  private heard(run: string): void {
    for (const { process, driver } of this.runners().filter((each) => each.run === run))
      void this.wire
        .pause(process, "hears")
        .then(() => driver?.hear())
        .catch((error: unknown) => this.judge.fail("nothing throws", String(error)));
  }

  private take(): void {
    const { slots } = this.setup;
    const free = [...this.workers.values()].filter(
      ({ process, isDraining }) =>
        process.status === "alive" &&
        !isDraining() &&
        this.queue.places.filter(({ worker }) => worker === process.name).length < slots,
    );
    const worker = this.anyOf(free);
    const place = this.anyOf(this.queue.places.filter((each) => each.worker === undefined));
    if (!worker || !place) return;
    place.worker = worker.process.name;
    this.note(`${worker.process.name} takes ${place.run} from the queue`);
    void worker.take(place);
  }

  /** Runs that wait, or whose worker is gone, and that the queue does not know. */
  private async sweep(by?: SimulatedWorker): Promise<void> {
    if (this.isAway) return;
    const isGone = (id: string | undefined) => this.workers.get(id ?? "")?.process.status !== "alive";
    for (const { id, process } of this.workers.values()) if (isGone(id)) this.queue.recover(process.name);
    const worker = by ?? this.anyOf([...this.workers.values()].filter(({ process }) => process.status === "alive"));
    if (!worker || isGone(worker.id)) return;
    const alive = new Set([...this.workers.keys()].filter((id) => !isGone(id)));
    const driving = new Set([...worker.runners].map(({ run }) => run));
    const runs = await this.ledger.list({ states: ["queued", "running"] });
    for (const { run } of [
      ...adriftRuns(runs, { alive, self: worker.id, driving }),
      ...(await this.ledger.unpublished()),
    ])
      this.queue.add(run);
  }

  private submit(): void {
    const script = this.setup.scripts[this.submitted];
    if (!script) return;
    this.submitted++;
    this.judge.submitted(script);
    void this.insist(() => this.yours.submit(aSubmission(script.run))).then(() => {
      this.known.add(script.run);
      this.enqueue(script.run);
    });
  }

  private say(): void {
    const script = this.anyOf(this.setup.scripts.slice(0, this.submitted));
    if (!script) return;
    const { run } = script;
    const count = ++this.said;
    const trigger = this.random.weighted([
      [3, { type: "human.hold", now: false }],
      [4, { type: "human.unhold" }],
      [3, { type: "words.queue", words: { id: `said${count}`, text: "please", kind: "steer" } }],
      [3, { type: "human.extend", budget: { tokens: 1_000 + count } }],
      [3, { type: "human.answer", outcome: "approved", words: "" }],
      [0.5, { type: "nonsense" }],
    ]);
    const key = `key${count}`;
    this.note(`you say ${trigger.type} to ${run}`);
    void this.insist(() => this.yours.say({ run, trigger: JSON.stringify(trigger), from: "null", key })).then(
      (said) => {
        if ("wake" in said && said.wake) this.enqueue(run);
        if (this.random.chance(0.8)) this.heard(run);
      },
    );
  }

  /** A process that submits or wakes may die before the queue knows of it. */
  private enqueue(run: string): void {
    if (this.isCalm || this.random.chance(0.8)) this.queue.add(run);
  }

  private trouble(): void {
    const { random } = this;
    const worker = this.anyOf([...this.workers.values()]);
    const runner = this.anyOf([...(worker?.runners ?? [])]);
    if (!worker) return;
    const { process } = worker;
    random.weighted<() => void>([
      [3, () => this.kill(worker)],
      [3, () => runner && this.act(`${runner.process.name} is killed`, () => runner.kill())],
      [2, () => runner?.killAgent && this.act(`the agent of ${runner.process.name} is killed`, runner.killAgent)],
      [3, () => this.freeze(process)],
      [3, () => runner && this.freeze(runner.process)],
      [8, () => this.thaw()],
      [3, () => this.act(`${process.name} drains`, () => worker.drain())],
      [8, () => this.restart()],
      [
        2,
        () =>
          this.act("the database goes away", () => {
            this.isAway = true;
          }),
      ],
      [
        6,
        () =>
          this.act("the database is back", () => {
            this.isAway = false;
          }),
      ],
      [1, () => this.cancel()],
    ])();
  }

  private kill(worker: SimulatedWorker): void {
    this.act(`${worker.process.name} dies`, () => this.ends(worker.process));
  }

  private freeze(process: Process): void {
    this.act(`${process.name} stands still`, () => {
      for (const each of withParts(process)) if (each.status === "alive") each.status = "frozen";
    });
  }

  private thaw(): void {
    const frozen = [...this.workers.values()]
      .flatMap(({ process }) => withParts(process))
      .filter(({ status }) => status === "frozen");
    const process = this.anyOf(frozen);
    if (!process) return;
    if (this.random.chance(0.5) && this.leaps++ < MOST_LEAPS) this.clock.now += LEASE_MS;
    this.act(`${process.name} continues`, () => {
      for (const each of withParts(process)) if (each.status === "frozen") each.status = "alive";
    });
  }

  private restart(): void {
    const dead = this.anyOf([...this.workers.values()].filter(({ process }) => process.status === "dead"));
    if (dead) this.start(dead.id);
  }

  private start(id: string): void {
    const before = this.workers.get(id);
    if (before) this.queue.recover(before.process.name);
    const { wire, random, remote, ledger, judge, queue, clock } = this;
    this.workers.set(
      id,
      startWorker(
        {
          ...{ wire, random, remote, ledger, judge, queue, limit: this.setup.limit },
          scriptOf: (run) => this.setup.scripts.find((each) => each.run === run)!,
          now: () => clock.now,
          ends: (process) => this.ends(process),
        },
        id,
        ++this.lives,
      ),
    );
  }

  private cancel(): void {
    const script = this.anyOf(this.setup.scripts.slice(0, this.submitted));
    if (!script) return;
    this.note(`you cancel ${script.run}`);
    void this.insist(() => this.yours.cancel(script.run, "you")).then(() => this.heard(script.run));
  }

  /** Only what was published, and what you know was submitted: more is not promised. */
  private async prune(): Promise<void> {
    const finished = await this.ledger.list({ states: ["finished"] });
    if (finished.some(({ run }) => !this.remote.published.has(run))) return;
    this.note("you prune");
    const runs = [...this.known];
    await this.ledger.remove(runs);
    for (const run of runs) await this.judge.saw(run, { op: "prune" });
  }

  /** A worker that has drained gives its places back and ends. */
  private close(): void {
    for (const { process, runners, isDraining } of this.workers.values())
      if (isDraining() && process.status === "alive" && runners.size === 0) {
        this.queue.recover(process.name);
        this.act(`${process.name} has drained`, () => this.ends(process));
      }
  }

  /** What it asked for may still happen; it hears of nothing. */
  private ends(process: Process): void {
    for (const each of withParts(process)) each.status = "dead";
    for (const flight of [...this.wire.flights])
      if (
        flight.process.status === "dead" &&
        (flight.road === "own" || flight.status === "performed" || this.random.chance(0.5))
      )
        this.wire.drop(flight);
  }

  private runners(): readonly (Runner & { readonly kill: () => void })[] {
    return [...this.workers.values()]
      .flatMap(({ runners }) => [...runners])
      .filter(({ process }) => process.status !== "dead");
  }

  private keeps(token: string | undefined, run: string): boolean {
    return [...this.workers.values()]
      .filter(({ process }) => process.status === "alive")
      .flatMap(({ runners }) => [...runners])
      .some((each) => each.run === run && isDriver(each) && each.keepsPlace());

    function isDriver({ process }: Runner): boolean {
      return process.name === token && process.status === "alive";
    }
  }

  private insist<T>(act: () => Promise<T>): Promise<T> {
    return insist(act, { wait: () => this.wire.pause(this.you, "waits") });
  }

  private act(what: string, act: () => void): void {
    this.note(what);
    act();
  }

  private note(what: string): void {
    this.trace.push(what);
  }

  private anyOf<T>(from: readonly T[]): T | undefined {
    return from.length === 0 ? undefined : this.random.pick(from);
  }
}
