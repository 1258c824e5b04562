// A world around the real scheduler: tools that obey and tools that do not, a user who answers or not, a journal that fails,
// a process that dies. Everything follows from one seed.
import {
  type CallEvent,
  type CallRequest,
  type Claim,
  loadPolicy,
  MODES,
  recover,
  type SettledCall,
} from "../../src/core/call/index.ts";
import type { Clock } from "../../src/engine/index.ts";
import {
  createScheduler,
  type Journal,
  type Scheduler,
  type Tool,
  TransientError,
  toolBox,
} from "../../src/scheduler/index.ts";
import { createFakeClock } from "../../src/testing/index.ts";
import { createRandom, type Random } from "./random.ts";
import { createJudge, type Judge, type Manner } from "./scheduler-judge.ts";

const LIMITS = { graceMs: 250, lateMs: 2_000, approvalMs: 5_000, journalMs: 400, printEveryMs: 50, burst: 3 } as const;
const PATHS = ["/repo/a", "/repo/a/b", "/repo/a/b/c", "/repo/d", "/repo/e/f", "/repo"] as const;

/** How a tool behaves once it runs. */
const BEHAVIOURS = [
  "returns at once",
  "returns later",
  "throws",
  "fails in passing once",
  "fails in passing always",
  "obeys its signal",
  "ignores its signal",
  "never returns",
  "asks in between",
  "prints and asks",
] as const;
type Behaviour = (typeof BEHAVIOURS)[number];

interface Args {
  readonly behaviour: Behaviour;
  readonly claims: readonly Claim[];
  readonly ms: number;
}

const KINDS = { look: "read", change: "edit", alone: "read", ours: "own", fetch: "fetch" } as const;
type ToolName = keyof typeof KINDS;

export async function playScheduler(seed: number): Promise<readonly string[]> {
  const random = createRandom(seed);
  const world = new World(random);
  const steps = 5 + random.below(40);
  for (let step = 0; step < steps && world.broken.length === 0; step++) await world.act();
  await world.end();
  return world.broken;
}

class World {
  readonly broken: string[] = [];
  private readonly random: Random;
  private readonly clock = createFakeClock(1_000);
  private readonly slots: number;
  private readonly requests: CallRequest[] = [];
  private readonly signals: AbortController[] = [];
  private log: CallEvent[] = [];
  private life!: Life;
  private isHeld = false;
  private journalMode: "taken" | "taken later" | "refused" | "hanging" = "taken";

  constructor(random: Random) {
    this.random = random;
    this.slots = 1 + random.below(4);
    this.begin([]);
  }

  private begin(cutOff: readonly string[]): void {
    const manner = (tool: string): Manner | undefined =>
      tool in KINDS
        ? {
            claims: (args) => (args as Args).claims,
            exclusive: tool === "alone",
            writes: (args) => tool === "change" || (args as Args).claims.some(({ access }) => access === "write"),
            isOwn: tool === "ours",
          }
        : undefined;
    const judge = createJudge({ now: this.clock.now, slots: this.slots, ...LIMITS, manner });
    const life: Life = { judge, isDead: false, timers: 0, open: 0, isJournalWhole: true, scheduler: undefined! };
    judge.hold(this.isHeld);
    const load = loadPolicy({ root: "/repo", mode: this.random.pick(["ask", "yolo", "auto-edit"]) });
    if (!load.ok) throw new Error("no policy");
    life.scheduler = createScheduler({
      tools: toolBox((Object.keys(KINDS) as ToolName[]).map((name) => this.tool(name, life))),
      clock: clockOf(this.clock, life),
      policy: load.policy,
      journal: this.journal(life),
      canAsk: () => true,
      isHeld: () => this.isHeld,
      limits: { ...LIMITS, slots: this.slots },
      cutOff,
    });
    life.scheduler.observe((update) => {
      if (!life.isDead) judge.update(update);
    });
    if (this.random.chance(0.2))
      life.scheduler.observe(() => {
        throw new Error("an observer's own mistake");
      });
    if (this.random.chance(0.3)) this.answerAtOnce(life);
    this.life = life;
  }

  /** Someone who answers in the very moment of being told. */
  private answerAtOnce(life: Life): void {
    const { random } = this;
    life.scheduler.observe((update) => {
      if (update.type !== "call.entered" || update.call.status !== "awaiting_approval" || !random.chance(0.5)) return;
      const { id } = update.call.request;
      if (random.chance(0.6)) life.scheduler.approve(id);
      else this.deny(id);
    });
  }

  private deny(id: string): void {
    const { scheduler, judge } = this.life;
    const rest = this.random.chance(0.2) ? "stops" : "goes_on";
    if (scheduler.deny(id, { words: this.random.pick(["", "no"]), rest }).ok) judge.denied(id);
  }

