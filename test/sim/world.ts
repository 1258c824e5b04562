import { firstKey } from "../../src/core/continuation/index.ts";
import type { HostFact, Nudge, Trigger } from "../../src/core/react/index.ts";
import {
  type FirstResult,
  type Plan,
  type QueuedWords,
  type Receipt,
  UNCHANGED,
  wordsWithPrompt,
} from "../../src/core/run/index.ts";
import type {
  CheckpointRequest,
  CheckpointResult,
  CheckRound,
  Checks,
  Host,
  Settled,
  Store,
} from "../../src/engine/index.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/fake-clock.ts";
import type { CheckMode, NudgeMode, PortMode, PortName, RecheckMode, Told, WordsMode } from "./action.ts";
import { type Audit, createAudit } from "./audit.ts";
import type { Disk } from "./disk.ts";
import { endOfWait, type Facts } from "./facts.ts";
import { broken, type Violation } from "./judge-event.ts";
import { judgeNudgeText } from "./judge-text.ts";
import { lineOf } from "./line-of.ts";
import { Death, type Machine, type Process, startProcess } from "./process.ts";
import { PROFILES, type Profile, startsLater } from "./profile.ts";
import type { Setup } from "./setup.ts";

/** What is really going on, as opposed to what was told: a host, an agent, a disk, a clock, and processes. */
export class World {
  readonly setup: Setup;
  readonly profile: Profile;
  readonly hostName: string;
  readonly clock: FakeClock = createFakeClock(BEGINNING);
  readonly audit: Audit;
  readonly disk: Disk;
  readonly processes: Process[] = [];
  /** Whether the newest process may start turns by itself. */
  mayGoOn = true;
  /** The process in which the session lives; hooks have none. */
  main: Process | undefined;
  session = "s1";
  readonly sessions = new Set(["s1"]);
  violation: Violation | undefined;

  turn: Turn | undefined;
  /** You typed, and the host waits for the hook of your prompt: the turn begins with its answer, or when it is dead. */
  prompted: { readonly turn: Turn; readonly hook: Process; isAnswered: boolean } | undefined;
  /** Nudges that the host took while the agent was at work. */
  waitingNudges: Nudge[] = [];
  private readonly promptsTold = new Set<string>();
  nudgeMode: NudgeMode = "taken";
  wordsMode: WordsMode = "taken";
  checkMode: CheckMode = "pass";
  recheckMode: RecheckMode = "truth";
  ports = everyPort("well");
  /** The host was asked and has not answered, or never will. */
  hasUnanswered = false;
  storeFailures = 0;
  foldsFail = false;
  screenWorks = true;
  /** After so many writes the process that writes dies. */
  diesAfterWrites = 0;
  /** The next hook that has something to say dies, before or after it is said. */
  hookDies: "before" | "after" | undefined;
  /** A process died in the middle of this step: the next one opens the disk anew. */
  mustReopen = false;
  /** A turn ended in a way that this host does not see: the log believes in it until the next prompt. */
  endUnseen = false;
  /** The disk failed: whatever was to be written then is tried again a little later. */
  diskFailed = false;
  /** The disk failed while an event was told: the log does not have it. */
  lostEvents = false;
  /** The beginning of a turn is among them. */
  lostBeginning = false;
  /** When a process that drives nothing appended last: the one that drives looks a little later. */
  spokenElsewhereAt = Number.NEGATIVE_INFINITY;
  timersFired = 0;
  writes = 0;
  slowNudges: Slow[] = [];
  slowWords: Slow[] = [];
  slowChecks: Slow[] = [];
  slowRechecks: Slow[] = [];
  slowPorts: (Slow & { readonly port: PortName })[] = [];
  readonly questions: string[] = [];
  readonly approvals: string[] = [];
  readonly endsTold = new Set<string>();
  /** Told later. */
  late: Event[] = [];
  /** Told already: what a host may say again. */
  past: Event[] = [];
  /** Boundaries that are being held open for an answer. */
  readonly held = new Set<{ readonly process: Process; readonly session: string }>();
  readonly wordsSeen = new Map<string, number>();
  /** Messages that hooks find in the host's transcript: what it was answered and took. */
  private readonly transcript = new Set<string>();
  /** Nudges in the session's transcript, the newest last. */
  nudgesTaken: { readonly run: string; readonly session: string; readonly nudge: Nudge }[] = [];

