import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { directories } from "../../config/index.ts";
import { allowsRepository } from "../allows-repository.ts";
import { fleetGit, publishResult } from "../files/index.ts";
import { connectFleet, explained, loadDbos, pgLedger } from "../ledger/index.ts";
import type { FleetRun, Limit } from "../ports.ts";
import { childEnvironment } from "../runner/run-home.ts";
import { putOnQueue } from "../submit.ts";
import { createRunners } from "./create-runners.ts";
import { openQueue } from "./dbos-queue.ts";
import { driveFromQueue, type QueuePlace } from "./drive-from-queue.ts";
import { inTime } from "./in-time.ts";
import { keepTidy } from "./keep-tidy.ts";
import { keepWatch } from "./keep-watch.ts";
import { createLocalSlots } from "./local-slots.ts";
import { createMetrics, serveMetrics } from "./metrics.ts";
import { publishRun } from "./publish-run.ts";
import { takeTurns } from "./take-turns.ts";
import { createLog, messageOf } from "./worker-log.ts";
import { holdHere, holdInFleet, keptName } from "./worker-name.ts";
import { type Worker, WorkerError, type WorkerOptions, type WorkerPrograms } from "./worker-options.ts";

/**
 * Takes runs from the queue and drives each in a process of its own.
 *
 *     working --drain--> draining: nothing new, turns end, runs go back --> drained
 */