  private journal(life: Life): Journal {
    return {
      append: (events) => {
        if (life.isDead) return;
        const take = () => {
          if (life.isDead) return;
          this.log.push(...events);
          life.judge.journal(events);
        };
        switch (this.journalMode) {
          case "taken":
            return take();
          case "taken later":
            return this.later(this.random.below(100)).then(take);
          case "refused":
            life.isJournalWhole = false;
            throw new Error("the disk is full");
          case "hanging":
            life.isJournalWhole = false;
            return new Promise(() => {});
        }
      },
    };
  }

  private later(ms: number): Promise<void> {
    return new Promise((resolve) => this.clock.setTimer(this.clock.now() + ms, resolve));
  }

  private tool(name: ToolName, life: Life): Tool<Args> {
    return {
      name,
      kind: KINDS[name],
      exclusive: name === "alone",
      claims: ({ claims }) => claims,
      run: ({ behaviour, ms }, call) => {
        if (life.isDead) return new Promise(() => {});
        const work = life.judge.began(call.id, call.attempt);
        const over = <T>(value: T): T => {
          life.judge.returned(work);
          return value;
        };
        const fail = (error: Error): never => {
          life.judge.returned(work);
          throw error;
        };
        const ask = () => {
          life.judge.asked(call.id);
          return call.ask({ what: "more", because: "it must" });
        };
        switch (behaviour) {
          case "returns at once":
            return over("ok");
          case "returns later":
          case "ignores its signal":
            return this.later(ms).then(() => over("ok"));
          case "throws":
            return fail(new Error("broken"));
          case "fails in passing once":
            return call.attempt === 1 ? fail(new TransientError("busy")) : over("ok");
          case "fails in passing always":
            return fail(new TransientError("busy"));
          case "obeys its signal": {
            const { signal } = call;
            return new Promise((resolve, reject) => {
              const stop = () => reject(signal.reason);
              if (signal.aborted) stop();
              else signal.addEventListener("abort", stop, { once: true });
              void this.later(ms).then(() => resolve("ok"));
            }).finally(() => over(undefined));
          }
          case "never returns":
            return new Promise(() => {});
          case "prints and asks":
            for (let i = 0; i < 20; i++) call.print(`line ${i}\n`.repeat(this.random.below(30)));
            return ask().finally(() => over(undefined));
          case "asks in between":
            return this.later(ms)
              .then(ask)
              .finally(() => over(undefined));
        }
      },
    };
  }

  async act(): Promise<void> {
    const { random, life } = this;
    const action = random.weighted<() => void | Promise<void>>([
      [8, () => this.schedule()],
      [8, () => this.clock.advance(random.pick([0, 1, 20, 100, 250, 400, 1_000, 3_000, 6_000]))],
      [8, () => this.answer()],
      [2, () => this.cancel()],
      [1, () => this.cancelAll()],
      [1, () => random.pick(this.signals)?.abort()],
      [1, () => life.scheduler.setMode(random.pick(MODES))],
      [1, () => this.hold(!this.isHeld)],
      [1, () => this.setJournal(random.pick(["taken", "taken later", "refused", "hanging"] as const))],
      [3, () => this.setJournal("taken")],
      [0.5, () => this.crash()],
    ]);
    await action();
    if (random.chance(0.5)) await this.clock.settle();
    this.broken.push(...life.judge.broken);
  }

  private setJournal(mode: World["journalMode"]): void {
    this.journalMode = mode;
  }

  private hold(held: boolean): void {
    this.isHeld = held;
    this.life.judge.hold(held);
  }

  private schedule(): void {
    const { random, life } = this;
    const batch = Array.from({ length: 1 + random.below(6) }, () => this.request());
    const signal = random.chance(0.3) ? this.signal().signal : undefined;
    this.requests.push(...batch);
    const { scheduler, judge } = life;
    life.open++;
    void scheduler.schedule(batch, signal).then((results: readonly SettledCall[]) => {
      life.open--;
      if (!life.isDead) judge.results(batch, results);
    });
  }