  /** Lists and workflows as they once were, in the session's tree. */
  plans: Plan[] = [];

  private counts = { turns: 0, calls: 0, states: 1, runs: 0, processes: 0 };
  private workspace = "w1";

  constructor(setup: Setup, disk: Disk) {
    this.setup = setup;
    const profile: Profile = PROFILES[setup.host];
    const { capabilities } = profile;
    this.profile = {
      ...profile,
      capabilities: { ...capabilities, sees: { ...capabilities.sees, ...setup.sees } },
    };
    this.hostName = setup.host;
    this.disk = disk;
    this.audit = createAudit(setup.limits);
  }

  get store(): Store {
    return this.disk.store;
  }

  /** The run that the session is bound to, as the log tells it. */
  get facts(): Facts | undefined {
    return this.factsOf(this.session);
  }

  private factsOf(session: string): Facts | undefined {
    const card = this.store.runs.find(this.hostName, session);
    return card && this.audit.facts(card.run);
  }

  private get boundRun(): string | undefined {
    return this.store.runs.find(this.hostName, this.session)?.run;
  }

  count(what: keyof World["counts"]): number {
    this.counts[what]++;
    return this.counts[what];
  }

  blame(violation: Violation | undefined): void {
    this.violation ??= violation;
  }

  rememberPlan(): void {
    const plan = this.main?.engine.run(this.session)?.plan;
    if (plan && plan !== this.plans.at(-1)) this.plans = [...this.plans.slice(-5), plan];
  }

  // ---- what the host tells

  /** Tells an event to the engine of this session. Events with nothing to tell them apart come once and in order. */
  tell(trigger: Trigger, told: Told = "once", turn?: Turn): void {
    const event: Event = { session: this.session, trigger, ...(turn && { turn }) };
    if (told === "late") {
      this.late.push(event);
      return;
    }
    this.past = [...this.past.slice(-20), event];
    this.route(event);
    if (told === "twice") this.route(event);
  }

  route({ session, trigger: told, turn }: Event): void {
    const trigger = this.withTranscript(told);
    const process = this.profile.process === "hook" ? this.start(`hook ${session}`) : this.main;
    if (!process?.isAlive()) return;
    const isEnd = trigger.type === "turn.ended" && this.profile.capabilities.boundary !== "none";
    const answered = isEnd ? this.holdOpen(process, session, trigger) : process.engine.tell(session, trigger);
    const prompted = turn && { turn, hook: process, isAnswered: false };
    if (prompted && !this.promptsTold.has(prompted.turn.id)) this.prompted = prompted; // no echo begins it again
    if (prompted) this.promptsTold.add(prompted.turn.id);
    const over = prompted ? answered.then(() => this.carry(process, session)) : answered;
    over.then(
      () => {
        if (prompted) prompted.isAnswered = true;
        this.leave(process);
      },
      (error: unknown) => {
        if (prompted) prompted.isAnswered = true; // the host goes on without us
        this.leave(process);
        if (error instanceof Death) return;
        if (!(error instanceof StoreFailure)) return this.escaped("an answer", error);
        this.lostEvents = true;
        this.lostBeginning ||= trigger.type === "turn.started";
      },
    );
  }

  private async holdOpen(process: Process, session: string, end: Trigger & { type: "turn.ended" }): Promise<void> {
    const entry = { process, session };
    let taken: readonly QueuedWords[] = [];
    this.held.add(entry);
    try {
      const settled = await process.engine.settle(session, end);
      if (!process.isAlive() || this.diesNow("before", process, settled.type !== "settled")) return;
      if (settled.type === "nudge" && session === this.session) this.take(settled.nudge);
      if (this.profile.process === "hook") await this.answer(process, session, settled);
      else if (settled.type === "words") taken = settled.words;
    } finally {
      this.held.delete(entry);
    }
    if (taken.length > 0) await this.tellWords(taken, session, process);
  }

