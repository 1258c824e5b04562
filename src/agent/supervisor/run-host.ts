import { variablesOf } from "../../config/index.ts";
import { type Failure, readFailure } from "../../core/run/index.ts";
import type { Line } from "../../hosts/index.ts";
import { deathOf, type Ended } from "./ended.ts";
import { createMeter, type Meter } from "./meter.ts";
import { runProcess } from "./run-process.ts";
import type { SuperviseOptions } from "./supervise.ts";
import type { SupervisedRun } from "./supervised-run.ts";
import { type ProcessWatch, watchProcess } from "./watch-process.ts";

/** What a process is started with. `again`: its session was lost. `anew`: it gets a new session, and continues the run. */
export interface HostLaunch {
  readonly how: "start" | "resume" | "again" | "anew";
  readonly prompt: string;
}

/**
 * One process of the host, from its start to its end.
 *
 *     starting --> running: metered, watched, its session heard --> ended by itself
 *                     +-- its turn has to end, or its model keeps silent --> told to end
 *                     +-- you stop --> the run is interrupted first, then it is told to end: no hook continues the agent in between
 */
export async function runHost(launch: HostLaunch, run: SupervisedRun, options: SuperviseOptions): Promise<Ended> {
  const { program } = run;
  const ending = new AbortController();
  const stop = () => void interrupted(run).finally(() => ending.abort());
  options.stop?.addEventListener("abort", stop, { once: true });
  const meter = createMeter({
    program,
    env: options.env,
    resumed: launch.how === "resume" ? run.session() : undefined,
    tell: (usage) => run.tell([{ type: "usage.seen", usage }]),
  });
  const silent = Promise.withResolvers<Failure | undefined>();
  const watch = await watched(run, meter, (failure) => {
    silent.resolve(failure);
    ending.abort();
  });
  const ear = createEar(launch, run);
  const end = await runProcess({
    hasLauncher: program.hasLauncher,
    ...(await commandOf(launch, run, options)),
    cwd: options.cwd,
    env: environmentOf(launch, run, options),
    signal: ending.signal,
    onLine: (line) => {
      ear.heard(line);
      meter.heard(line);
      watch?.heard(line);
    },
  });
  watch?.stop();
  silent.resolve(undefined);
  options.stop?.removeEventListener("abort", stop);
  await ear.settled();
  await meter.look(run.session());
  const gaveUp = await silent.promise;
  if (gaveUp) return { ...end, failure: gaveUp };
  const said = ear.failure();
  const message = said ?? deathOf(program, end);
  if (message === undefined) return end;
  const code = said === undefined && end.signal !== null ? "killed" : undefined;
  return { ...end, failure: readFailure({ message, code, by: "host" }, run.clock.now()) };
}

async function interrupted(run: SupervisedRun): Promise<void> {
  await run.tell([{ type: "human.interrupt", how: "signal" }]);
}

/** What the host says of itself: in which session it works, and why it failed. */
function createEar({ how }: HostLaunch, run: SupervisedRun) {
  const { host, program } = run;
  const isReplaced = (how === "again" || how === "anew") && !program.takesSession;
  const lost = isReplaced ? run.session() : undefined; // another session takes its place
  let failure: string | undefined;
  let entering: Promise<unknown> | undefined;
  return { heard, failure: () => failure, settled: () => entering };

  function heard(line: Line): void {
    const session = run.session() === lost ? program.sessionIn(line) : undefined;
    if (session !== undefined) {
      run.enter(session);
      entering =
        lost === undefined
          ? run.begin()
          : run.tell([{ type: "run.bind", host, session, ...(how === "anew" && { continues: true }) }], lost);
    }
    failure = program.failureIn(line) ?? failure;
  }
}

/** A host with our hooks alone cannot end a silent model, and some cannot end a turn; the adapters inside others can. */
async function watched(
  run: SupervisedRun,
  meter: Meter,
  end: (failure?: Failure) => void,
): Promise<ProcessWatch | undefined> {
  const { host, program, clock } = run;
  if (program.adapter !== "hook") return undefined;
  const { store, config, steady, dispose } = await run.open();
  const watch = watchProcess({
    clock,
    steady,
    store,
    limits: config.limits,
    program,
    run: () => store.runs.find(host, run.session() ?? "")?.run,
    check: async () => void (await run.tell([{ type: "turn.check" }])),
    meter: () => meter.look(run.session()),
    end,
  });
  return {
    heard: watch.heard,
    stop: () => {
      watch.stop();
      dispose();
    },
  };
}

async function commandOf(launch: HostLaunch, run: SupervisedRun, options: SuperviseOptions) {
  const { program: given = [], hostArgs = [], model } = options;
  const { program } = run;
  const [first = program.program, ...before] = given;
  const named = model === undefined ? [] : program.model(model);
  const args = [...before, ...argumentsFor(launch, run, options), ...(await costLimit(run)), ...named, ...hostArgs];
  return { program: first, args };
}

function argumentsFor({ how, prompt }: HostLaunch, run: SupervisedRun, { workflow, goal }: SuperviseOptions) {
  const { program } = run;
  const session = run.session() ?? "";
  if (how === "resume") return program.resume(session, prompt);
  if (workflow === undefined || how !== "start") return program.start(session, prompt);
  return program.startWorkflow(session, `${workflow} ${goal}`);
}

/** What is left of the money, where the host itself ends when that is spent. */
async function costLimit({ program, run }: SupervisedRun): Promise<readonly string[]> {
  if (!program.spend?.limit) return [];
  const { budget, spent } = (await run())?.ledger ?? {};
  return budget?.cost === undefined ? [] : program.spend.limit(Math.max(0.0001, budget.cost - (spent?.cost ?? 0)));
}

function environmentOf({ how }: HostLaunch, run: SupervisedRun, { env, flags = {}, resume, goal }: SuperviseOptions) {
  const { program, driver } = run;
  return {
    ...env,
    ...(how === "anew" && { TILDONE_CONTINUES: run.session() }), // of a session that we named, its run is bound to it already
    ...variablesOf(flags),
    ...(!resume && { TILDONE_GOAL: goal }),
    ...(program.adapter === "resident" && { TILDONE_DRIVER: driver }),
    ...(program.spend && { TILDONE_SUPERVISED: program.spend.sees }),
  };
}
