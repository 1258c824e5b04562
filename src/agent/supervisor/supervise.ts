import { randomUUID } from "node:crypto";
import { type Opened, openTildone, stayAwake, systemClock, type TildoneOptions } from "../../compose/index.ts";
import { directories, type HostName, variablesOf } from "../../config/index.ts";
import type { PlanItem } from "../../core/plan/index.ts";
import type { Trigger } from "../../core/react/index.ts";
import { type Failure, type Launch, type Run, readFailure } from "../../core/run/index.ts";
import { openDrivers } from "../../drivers/index.ts";
import type { Host, RunSummary } from "../../engine/index.ts";
import type { Line } from "../../hosts/index.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { writtenByPlan } from "../plan-list.ts";
import type { Resume } from "../run-headless.ts";
import { betweenProcesses, type LastTurn, type Next } from "./between-processes.ts";
import { supervised } from "./capabilities.ts";
import { deathOf, type Ended, lastTurn, wasKilled } from "./ended.ts";
import { createMeter, type Meter } from "./meter.ts";
import { type Program, programOf } from "./program.ts";
import { type ProcessEnd, runProcess } from "./run-process.ts";
import { type ProcessWatch, watchProcess } from "./watch-process.ts";

export interface SuperviseOptions extends Pick<TildoneOptions, "cwd" | "env" | "flags" | "clock"> {
  readonly home: string;
  readonly host: HostName;
  readonly goal: string;
  /** Your own list, written before the agent hears of it. */
  readonly list?: readonly PlanItem[];
  /** A workflow by its name; the goal is what it is about. */
  readonly workflow?: string;
  /** The run that a person continues, by its session. */
  readonly resume?: { readonly session: string } & Resume;
  /** A session to continue in with a new goal; its last run is over. */
  readonly session?: string;
  readonly model?: string;
  /** What the next `--resume` uses again. */
  readonly launch?: Launch;
  /** The program, where it is not the host's usual one. */
  readonly program?: readonly string[];
  /** More arguments for the host: its model, what it may do without asking. */
  readonly hostArgs?: readonly string[];
  readonly onProgress: (progress: SupervisorProgress) => void;
  /** Aborted: the run is interrupted first, then the host is told. Its reason is the exit code. */
  readonly stop?: AbortSignal;
}

export type SupervisorProgress =
  | { readonly type: "process.started"; readonly session: string | undefined; readonly prompt: string }
  | { readonly type: "process.ended"; readonly code: number | null; readonly failure?: string }
  | { readonly type: "waiting"; readonly run: Run };

export interface Supervised {
  readonly outcome: Outcome;
  readonly run: Run | undefined;
  readonly session: string | undefined;
}

/** A host that never gets anywhere is bounded by its run; one that never even gets to a run, by this. */
const MOST_PROCESSES = 200;
/** And one that dies before it even tells its session, by this. */
const MOST_BEGINNINGS = 3;

/**
 * Runs a goal in a headless host, one process after the other. The hooks drive it while it lives; when it ends, the run's own
 * log says whether that was the end, and a run that is not over is taken up again by its session.
 */
export const supervise = (options: SuperviseOptions): Promise<Supervised> => stayAwake(() => superviseAwake(options));

