import { randomUUID } from "node:crypto";
import { type Opened, openTildone, stayAwake, systemClock, type TildoneOptions } from "../../compose/index.ts";
import { directories, variablesOf } from "../../config/index.ts";
import { resetOf } from "../../core/limit/index.ts";
import type { Failure, Run, Trigger } from "../../core/run/index.ts";
import { openDrivers } from "../../drivers/index.ts";
import type { Host } from "../../engine/index.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { betweenProcesses, type LastTurn } from "./between-processes.ts";
import { supervised } from "./capabilities.ts";
import { failureKind, HOST_PROCESSES, type HostProcess, type Line, type SupervisedHost } from "./host-process.ts";
import { type ProcessEnd, runProcess } from "./run-process.ts";

export interface SuperviseOptions extends Pick<TildoneOptions, "cwd" | "env" | "flags" | "clock"> {
  readonly home: string;
  readonly host: SupervisedHost;
  readonly goal: string;
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

/**
 * Runs a goal in a headless host, one process after the other. The hooks drive it while it lives; when it ends, the run's own
 * log says whether that was the end, and a run that is not over is taken up again by its session.
 */
export const supervise = (options: SuperviseOptions): Promise<Supervised> => stayAwake(() => superviseAwake(options));

async function superviseAwake(options: SuperviseOptions): Promise<Supervised> {
  const { host, goal, stop, onProgress } = options;
  const program = HOST_PROCESSES[host];
  const clock = options.clock ?? systemClock();
  const driver = `${host}:supervised:${randomUUID().slice(0, 8)}`;
  const drivers = openDrivers({ state: directories(options).state, clock });
  let leave: (() => void) | undefined;
  let session: string | undefined = program.takesSession ? randomUUID() : undefined;
  stay();
  if (session === undefined)
    (await open(silent(host), "", options)).dispose(); // what cannot be kept is refused at start
  else await bear(session);
  let prompt = goal;

  for (let count = 0; count < MOST_PROCESSES; count++) {
    onProgress({ type: "process.started", session, prompt });
    const end = await oneProcess(count === 0 ? "start" : "resume", prompt);
    onProgress({
      type: "process.ended",
      code: end.code,
      ...(end.failure !== undefined && { failure: end.failure.message }),
    });
    if (session === undefined) return ended(undefined, undefined, end);
    const next = await betweenProcesses(lastTurn(end), {
      session,
      name: host,
      adapter: program.adapter,
      open: (port) => open(port, driverOf(session!), options),
      signal: stop,
      onWait: (run) => onProgress({ type: "waiting", run }),
    });
    if (next.type === "over" || stop?.aborted) return ended(next.type === "over" ? next.run : undefined, session, end);
    prompt = next.text;
  }
  leave?.();
  return { outcome: TOO_MANY, run: undefined, session };

  /** As long as the supervisor lives, the run of its session is being worked on. */
  function stay(): void {
    if (session === undefined) return;
    const place = { host, session, driver: driverOf(session) };
    leave ??= drivers.enter({ ...place, kind: "supervisor", program: host });
  }

  async function oneProcess(how: "start" | "resume", text: string): Promise<ProcessEnd & { failure?: Failure }> {
    let said: string | undefined;
    let bearing: Promise<void> | undefined;
    // First the log, then the signal: no hook sends the agent on in between.
    const hostStop = new AbortController();
    const latch = () =>
      void (session === undefined ? Promise.resolve() : interrupt(session)).finally(() => hostStop.abort());
    stop?.addEventListener("abort", latch, { once: true });
    const end = await runProcess({
      ...command(
        program,
        how === "start" ? program.start(session ?? "", text) : program.resume(session!, text),
        options,
      ),
      cwd: options.cwd,
      env: {
        ...options.env,
        ...variablesOf(options.flags ?? {}),
        TILDONE_GOAL: goal,
        ...(program.adapter === "resident" && { TILDONE_DRIVER: driver }),
      },
      signal: hostStop.signal,
      onLine: (line: Line) => {
        const told = session === undefined ? program.sessionIn(line) : undefined;
        if (told !== undefined) {
          session = told;
          stay();
          bearing = bear(told);
        }
        said = program.failureIn(line) ?? said;
      },
    });
    stop?.removeEventListener("abort", latch);
    await bearing;
    const message =
      said ?? (end.code === 0 ? undefined : `${host} ended with ${end.code ?? end.signal}: ${end.complaint.trim()}`);
    return { ...end, ...(message !== undefined && { failure: failureOf(message, clock.now()) }) };
  }

  /** The host's processes and their supervisor are one driver, one after the other; hooks name it by their session. */
  function driverOf(key: string): string {
    return program.adapter === "hook" ? `${host}:${key}` : driver;
  }

  async function tellOnce(key: string, trigger: Trigger): Promise<void> {
    const tildone = await open(silent(host), driverOf(key), options);
    await tildone.engine.tell(key, trigger);
    tildone.dispose();
  }

  function bear(key: string): Promise<void> {
    return tellOnce(key, { type: "goal.set" });
  }

  function interrupt(key: string): Promise<void> {
    return tellOnce(key, { type: "human.interrupt", how: "signal" });
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

const lastTurn = ({ failure }: { failure?: Failure }): LastTurn =>
  failure ? { outcome: "failed", failure } : { outcome: "completed" };

function failureOf(message: string, now: number): Failure {
  const kind = failureKind(message);
  const resetAt = kind === "rate_limit" || kind === "overload" ? resetOf({ message }, now) : undefined;
  return { kind, message: message.slice(0, 1000), ...(resetAt !== undefined && { resetAt }) };
}

function command(
  { program }: HostProcess,
  args: readonly string[],
  { program: given, hostArgs = [] }: SuperviseOptions,
) {
  const [first = program, ...before] = given ?? [];
  return { program: first, args: [...before, ...args, ...hostArgs] };
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

const silent = (name: SupervisedHost): Host => ({
  name,
  capabilities: { ...supervised(HOST_PROCESSES[name].adapter), resident: false, startsTurns: false },
  nudge: () => Promise.reject(new Error("the host's process runs")),
  deliver: () => Promise.reject(new Error("the host's process runs")),
  show: () => {},
  endTurn: () => {},
});

const interrupted = (exit: number): Outcome => ({
  reason: "interrupted",
  says: "Stopped by you. `tildone unhold` continues.",
  exit,
});
const TOO_MANY: Outcome = {
  reason: "waiting",
  says: `The host was started ${MOST_PROCESSES} times; that is enough.`,
  exit: 1,
};
