import type { Limits } from "../../src/core/continuation/index.ts";
import { DEFAULTS } from "../../src/core/continuation/index.ts";
import type { Envelope, Usage } from "../../src/core/run/index.ts";
import { createFakeWorld, type FakeWorld } from "../../src/testing/index.ts";
import { judgeBrakes } from "./brake-judge.ts";
import { createRandom, type Random } from "./random.ts";

/**
 * Turns of many answers and calls, with a model that may never settle: silence, streams, repeated calls, new ones. A person holds, asks,
 * raises budgets and aborts in between, and processes die. What the log tells is judged by someone who does not know the brake.
 */
export async function playBrakes(seed: number): Promise<readonly string[]> {
  const random = createRandom(seed);
  const setup = setupOf(random);
  const world = new BrakeWorld(random, setup);
  await world.begin();
  for (let turn = 0; turn < 4 && !world.isOver; turn++) await world.turn();
  return judgeBrakes(world.log(), setup, world.told);
}

export interface BrakeSetup {
  readonly limits: Limits;
  readonly budget: { readonly tokens?: number; readonly cost?: number; readonly minutes?: number };
  /** How the host ends a turn that has to end: at once, after one more answer, or never. */
  readonly obeys: "at once" | "late" | "never";
}

/** What the simulated host and person did, as they know it themselves. */
export interface Told {
  /** Everything that answers have used, the cut ones by estimate. */
  readonly tokens: number;
  /** Turns that the person aborted. */
  readonly aborted: readonly string[];
  /** A process died: time after its last word is not known. */
  readonly died: boolean;
  /** Time spent in turns, without waits for the person. */
  readonly activeMs: number;
}

function setupOf(random: Random): BrakeSetup {
  const maybe = <T>(value: T): T | undefined => (random.chance(0.5) ? value : undefined);
  const tokens = maybe(1_000 * (1 + random.below(20)));
  const minutes = maybe(random.pick([0.5, 1, 5, 20]));
  const cost = random.chance(0.2) ? 5 : undefined;
  return {
    limits: {
      ...DEFAULTS,
      brake: {
        ...DEFAULTS.brake,
        sameCalls: random.pick([3, 8]),
        idleAnswers: random.pick([4, 10]),
        stillAnswers: random.pick([6, 15]),
        silenceMs: random.pick([30_000, 120_000]),
        answerMs: random.pick([60_000, 600_000]),
      },
    },
    budget: {
      ...(tokens !== undefined && { tokens }),
      ...(minutes !== undefined && { minutes }),
      ...(cost !== undefined && { cost }),
    },
    obeys: random.weighted([
      [6, "at once"],
      [2, "late"],
      [1, "never"],
    ] as const),
  };
}

const ANSWERS_IN_A_TURN = 40;

class BrakeWorld {
  private readonly random: Random;
  private readonly setup: BrakeSetup;
  private world: FakeWorld;
  private turns = 0;
  private ended = 0;
  private tokens = 0;
  private activeMs = 0;
  private died = false;
  private hadOneMore = false;
  private readonly aborted: string[] = [];

  constructor(random: Random, setup: BrakeSetup) {
    this.random = random;
    this.setup = setup;
    const { limits, budget } = setup;
    this.world = createFakeWorld({ kind: "terminal", limits, birth: { budget } });
  }

  get isOver(): boolean {
    return this.world.run.status !== "live";
  }

  get told(): Told {
    const { tokens, aborted, died, activeMs } = this;
    return { tokens, aborted, died, activeMs };
  }

  log(): readonly Envelope[] {
    return this.world.store.log.read("run-1", 0).events;
  }

  async begin(): Promise<void> {
    await this.world.tell({
      type: "todos.write",
      write: { mode: "replace", todos: [{ text: "a" }, { text: "b" }, { text: "c" }] },
      by: "model",
    });
  }

  /** A turn from its beginning to its end, or to the death of its process. */
  async turn(): Promise<void> {
    const { random, world } = this;
    const turn = `t${++this.turns}`;
    await world.tell({ type: "human.spoke" });
    await world.tell({ type: "turn.started", turn, cause: "human" });
    this.ended = world.host.ends.length;
    this.hadOneMore = false;
    const model = random.pick(["repeats", "alternates", "reads", "mixes"] as const);
    for (let answer = 0; answer < ANSWERS_IN_A_TURN; answer++) {
      if (!(await this.answer(turn))) return;
      const calls = random.chance(0.04) ? 0 : 1 + random.below(2);
      const usage = { ...used(100 + random.below(900)), cost: random.next() };
      this.tokens += usage.input;
      await world.tell({ type: "answer.seen", turn, calls, usage });
      if (calls === 0) return this.end(turn, "completed");
      for (let call = 0; call < calls; call++)
        if (!(await this.call(turn, model, answer, this.mustEnd() && this.setup.obeys === "at once"))) return;
      if (this.mustEnd() && this.setup.obeys === "at once")
        return this.end(turn, random.pick(["aborted", "completed"]));
      if (await this.person(turn)) return;
    }
    return this.end(turn, "completed");
  }