  /** A hook prints its answer, and only then says what went out with it. */
  private async answer(process: Process, session: string, settled: Settled): Promise<void> {
    if (settled.type === "words") this.hear(settled.words, session, process);
    if (this.diesNow("after", process, settled.type !== "settled")) return;
    if (settled.type === "words")
      await process.engine.tell(session, { type: "words.delivered", ids: settled.words.map(({ id }) => id) });
    if (settled.type === "nudge")
      await process.engine.tell(session, { type: "nudge.delivered", nudge: settled.nudge.id });
  }

  /** A host that stays takes them like others, and says what became of them. */
  private async tellWords(words: readonly QueuedWords[], session: string, process: Process): Promise<void> {
    const ids = words.map(({ id }) => id);
    const outcome = await this.deliver(session, words, process).then(
      () => ({ type: "words.delivered", ids }) as const,
      (error: unknown) => ({ type: "words.failed", ids, message: String(error) }) as const,
    );
    if (process.isAlive()) await process.engine.tell(session, outcome);
  }

  /** With your prompt, the hook says what is queued. */
  private async carry(process: Process, session: string): Promise<void> {
    const run = process.engine.run(session);
    const words = run?.status === "live" ? wordsWithPrompt(run, "human") : [];
    const ids = words.map(({ id }) => id);
    if (ids.length === 0 || !process.isAlive()) return;
    const reply = await process.engine.tell(session, { type: "words.send", ids });
    if (reply.type !== "done" || !process.isAlive() || this.diesNow("before", process, true)) return;
    this.hear(words, session, process);
    if (this.diesNow("after", process, true)) return;
    await process.engine.tell(session, { type: "words.delivered", ids });
  }

  private diesNow(when: "before" | "after", process: Process, isAnswer: boolean): boolean {
    if (this.profile.process !== "hook" || this.hookDies !== when || !isAnswer) return false;
    this.hookDies = undefined;
    process.kill();
    return true;
  }

  /** A hook process ends when it has answered. What it started may still report, within the same instant. */
  private leave(process: Process): void {
    if (this.profile.process !== "hook") return;
    setImmediate(() => {
      if (process.isAlive()) process.engine.dispose();
      process.kill();
    });
  }

  // ---- what the host does

  begin(cause: "human" | "nudge" | "host", told: Told = "once", nudge?: Nudge): void {
    const turn = { id: `t${this.count("turns")}`, cause };
    const isPrompt = cause === "human" && this.profile.process === "hook";
    if (!isPrompt) this.turn = turn;
    if (!this.profile.announcesTurns && cause !== "human") return;
    const says = cause === "human" || this.profile.turnIds ? { cause } : {};
    const began = cause === "nudge" && this.profile.turnIds ? { nudge: this.nameOf(nudge) } : {};
    this.tell({ type: "turn.started", turn: turn.id, ...says, ...began }, told, isPrompt ? turn : undefined);
  }

  /** The host waits no longer for the hook of your prompt. */
  beginPrompted(): void {
    if (!this.prompted?.isAnswered && this.prompted?.hook.isAlive() !== false) return;
    this.turn ??= this.prompted.turn;
    this.prompted = undefined;
  }

  /** You type again: the hooks that the host still waits for are given up. */
  giveUpHooks(): void {
    for (const { process } of this.held) process.kill();
    this.prompted?.hook.kill();
    this.prompted = undefined;
  }

  /** A nudge of a run that is over has no name in the run that is there now. */
  private nameOf(nudge: Nudge | undefined): string {
    const taken = this.nudgesTaken.find((each) => each.nudge === nudge);
    return taken && taken.run === this.facts?.run ? taken.nudge.id : "";
  }

