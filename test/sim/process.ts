import type { Context, Nudge } from "../../src/core/react/index.ts";
import type { QueuedWords } from "../../src/core/run/index.ts";
import {
  type Checkpoints,
  type Checks,
  type Clock,
  createEngine,
  type Engine,
  type Host,
  type Log,
  type Store,
  type Timer,
  type Workspace,
} from "../../src/engine/index.ts";

/** What a process finds on the machine it runs on. */
export interface Machine {
  readonly clock: Clock;
  readonly host: Omit<Host, "nudge" | "deliver">;
  readonly checks: Checks;
  readonly workspace: Workspace;
  /** Absent: nothing is recorded. */
  readonly checkpoints?: Checkpoints;
  /** What was appended survives the machine. Absent: it always does. */
  barrier?(): Promise<void>;
  /** Absent: this host cannot be asked. */
  recheck?(session: string): ReturnType<NonNullable<Host["recheck"]>>;
  nudge(session: string, nudge: Nudge, driver: string): Promise<void>;
  deliver(session: string, words: readonly QueuedWords[], process: Process): Promise<void>;
  store(): Store;
  context(): Pick<Context, "limits" | "allowsCheck" | "writers">;
  birth(): Parameters<typeof createEngine>[0]["birth"] extends () => infer B ? B : never;
  newRunId(): string;
  /** False when so many timers fired in one step that they must be chasing each other. */
  mayFire(): boolean;
  /** A log write is about to happen: the place to fail. */
  beforeWrite(): void;
  /** A fold is about to be kept: another place to fail. */
  beforeKeeping(): void;
  /** An event was appended. */
  wrote(run: string, seqs: readonly number[], driver: string): void;
  /** Whether the process that just appended dies of it. */
  diesNow(): boolean;
  died(process: Process): void;
  /** An error of ours reached a place where it takes the host down. */
  escaped(where: string, error: unknown): void;
}

/** Thrown through what a process still had to do when it died: it is not heard of. */
export class Death extends Error {}

/** One living process with an engine in it. When it is killed, nothing of it ever runs again. */
export interface Process {
  readonly driver: string;
  readonly engine: Engine;
  /** Up to where it knows the log of a run. */
  position(run: string): number;
  /** When its timers are due. */
  timers(): readonly number[];
  kill(): void;
  isAlive(): boolean;
}

/** Histories are short: folds are kept often, so that runs are opened from them. */
const KEEP_EVERY = 12;

export function startProcess(machine: Machine, driver: string): Process {
  let alive = true;
  const timers = new Map<Timer, number>();
  const positions = new Map<string, number>();
  const engine = createEngine({
    store: { log: guardedLog(), runs: guardedRuns(), audit: (run) => machine.store().audit(run), close: () => {} },
    host: {
      name: machine.host.name,
      get capabilities() {
        return machine.host.capabilities;
      },
      show: (session, notice) => alive && machine.host.show(session, notice),
      endTurn: (session, end) => alive && machine.host.endTurn(session, end),
      ...(machine.recheck && { recheck: (session: string) => survives(machine.recheck!(session)) }),
      nudge: (session, nudge) => survives(machine.nudge(session, nudge, driver)),
      deliver: (session, words) => survives(machine.deliver(session, words, process)),
    },
    clock: { now: machine.clock.now, setTimer },
    checks: {
      run: (round, signal) => survives(machine.checks.run(round, signal)),
      guard: (request) => survives(machine.checks.guard(request)),
      ...(machine.checks.first && {
        first: (request, signal) => survives(machine.checks.first!(request, signal)),
      }),
    },
    ...(machine.checkpoints && { checkpoints: { take: (request) => survives(machine.checkpoints!.take(request)) } }),
    workspace: { observe: (cwd) => survives(machine.workspace.observe(cwd)) },
    cwd: "/project",
    driver,
    newRunId: machine.newRunId,
    context: machine.context,
    birth: machine.birth,
    keepEvery: KEEP_EVERY,
  });
  const process: Process = {
    driver,
    engine,
    position: (run) => positions.get(run) ?? 0,
    timers: () => [...timers.values()],
    kill,
    isAlive: () => alive,
  };
  return process;

  function kill(): void {
    alive = false;
    for (const timer of timers.keys()) timer.cancel();
    timers.clear();
  }

  function setTimer(at: number, fire: () => void): Timer {
    if (!alive) return { cancel: () => {} };
    const inner = machine.clock.setTimer(at, () => {
      timers.delete(outer);
      if (!machine.mayFire()) return;
      try {
        fire();
      } catch (error) {
        if (!(error instanceof Death)) machine.escaped("a timer", error);
      }
    });
    const outer: Timer = {
      cancel() {
        timers.delete(outer);
        inner.cancel();
      },
    };
    timers.set(outer, at);
    return outer;
  }

  /** The answer of a port reaches only a process that lives. */
  function survives<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      answer.then(
        (value) => alive && resolve(value),
        (error: unknown) => alive && reject(error),
      );
    });
  }

  function guardedLog(): Log {
    const log = (): Log => {
      if (!alive) throw new Death();
      return machine.store().log;
    };
    return {
      transact(run, after, body) {
        if (alive) machine.beforeWrite();
        const done = log().transact(run, after, body);
        positions.set(run, log().last(run));
        machine.wrote(
          run,
          done.appended.map(({ seq }) => seq),
          driver,
        );
        if (done.appended.length > 0 && machine.diesNow()) {
          kill();
          machine.died(process);
          throw new Death();
        }
        return done;
      },
      ...(machine.barrier && { barrier: () => survives(machine.barrier!()) }),
      read: (run, after, limit) => log().read(run, after, limit),
      last: (run) => log().last(run),
      loadSnapshot: (run) => log().loadSnapshot(run),
      saveSnapshot: (run, snapshot) => {
        machine.beforeKeeping();
        log().saveSnapshot(run, snapshot);
      },
    };
  }

  function guardedRuns(): Store["runs"] {
    return {
      find: (host, session) => machine.store().runs.find(host, session),
      get: (run) => machine.store().runs.get(run),
      list: () => machine.store().runs.list(),
      positions: () => machine.store().runs.positions(),
      writes: () => machine.store().runs.writes(),
      remove: (run) => machine.store().runs.remove(run),
    };
  }
}