  /** The model is silent, streams, and comes to an answer; false: it was cut, or its process died. */
  private async answer(turn: string): Promise<boolean> {
    const { random, world, setup } = this;
    const late = this.mustEnd() && setup.obeys === "late";
    let grown = 0;
    const pauses = random.weighted([
      [10, 1],
      [2, 5],
      [1, 40],
    ] as const);
    for (let pause = 0; pause < pauses; pause++) {
      await this.pass(random.pick([100, 1_000, 20_000, 40_000]));
      if (random.chance(0.005)) return this.die(turn, grown);
      if (this.mustEnd() && !late && setup.obeys !== "never") return this.cut(turn, grown);
      if (pauses === 1) continue;
      grown += random.below(500);
      await world.tell({ type: "answer.growing", turn, usage: used(grown) });
      if (this.mustEnd() && !late && setup.obeys !== "never") return this.cut(turn, grown);
    }
    if (late && this.hadOneMore) return this.cut(turn, grown);
    this.hadOneMore = late;
    return true;
  }

  private async cut(turn: string, grown: number): Promise<false> {
    const estimate = grown + this.random.below(100);
    this.tokens += estimate;
    await this.world.tell({ type: "answer.seen", turn, cut: true, estimated: true, usage: used(estimate) });
    await this.end(turn, this.random.pick(["aborted", "failed"]));
    return false;
  }

  private async call(turn: string, model: string, at: number, isRefused: boolean): Promise<boolean> {
    const { random, world } = this;
    if (!isRefused) {
      if (random.chance(0.05)) await this.ask();
      await this.pass(random.pick([0, 50, 3_000, 90_000]));
      if (random.chance(0.005)) return this.die(turn, 0);
      if (random.chance(0.1)) world.workspace.state = `files ${random.below(1000)}`;
    }
    const digest = isRefused
      ? "refused"
      : { repeats: "same", alternates: `c${at % 2}`, reads: `new ${turn} ${at}`, mixes: `m${random.below(4)}` }[model]!;
    await world.tell({ type: "call.seen", turn, digest, tool: "read", ...(isRefused && { own: true }) });
    return true;
  }

  /** What you do meanwhile; true: the turn is over. */
  private async person(turn: string): Promise<boolean> {
    const { random, world } = this;
    const deed = random.weighted([
      [60, "nothing"],
      [2, "hold"],
      [1, "hold now"],
      [1, "unhold"],
      [1, "extend"],
      [1, "abort"],
      [2, "complete"],
    ] as const);
    switch (deed) {
      case "hold":
      case "hold now":
        await world.tell({ type: "human.hold", now: deed === "hold now" });
        break;
      case "unhold":
        await world.tell({ type: "human.unhold" });
        break;
      case "extend":
        await world.tell({ type: "human.extend", budget: { tokens: 2_000, minutes: 1 } });
        break;
      case "complete":
        await world.tell({ type: "todos.human_edit", edit: { action: "done", indices: [0] } });
        break;
      case "abort":
        this.aborted.push(turn);
        await this.end(turn, "aborted");
        return true;
    }
    if (!this.mustEnd() || this.setup.obeys !== "at once") return false;
    await this.end(turn, "aborted");
    return true;
  }

  private async ask(): Promise<void> {
    await this.world.tell({ type: "question.opened", id: "q" });
    await this.world.clock.advance(this.random.pick([1_000, 600_000]));
    await this.world.tell({ type: "question.closed", id: "q" });
  }

  private async end(turn: string, outcome: "completed" | "aborted" | "failed"): Promise<void> {
    const failure = { kind: "other", message: "aborted" } as const;
    await this.world.tell({ type: "turn.ended", turn, outcome, ...(outcome === "failed" && { failure }) });
  }

  /** kill -9: another process takes the run over. */
  private async die(_turn: string, grown: number): Promise<false> {
    this.died = true;
    this.tokens += Math.min(grown, this.world.run.ledger.turn?.pace.growing?.input ?? 0);
    this.world.engine.dispose();
    this.world = this.world.another({ driver: `driver ${this.turns}` });
    this.world.engine.open("s", { goOn: true });
    return false;
  }

  private async pass(ms: number): Promise<void> {
    this.activeMs += ms;
    await this.world.clock.advance(ms);
  }

  private mustEnd(): boolean {
    return this.world.host.ends.length > this.ended;
  }
}

const used = (input: number): Usage => ({ input, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 });