  /** A hook looks there for messages whose process never said what became of them. Some hosts keep none: nothing is known then. */
  private withTranscript(trigger: Trigger): Trigger {
    if (this.profile.process !== "hook" || this.setup.keepsTranscript === false) return trigger;
    if (trigger.type !== "turn.started" && trigger.type !== "turn.ended") return trigger;
    const told = trigger.type === "turn.started" ? (trigger.words ?? []) : [];
    return { ...trigger, words: [...told, ...this.transcript] };
  }

  /** The host takes a nudge: it stands in the transcript, and a turn begins with it as soon as the agent is free. */
  take(nudge: Nudge, run = this.boundRun ?? ""): void {
    const before = this.nudgesTaken.find(
      (taken) => taken.run === run && taken.session === this.session && taken.nudge.boundary === nudge.boundary,
    );
    if (before) this.blame(broken("2 one nudge", `${nudge.id} after ${before.nudge.id}: two nudges reached the agent`));
    this.nudgesTaken.push({ run, session: this.session, nudge });
    this.blame(judgeNudgeText(nudge.text));
    if (this.turn) this.waitingNudges.push(nudge);
    else this.begin("nudge", "once", nudge);
  }

  private readonly host: Machine["host"] = (() => {
    const world = this;
    return {
      get name() {
        return world.hostName;
      },
      get capabilities() {
        return world.profile.capabilities;
      },
      show: () => {
        if (!world.screenWorks) throw new Error("the screen is gone");
      },
      endTurn: () => {
        if (!world.screenWorks) throw new Error("the screen is gone");
      },
    };
  })();

  /** How the session stands right now, as far as the host says. */
  private recheck(session: string): ReturnType<NonNullable<Host["recheck"]>> {
    if (session !== this.session) return Promise.resolve({ status: "ready", facts: [] });
    this.hasUnanswered = false;
    const truth = () => (this.turn || this.recheckMode === "busy" ? BUSY : { status: "ready" as const, facts: [] });
    const changed = (fact: HostFact) => (this.turn ? BUSY : { status: "ready" as const, facts: [fact] });
    switch (this.recheckMode) {
      case "truth":
        return Promise.resolve(truth());
      case "busy":
        return Promise.resolve(BUSY);
      case "fails":
        return Promise.reject(new Error("the host could not be asked"));
      case "silent":
        this.hasUnanswered = true;
        return new Promise(() => {});
      case "slow":
        this.hasUnanswered = true;
        return new Promise((resolve, reject) => {
          this.slowRechecks.push({
            finish: (well) => (well ? resolve(truth()) : reject(new Error("the host could not be asked"))),
          });
        });
      case "read-only":
        return Promise.resolve(changed({ type: "mode.changed", readOnly: true }));
      case "awaits agents":
        return Promise.resolve(changed({ type: "background.changed", agents: 1, awaited: 0 }));
      case "interrupted":
        return Promise.resolve(changed({ type: "human.interrupt", how: "abort" }));
    }
  }

  /** Whatever stands in the log, from whichever process: what leaves after your word breaks it. */
  private judgeLeaving(what: string, session: string): void {
    this.blame(this.audit.read(this.store));
    const facts = this.factsOf(session);
    if (facts?.ended !== undefined) this.blame(broken("1 the run is over", `${what} left after its end`));
    if (facts?.held) this.blame(broken("1 held", `${what} left after you put the run on hold`));
    if (facts?.off) this.blame(broken("1 switched off", `${what} left after you switched it off`));
  }