  private request(): CallRequest {
    const { random } = this;
    const repeated = random.chance(0.05) ? random.pick(this.requests) : undefined;
    const id = repeated?.id ?? `c${this.requests.length}.${random.below(1_000_000)}`;
    const needs = random.chance(0.25) && this.requests.length > 0 ? [random.pick(this.requests).id] : [];
    const args: Args = {
      behaviour: random.pick(BEHAVIOURS),
      claims: Array.from({ length: random.below(3) }, () => ({
        path: random.pick(PATHS),
        access: random.pick(["read", "write"] as const),
      })),
      ms: random.pick([0, 1, 10, 100, 300, 5_000]),
    };
    return {
      id,
      tool: random.weighted<string>([
        [5, "look"],
        [4, "change"],
        [1, "alone"],
        [1, "ours"],
        [1, "fetch"],
        [0.3, "no such tool"],
      ]),
      args,
      ...(needs.length > 0 && { needs: random.chance(0.05) ? [id] : needs }),
      ...(random.chance(0.4) && { priority: random.pick(["high", "low"] as const) }),
      ...(random.chance(0.3) && { deadlineMs: random.pick([1, 50, 200, 1_000]) }),
      ...(random.chance(0.1) && { by: "human" as const }),
    };
  }

  private signal(): AbortController {
    if (this.signals.length === 0 || this.random.chance(0.5)) this.signals.push(new AbortController());
    return this.random.pick(this.signals);
  }

  private answer(): void {
    const { random, life } = this;
    const approvals = life.scheduler.snapshot().approvals;
    if (approvals.length === 0) return;
    const { call } = random.pick(approvals);
    const { scheduler } = life;
    random.weighted<() => unknown>([
      [5, () => scheduler.approve(call)],
      [1, () => scheduler.approve(call, { type: "always_tool" })],
      [1, () => scheduler.approve(call, { type: "always_rule" })],
      [1, () => scheduler.approve(call, { type: "edited", args: this.request().args })],
      [2, () => this.deny(call)],
      [1, () => this.elsewhere(call)],
      [1, () => scheduler.approve("nobody")],
    ])();
  }

  /** Another process put its answer into the log first. */
  private elsewhere(call: string): void {
    const outcome = this.random.pick(["once", "denied", "always_tool"] as const);
    this.log.push({ type: "approval.answered", call, outcome, words: "" });
    if (outcome === "denied") this.life.judge.denied(call);
    this.life.scheduler.learn({ call, outcome, words: "" });
  }

  private cancel(): void {
    const call = this.random.pick(this.requests);
    if (call === undefined) return;
    this.life.judge.cancelled([call.id]);
    this.life.scheduler.cancel({ call: call.id });
  }

  private cancelAll(): void {
    this.life.judge.cancelled();
    this.life.scheduler.cancel("all");
  }

  /** The process dies: what it wrote stays, everything else is gone. */
  private crash(): void {
    this.life.isDead = true;
    const { calls } = recover(this.log);
    const cutOff = calls.map(({ call }) => call);
    for (const id of recover(this.log).approvals.map(({ call }) => call))
      this.log.push({ type: "approval.answered", call: id, outcome: "withdrawn", words: "" });
    for (const { call, tool } of calls)
      this.log.push({
        type: "call.settled",
        call,
        tool,
        status: "cancelled",
        code: "disposed",
        effect: "unknown",
        digest: "",
      });
    this.begin(cutOff);
  }

  /** Everything comes to an end: the user lets go, the journal works, the scheduler is closed. */
  async end(): Promise<void> {
    const { life } = this;
    this.hold(false);
    this.setJournal("taken");
    if (this.random.chance(0.5)) await this.clock.advance(10_000);
    life.judge.cancelled();
    let isDisposed = false;
    void life.scheduler.dispose().then(() => {
      isDisposed = true;
    });
    await this.clock.advance(LIMITS.graceMs);
    await this.clock.advance(LIMITS.journalMs + LIMITS.graceMs);
    life.judge.end(life.isJournalWhole);
    this.broken.push(...life.judge.broken);
    if (!isDisposed) this.broken.push("dispose did not end");
    if (life.open > 0) this.broken.push(`${life.open} batches were never answered`);
    await this.clock.advance(LIMITS.lateMs);
    if (life.timers > 0) this.broken.push(`${life.timers} timers are left`);
    const { calls, approvals } = life.scheduler.snapshot();
    if (calls.length + approvals.length > 0) this.broken.push("the snapshot is not empty at the end");
  }
}

/** One process. */
interface Life {
  readonly judge: Judge;
  scheduler: Scheduler;
  isDead: boolean;
  /** Timers of the scheduler alone. */
  timers: number;
  open: number;
  isJournalWhole: boolean;
}

function clockOf(clock: Clock, life: Life): Clock {
  return {
    now: () => clock.now(),
    setTimer(at, fire) {
      life.timers++;
      let isOver = false;
      const over = () => {
        if (isOver) return false;
        isOver = true;
        life.timers--;
        return true;
      };
      const timer = clock.setTimer(at, () => {
        if (over() && !life.isDead) fire();
      });
      return {
        cancel() {
          over();
          timer.cancel();
        },
      };
    },
  };
}