export async function openWorker(options: WorkerOptions): Promise<Worker> {
  const { access, slots, queues, labels, state, env, leaseMs = 15_000, launchMs = 20_000, drainMs = 120_000 } = options;
  await loadDbos(); // before anything is held: it may not be installed
  const id = options.id ?? keptName(state);
  const release = holdHere(state, id);
  const database = await connectFleet(access, CONNECTIONS).catch((error: unknown) => {
    release();
    throw error;
  });
  const ledger = pgLedger(database);
  const name = await holdInFleet(database, id).catch(async (error: unknown) => {
    release();
    await ledger.close();
    throw explained(error);
  });
  const say = createLog(options.log, id, access.url);
  const programs = options.programs ?? OWN_PROGRAMS;
  const metrics = createMetrics(slots);
  const served = options.metricsPort === undefined ? undefined : await serveMetrics(metrics, options.metricsPort);
  const drained = Promise.withResolvers<"asked" | "newer">();
  let isDraining = false;
  let isOver = false;
  const git = fleetGit(childEnvironment(env));
  const allows = ({ repo }: FleetRun): boolean => allowsRepository(options.allow, repo);

  const queue = await openQueue({
    ...{ access, id, slots, queues, labels, say, publish },
    drive: (run) => driveFromQueue(place, run),
  });
  const local = createLocalSlots(slots, queue.open, () => !isDraining);
  const runners = createRunners({
    command: programs.runner,
    job: {
      ...{ access, state, leaseMs, worker: id, program: programs.tildone },
      config: directories({ env, home: options.home ?? env.HOME ?? "/" }).config,
    },
    ...{ env, metrics, say, cancelled: queue.cancelled },
  });
  const place: QueuePlace = {
    ...{ ledger, id, allows, limitsOf, leave },
    enter: (run) => counted(() => local.enter(run)),
    exit: (run) => counted(() => local.exit(run)),
    isDraining: () => isDraining,
    taken: new Set(),
    turn: takeTurns(sleep),
    keepsPlace: queue.keepsPlace,
    runner: runners.drive,
    ended: (run, ending) => {
      metrics.ended(ending.type);
      say(ending.type === "died" ? "warn" : "info", { run, ...ending, type: `run.${ending.type}` });
    },
    publish: (run) => publish(run).catch((error) => say("warn", { run, says: `publishing: ${messageOf(error)}` })),
    outdated: () => void drain("newer"),
    untilExit: () => new Promise(() => {}),
    wait: sleep,
  };
  try {
    await ledger.beat(beatNow());
    await inTime(queue.launch(), launchMs, () => new WorkerError(WENT_AWAY));
  } catch (error) {
    options.stuck?.();
    served?.close();
    await Promise.allSettled([name.end(), ledger.close()]);
    release();
    throw explained(error); // the database went away meanwhile: one sentence says so
  }
  say("info", { says: "started", slots, queues: queue.names });
  const watch = keepWatch({
    ...{ ledger, database, queue, id, leaseMs, beatNow, metrics, say },
    driving: runners.running,
    isDraining: () => isDraining,
    requeue: putAnew,
  });
  const untidy = keepTidy({
    ...{ database, ledger, access, git, state, say, allows, keepMs: options.keepMs, clones: options.clones },
    ...(options.tidyMs !== undefined && { everyMs: options.tidyMs }),
    isDriving: (run) => runners.running.has(run),
  });

  return { id, drained: drained.promise, drain, kill, ...(served && { metricsPort: served.port }) };

  function publish(run: string): Promise<string> {
    return publishRun(ledger, run, async ({ repo }, commit) => {
      await publishResult({ git, cache: join(state, "repos"), run, repo }, commit);
      say("info", { run, type: "run.published", commit });
    });
  }

  /** Not for this worker now: its place on the queue ends, and it gets a new one a little later. A sweep does so if this worker dies before. */
  function leave(run: FleetRun, why: string): void {
    say("info", { run: run.run, type: "run.left", says: why });
    setTimeout(() => {
      if (!isOver) void putAnew(run).catch(() => {});
    }, LEAVE_MS);
  }

  function putAnew(run: FleetRun) {
    return putOnQueue(access, run, run.generation, `.${randomUUID().slice(0, 8)}`);
  }

  function counted<T>(change: () => T): T {
    const answer = change();
    metrics.busy(local.busy());
    return answer;
  }

  function limitsOf({ repo, baseUrl, model, host }: FleetRun): readonly Limit[] {
    const provider = baseUrl ?? host ?? model?.split("/")[0] ?? "default";
    return [
      ...(options.perRepository === undefined ? [] : [[`repository ${repo}`, options.perRepository] as const]),
      ...(options.perProvider === undefined ? [] : [[`provider ${provider}`, options.perProvider] as const]),
    ];
  }

  function beatNow() {
    const { version, allow } = options;
    return { id, version, labels, queues, allow, slots, busy: runners.running.size, draining: isDraining };
  }

  async function drain(why: "asked" | "newer" = "asked"): Promise<void> {
    if (isDraining) return;
    isDraining = true;
    local.spread();
    say("info", { type: "worker.draining", busy: runners.running.size });
    await watch.beat();
    runners.drain();
    const late = setTimeout(runners.kill, drainMs);
    await runners.ended();
    clearTimeout(late);
    await close(why);
  }

  async function kill(): Promise<void> {
    isDraining = true;
    runners.kill();
    await runners.ended();
    await close("asked");
  }

  async function close(why: "asked" | "newer"): Promise<void> {
    if (isOver) return;
    isOver = true;
    watch.stop();
    untidy();
    // What is not handed back because the database is away, others find out by themselves.
    await briefly("handing back", queue.handBack);
    await briefly("leaving the queue", queue.shutdown);
    await briefly("saying goodbye", () => ledger.beat(beatNow()));
    served?.close();
    await briefly("closing", () => Promise.all([name.end(), ledger.close()]));
    release();
    say("info", { type: "worker.ended", why });
    drained.resolve(why);
  }

  /** DBOS asks a database that is away without end; a worker that is told to end does not wait for that. */
  async function briefly(what: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await inTime(act(), CLOSE_MS, () => new Error("the database does not answer"));
    } catch (error) {
      say("warn", { says: `${what}: ${messageOf(error)}` });
    }
  }
}

/** A run that does not fit here is taken again after a while. */
const LEAVE_MS = 2_000;
/** One for the look at dead workers, one for all else; one more holds the name, and DBOS has its own. */
const CONNECTIONS = 2;
const WENT_AWAY =
  "The database went away while the worker started. Check it with `tildone fleet doctor`, then start the worker again.";
/** For each step of ending. */
const CLOSE_MS = 5_000;

const OWN_PROGRAMS: WorkerPrograms = {
  runner: [process.execPath, entry("tildone-runner.js")],
  tildone: [process.execPath, entry("tildone.js")],
};

/** Bundled or not, it lies in a folder beside `bin`, or one deeper. */
function entry(program: string): string {
  const [near, far] = ["../../bin/", "../../../bin/"].map((up) =>
    fileURLToPath(new URL(`${up}${program}`, import.meta.url)),
  );
  return existsSync(near!) ? near! : far!;
}