async function superviseAwake(options: SuperviseOptions): Promise<Supervised> {
  const { host, goal, stop, onProgress } = options;
  const program = programOf(host);
  const clock = options.clock ?? systemClock();
  const driver = `${host}:supervised:${randomUUID().slice(0, 8)}`;
  const drivers = openDrivers({ state: directories(options).state, clock });
  let leave: (() => void) | undefined;
  let session = options.resume?.session ?? options.session ?? (program.takesSession ? randomUUID() : undefined);
  (await open(silent(host), "", options)).dispose(); // what cannot be kept is refused before anything starts
  stay();
  let prompt = options.list?.length ? `${goal}\n\n${LIST_IS_WRITTEN}` : goal;
  if (options.resume) {
    const { session: _key, ...resumed } = options.resume;
    if (options.list?.length) await tellOnce(_key, writtenByPlan(options.list));
    const next = await between({ outcome: "resumed", with: resumed });
    if (next.type !== "prompt") leave?.();
    if (next.type === "refused")
      return { outcome: { reason: "no_run", says: next.message, exit: 2 }, run: undefined, session };
    if (next.type === "over") return ended(next.run, session, { code: 0, signal: null, complaint: "" });
    await tellOnce(_key, ...remembered());
    prompt = next.text;
  } else if (session !== undefined) await beginRun(session);

  let how: How = options.resume !== undefined || options.session !== undefined ? "resume" : "start";
  for (let count = 0; count < MOST_PROCESSES; count++) {
    let end = await oneProcess(how, prompt);
    // It was killed before it wrote down what it was told: it is told again.
    if (how === "resume" && isUnknown(end)) end = await oneProcess("again", `${goal}\n\n${prompt}`);
    session ??= await sessionOfDriver();
    if (session === undefined && wasKilled(end) && count < MOST_BEGINNINGS - 1 && !stop?.aborted) continue;
    how = "resume";
    if (session === undefined) return ended(undefined, undefined, end);
    if (options.workflow !== undefined) await tellOnce(session, ...remembered()); // its run is born inside the host
    const next = await between(lastTurn(end));
    if (next.type !== "prompt" || stop?.aborted)
      return ended(next.type === "over" ? next.run : await runOf(session), session, end);
    prompt = next.text;
  }
  leave?.();
  return { outcome: TOO_MANY, run: undefined, session };

  function between(last: LastTurn): Promise<Next> {
    return betweenProcesses(last, {
      session: session!,
      name: host,
      program,
      open: (port) => open(port, driverOf(session!), options),
      signal: stop,
      onWait: (run) => onProgress({ type: "waiting", run }),
    });
  }

  async function runOf(key: string): Promise<Run | undefined> {
    const tildone = await open(silent(host), driverOf(key), options);
    const run = tildone.engine.run(key);
    tildone.dispose();
    return run;
  }

  function isUnknown({ failure }: Ended): boolean {
    return failure !== undefined && program.unknownSession?.test(failure.message) === true;
  }

  /** A host that tells its session late may die before; our adapter in it claimed the run by then. */
  async function sessionOfDriver(): Promise<string | undefined> {
    if (program.adapter !== "resident") return undefined;
    const { store, dispose } = await open(silent(host), "", options);
    const card = store.runs.list().find(({ summary }) => (summary as RunSummary).driver === driver);
    dispose();
    return card?.session;
  }

  function argumentsFor(how: How, text: string): readonly string[] {
    if (how === "resume") return program.resume(session!, text);
    if (options.workflow === undefined || how === "again") return program.start(session ?? "", text);
    return program.startWorkflow(session ?? "", `${options.workflow} ${goal}`);
  }

  /** As long as the supervisor lives, the run of its session is being worked on. */
  function stay(): void {
    if (session === undefined) return;
    const place = { host, session, driver: driverOf(session) };
    leave ??= drivers.enter({ ...place, kind: "supervisor", program: host });
  }

  async function oneProcess(how: How, text: string): Promise<Ended> {
    onProgress({ type: "process.started", session, prompt: text });
    const end = await runHost(how, text);
    const failure = end.failure !== undefined && { failure: end.failure.message };
    onProgress({ type: "process.ended", code: end.code, ...failure });
    return end;
  }

  async function runHost(how: How, text: string): Promise<Ended> {
    let said: string | undefined;
    let beginning: Promise<unknown> | undefined;
    const lost = how === "again" && !program.takesSession ? session : undefined; // another session takes its place
    // First the log, then the signal: no hook sends the agent on in between.
    const hostStop = new AbortController();
    const latch = () =>
      void (session === undefined ? Promise.resolve() : interrupt(session)).finally(() => hostStop.abort());
    stop?.addEventListener("abort", latch, { once: true });
    let gaveUp: Failure | undefined;
    const meter = createMeter({
      program,
      env: options.env,
      resumed: how === "resume" ? session : undefined,
      tell: async (usage) => session !== undefined && (await tellOnce(session, { type: "usage.seen", usage })),
    });
    const watch = await watchHost(meter, (failure) => {
      gaveUp = failure;
      hostStop.abort();
    });
    const end = await runProcess({
      hasLauncher: program.hasLauncher,
      ...command(program, [...argumentsFor(how, text), ...(await costLimit())], options),
      cwd: options.cwd,
      env: {
        ...options.env,
        ...variablesOf(options.flags ?? {}),
        ...(options.resume ? {} : { TILDONE_GOAL: goal }),
        ...(program.adapter === "resident" && { TILDONE_DRIVER: driver }),
        ...(program.spend && { TILDONE_SUPERVISED: program.spend.sees }),
      },
      signal: hostStop.signal,
      onLine: (line: Line) => {
        const told = session === lost ? program.sessionIn(line) : undefined;
        if (told !== undefined) {
          session = told;
          stay();
          beginning = lost === undefined ? beginRun(told) : tellOnce(lost, { type: "run.bind", host, session: told });
        }
        said = program.failureIn(line) ?? said;
        meter.heard(line);
        watch?.heard(line);
      },
    });
    watch?.stop();
    stop?.removeEventListener("abort", latch);
    await beginning;
    await meter.look(session);
    if (gaveUp) return { ...end, failure: gaveUp };
    const message = said ?? deathOf(program, end);
    if (message === undefined) return end;
    const code = said === undefined && end.signal !== null ? "killed" : undefined;
    return { ...end, failure: readFailure({ message, code, by: "host" }, clock.now()) };
  }

  /** A host with our hooks alone cannot end a silent model, and some cannot end a turn; the adapters inside others can. */
  async function watchHost(meter: Meter, end: (failure?: Failure) => void): Promise<ProcessWatch | undefined> {
    if (program.adapter !== "hook") return undefined;
    const { store, config, steady, dispose } = await open(silent(host), "", options);
    const watch = watchProcess({
      clock,
      steady,
      store,
      limits: config.limits,
      program,
      run: () => (session === undefined ? undefined : store.runs.find(host, session)?.run),
      check: async () => void (await tellOnce(session!, { type: "turn.check" })),
      meter: () => meter.look(session),
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

  /** The host's processes and their supervisor are one driver, one after the other; hooks name it by their session. */
  function driverOf(key: string): string {
    return program.adapter === "hook" ? `${host}:${key}` : driver;
  }

  /** Gives whether there was a run to tell it to. */
  async function tellOnce(key: string, ...triggers: readonly Trigger[]): Promise<boolean> {
    const tildone = await open(silent(host), driverOf(key), options);
    let isTold = true;
    for (const trigger of triggers) {
      const reply = await tildone.engine.tell(key, trigger);
      isTold &&= reply.type !== "ignored" || reply.why !== "no_run";
      if (reply.type !== "refused" || trigger.type !== "todos.write") continue;
      leave?.();
      throw new NotStarted(`Nothing was begun: ${reply.refusal.message}`);
    }
    tildone.dispose();
    return isTold;
  }

  /** What is left of the money, where the host itself ends when that is spent. */
  async function costLimit(): Promise<readonly string[]> {
    const run = session === undefined ? undefined : await runOf(session);
    const budget = run?.ledger.budget.cost;
    if (!run || budget === undefined || !program.spend?.limit) return [];
    return program.spend.limit(Math.max(0.0001, budget - run.ledger.spent.cost));
  }

  /** The run begins with your list or with the goal; a workflow is begun by the host itself, when it is told of it. */
  async function beginRun(key: string): Promise<void> {
    const list = options.list ?? [];
    const first: Trigger = list.length > 0 ? writtenByPlan(list) : { type: "goal.set" };
    await tellOnce(key, ...(options.workflow !== undefined && list.length === 0 ? [] : [first]), ...remembered());
  }

  function remembered(): readonly Trigger[] {
    const { launch, model } = options;
    return [
      ...(launch ? [{ type: "run.launch", launch } as const] : []),
      ...(model === undefined ? [] : [{ type: "model.chosen", model } as const]),
    ];
  }

  async function interrupt(key: string): Promise<void> {
    await tellOnce(key, { type: "human.interrupt", how: "signal" });
  }

  function ended(run: Run | undefined, key: string | undefined, { complaint }: ProcessEnd): Supervised {
    leave?.();
    if (stop?.aborted) return { outcome: interrupted(Number(stop.reason) || 130), run, session: key };
    const outcome = outcomeOf(run);
    const why =
      outcome.reason === "no_run" && complaint.trim() !== "" ? { says: `${host}: ${complaint.trim()}`, exit: 1 } : {};
    return { outcome: { ...outcome, ...why }, run, session: key };
  }
}

/** `again`: anew, although it was started before. */
type How = "start" | "resume" | "again";

function command(
  { program, model: modelArgs }: Program,
  args: readonly string[],
  { program: given, hostArgs = [], model }: SuperviseOptions,
) {
  const [first = program, ...before] = given ?? [];
  return { program: first, args: [...before, ...args, ...(model === undefined ? [] : modelArgs(model)), ...hostArgs] };
}

async function open(port: Host, driver: string, options: SuperviseOptions) {
  const { cwd, env, home, goal, flags, clock } = options;
  const opened: Opened = await openTildone({
    host: port,
    cwd,
    env,
    home,
    goal,
    driver,
    ...(flags && { flags }),
    ...(clock && { clock }),
  });
  if (!opened.ok) throw new WrongConfiguration(opened.problems.join(" "));
  return opened.tildone;
}

/** Settings or flags that cannot be kept on this host; the message says which, and what to do. */
class WrongConfiguration extends Error {
  override readonly name = "WrongConfiguration";
}

const silent = (name: HostName): Host => ({
  name,
  capabilities: { ...supervised(programOf(name)), resident: false, startsTurns: false },
  nudge: () => Promise.reject(new Error("the host's process runs")),
  deliver: () => Promise.reject(new Error("the host's process runs")),
  show: () => {},
  endTurn: () => {},
});

/** Nothing was started, and the sentence says why. */
export class NotStarted extends Error {}

/** The agent is told where its list is: not every host shows it with the first prompt. */
const LIST_IS_WRITTEN = "The todo list is written already. Read it with list_todos and work through it.";

const interrupted = (exit: number): Outcome => ({ reason: "interrupted", says: "Stopped by a signal.", exit });
const TOO_MANY: Outcome = {
  reason: "waiting",
  says: `The host was started ${MOST_PROCESSES} times; that is enough.`,
  exit: 1,
};