  private nudge(session: string, nudge: Nudge, driver: string): Promise<void> {
    const isPlayed = session === this.session; // in the one before, an agent that is not played may still have work of its own
    if (isPlayed && this.profile.rechecks && (this.turn || this.recheckMode === "busy"))
      this.blame(broken("1 busy", `${nudge.id} went to a session that works`));
    if (!startsLater(this.profile))
      this.blame(broken("4 who carries it out", "a nudge to a host that cannot start turns"));
    this.judgeLeaving(`${nudge.id}`, session);
    const { session: home } = this.factsOf(session) ?? {};
    if (home !== session) this.blame(broken("2 one driver", `a nudge to ${session}, but the run lives in ${home}`));
    if (!isPlayed) return Promise.resolve();
    switch (this.nudgeMode) {
      case "taken":
        this.take(nudge);
        return Promise.resolve();
      case "announced first":
        this.take(nudge);
        return new Promise((done) => setImmediate(done));
      case "refused":
        return Promise.reject(new Error("the host refused the nudge"));
      case "slow": {
        const run = this.facts?.run;
        return new Promise((resolve, reject) => {
          this.slowNudges.push({
            finish: (well) => {
              // Another process or session has the run meanwhile, and its agent is another one.
              const isGone = this.facts?.driver !== driver || this.session !== session;
              if (!well || isGone) return reject(new Error("the host lost the nudge"));
              this.take(nudge, run); // which may be over, and another one has begun
              resolve();
            },
          });
        });
      }
    }
  }

  private deliver(session: string, words: readonly QueuedWords[], process: Process): Promise<void> {
    if (this.profile.process === "hook") return Promise.reject(new Error("a hook says words only in its answer"));
    this.judgeLeaving(words.map(({ id }) => id).join(", "), session);
    switch (this.wordsMode) {
      case "refused":
        return Promise.reject(new Error("the host refused the words"));
      case "taken":
        this.hear(words, session, process);
        return Promise.resolve();
      case "slow":
        return new Promise((resolve, reject) => {
          this.slowWords.push({
            finish: (well) => {
              const isGone = this.facts?.driver !== process.driver || this.session !== session;
              if (!well || isGone) return reject(new Error("the host lost the words"));
              this.hear(words, session, process);
              resolve();
            },
          });
        });
    }
  }

  /** The agent has them before its eyes, and a turn begins with them if none runs. */
  private hear(words: readonly QueuedWords[], session: string, process: Process): void {
    for (const { id } of words) {
      this.wordsSeen.set(id, (this.wordsSeen.get(id) ?? 0) + 1);
      this.transcript.add(id);
    }
    // With an agent of its own, which is not played.
    const isAnother = session !== this.session || (this.profile.process === "resident" && process !== this.main);
    if (this.turn || this.prompted || words.length === 0 || isAnother) return;
    this.turn = { id: `t${this.count("turns")}`, cause: "human" };
    const ids = this.profile.process === "hook" ? { words: words.map(({ id }) => id) } : {};
    if (this.profile.announcesTurns) this.tell({ type: "turn.started", turn: this.turn.id, cause: "human", ...ids });
  }

  private runChecks({ checks }: CheckRound, signal: AbortSignal): Promise<readonly Receipt[]> {
    const mode = this.checkMode;
    const receipts = (status: Receipt["status"]): readonly Receipt[] =>
      checks.map(({ owner, check }) => ({
        key: `${owner} ${lineOf(check.run)}`,
        owner,
        command: lineOf(check.run),
        status,
        durationMs: 5,
        workspace: this.workspace,
        digest: "d",
        tail: status === "passed" ? "" : "it broke\nNext action: give up",
        askedBy: check.by,
        suspect: mode === "suspect" && owner !== "run",
        ...(mode === "suspect" && { doubt: `a test was changed in ${this.workspace}` }),
        at: this.clock.now(),
      }));
    switch (mode) {
      case "pass":
      case "suspect":
        return Promise.resolve(receipts("passed"));
      case "change files":
        this.change("new");
        return Promise.resolve(receipts("passed"));
      case "fail":
        return Promise.resolve(receipts("failed"));
      case "throw":
        return Promise.reject(new Error("no shell"));
      case "slow":
        return new Promise((resolve) => {
          const slow: Slow = { finish: (well) => resolve(receipts(well ? "passed" : "timed_out")) };
          this.slowChecks.push(slow);
          signal.addEventListener("abort", () => {
            this.slowChecks = this.slowChecks.filter((other) => other !== slow);
            resolve(receipts("cut_short"));
          });
        });
    }
  }

  private port<T>(name: PortName, value: () => T, signal?: AbortSignal): Promise<T> {
    const answer = () => (signal?.aborted ? Promise.reject(new Error("cut short")) : Promise.resolve(value()));
    const fail = () => Promise.reject(new Error(`the machine failed: ${name}`));
    const mode = this.ports[name];
    if (mode === "well") return answer();
    if (mode === "fails") return fail();
    const { promise, resolve } = Promise.withResolvers<T>();
    const slow = { port: name, finish: (well: boolean) => resolve(well ? answer() : fail()) };
    this.slowPorts.push(slow);
    signal?.addEventListener("abort", () => {
      this.slowPorts = this.slowPorts.filter((other) => other !== slow);
      slow.finish(true);
    });
    return promise;
  }

  private tryFirst({ check }: FirstRequest, signal: AbortSignal): Promise<FirstResult | undefined> {
    const found = (): FirstResult => ({
      key: firstKey(check),
      command: lineOf(check.run),
      status: this.checkMode === "pass" ? "passed" : "failed",
      durationMs: 5,
      digest: "d",
      tail: "",
      proof: { where: "place", confined: false, command: lineOf(check.run) },
      decides: "place",
      at: this.clock.now(),
    });
    return this.port("first", found, signal);
  }

  private record({ id }: CheckpointRequest): Promise<CheckpointResult> {
    const tree = this.workspace;
    return this.port("checkpoint", () => ({
      status: "taken",
      checkpoint: { id, tree, facts: "f", changed: UNCHANGED, ms: 1 },
    }));
  }

  change(to: "new" | "old" | "same"): void {
    if (to === "new") this.workspace = `w${this.count("states")}`;
    if (to === "old") this.workspace = "w1";
  }

  // ---- processes

  start(driver: string): Process {
    const process = startProcess(this.equipped(), driver);
    for (const [index, other] of this.processes.entries()) if (!other.isAlive()) this.processes.splice(index, 1);
    this.processes.push(process);
    return process;
  }

  /** What this machine has, and others do not. */
  private equipped(): Machine {
    const { triesFirst, takesCheckpoints, isFarAway } = this.setup;
    const first = (request: FirstRequest, signal: AbortSignal) => this.tryFirst(request, signal);
    return {
      ...this.machine,
      ...(this.profile.rechecks && { recheck: (session: string) => this.recheck(session) }),
      ...(isFarAway && { barrier: () => this.port("barrier", () => {}) }),
      ...(triesFirst && { checks: { ...this.machine.checks, first } }),
      ...(takesCheckpoints && { checkpoints: { take: (request) => this.record(request) } }),
    };
  }

  /** A process of the host opens the session, as after a start. */
  open(goOn: boolean, how: "beside" | "instead" = "instead"): Process | undefined {
    const process = this.start(`process ${this.count("processes")}`);
    if (this.profile.process === "resident" && how === "instead") this.main = process;
    this.mayGoOn = goOn;
    const nudges = this.nudgesTaken.filter(({ run }) => run === this.facts?.run).map(({ nudge }) => nudge.id);
    const delivered = [...nudges, ...this.wordsSeen.keys()];
    try {
      process.engine.open(this.session, { goOn, delivered });
    } catch (error) {
      if (error instanceof Death) return undefined;
      if (!(error instanceof StoreFailure)) throw error;
      process.kill(); // a host that cannot open the log goes on without us
      if (this.main === process) this.main = undefined;
      return undefined;
    }
    return process;
  }

  killAll(): void {
    for (const process of this.processes) process.kill();
    this.processes.length = 0;
    this.main = undefined;
    this.held.clear();
    this.slowNudges = [];
    this.slowWords = [];
    this.slowChecks = [];
    this.slowRechecks = [];
    this.slowPorts = [];
    this.waitingNudges = [];
  }

  /** The agent of a resident host dies with it; a hook dies under an agent that lives on, and what it was told may be lost. */
  died(): void {
    this.mustReopen = true;
    if (this.profile.process === "hook") {
      this.lostEvents = true;
      return;
    }
    this.killAll();
    this.turn = undefined;
    this.late = [];
    this.past = [];
  }

  private readonly machine: Machine = {
    clock: this.clock,
    host: this.host,
    nudge: (session, nudge, driver) => this.nudge(session, nudge, driver),
    deliver: (session, words, process) => this.deliver(session, words, process),
    checks: {
      run: (round, signal) => this.runChecks(round, signal),
      guard: () => this.port("guard", () => this.workspace), // what is protected is all there is
    },
    workspace: { observe: () => this.port("look", () => this.workspace) },
    store: () => this.store,
    context: () => ({ limits: this.setup.limits, allowsCheck: (run) => lineOf(run).startsWith("test") }),
    birth: () => {
      const { goal, budget, checks, requirements } = this.setup;
      return { budget, checks, requirements, ...(goal !== undefined && { goal }) };
    },
    newRunId: () => `run${this.count("runs")}`,
    mayFire: () => {
      this.timersFired++;
      if (this.timersFired <= MOST_FIRED) return true;
      this.blame(
        broken("4 waits end", `${MOST_FIRED} timers fired in one step: a wait that ends and begins again at once`),
      );
      return false;
    },
    beforeWrite: () => {
      this.writes++;
      if (this.writes > MOST_WRITES) {
        this.blame(broken("4 no chase", `${MOST_WRITES} writes in one step: what is done leads to itself`));
        throw new StoreFailure("enough");
      }
      if (this.storeFailures === 0) return;
      this.storeFailures--;
      this.diskFailed = true;
      throw new StoreFailure("the disk is full");
    },
    beforeKeeping: () => {
      if (this.foldsFail) throw new StoreFailure("no room for a fold");
    },
    wrote: (run, seqs, driver) => this.audit.wrote(run, seqs, driver),
    diesNow: () => this.diesAfterWrites > 0 && --this.diesAfterWrites === 0,
    died: () => this.died(),
    escaped: (where, error) => this.escaped(where, error),
  };

  escaped(where: string, error: unknown): void {
    if (error instanceof Death) return;
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.blame(broken("10 no trap", `an error escaped through ${where}: ${told.split("\n").slice(0, 3).join(" ")}`));
  }

  // ---- time

  /** Time goes by. Over long stretches only the moments at which something is due are visited; polls come late then. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    for (let left = ms; left > 2000; left = end - this.clock.now()) {
      const due = this.nextDue();
      if (due === undefined || due >= end) break;
      await this.clock.jump(Math.max(due - this.clock.now(), 1));
    }
    const left = end - this.clock.now();
    if (left > 2000) await this.clock.jump(left);
    else await this.clock.advance(left);
  }

  private nextDue(): number | undefined {
    const ends = this.audit.all().flatMap((facts) => (facts.ended === undefined ? (endOfWait(facts) ?? []) : []));
    return ends.filter((at) => at > this.clock.now()).toSorted((a, b) => a - b)[0];
  }
}

export const everyPort = (how: PortMode): Record<PortName, PortMode> => ({
  barrier: how,
  look: how,
  guard: how,
  first: how,
  checkpoint: how,
});

export const BEGINNING = 1_000_000_000;

/** Two seconds of looking at the log, and then a hundred times as many. */
const MOST_FIRED = 2000;

const MOST_WRITES = 5000;

type FirstRequest = Parameters<NonNullable<Checks["first"]>>[0];

const BUSY = { status: "busy" } as const;

export class StoreFailure extends Error {}

interface Slow {
  finish(well: boolean): void;
}

interface Event {
  readonly session: string;
  readonly trigger: Trigger;
  /** You typed, and its hook may answer with what is queued: the turn that this begins. */
  readonly turn?: Turn;
}

interface Turn {
  readonly id: string;
  readonly cause: "human" | "nudge" | "host";
}
