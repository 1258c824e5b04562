import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { directories } from "../../config/index.ts";
import { redact } from "../../core/secret/index.ts";
import { allowsRepository } from "../allows-repository.ts";
import { APPLICATION, FLEET_VERSION, quietEnvironment, servedQueues, WORKFLOW, withQueue } from "../dbos.ts";
import { fleetGit, publishResult } from "../files/index.ts";
import {
  connectFleet,
  dbosSchemaOf,
  explained,
  type FleetAccess,
  FleetError,
  isOutage,
  loadDbos,
  pgLedger,
} from "../ledger/index.ts";
import type { Attempt, FleetRun, Limit } from "../ports.ts";
import type { Ending, Job } from "../runner/job.ts";
import { childEnvironment } from "../runner/run-home.ts";
import { putOnQueue } from "../submit.ts";
import { recoverDead } from "./dead-workers.ts";
import { driveFromQueue, type QueuePlace } from "./drive-from-queue.ts";
import { createLostFinder } from "./find-lost.ts";
import { keepTidy } from "./keep-tidy.ts";
import { createLocalSlots } from "./local-slots.ts";
import { createMetrics, serveMetrics } from "./metrics.ts";
import { publishRun } from "./publish-run.ts";
import { type Runner, startRunner } from "./start-runner.ts";
import { takeTurns } from "./take-turns.ts";
import { lockWorker } from "./worker-lock.ts";

export interface WorkerOptions {
  readonly access: FleetAccess;
  /** Absent: one that this folder keeps. */
  readonly id?: string;
  readonly slots: number;
  readonly queues: readonly string[];
  readonly labels: readonly string[];
  /** Repositories whose submitted commands may run here. */
  readonly allow: readonly string[];
  /** Runs of one repository, and of one model server, at the same time in the whole fleet. */
  readonly perRepository?: number;
  readonly perProvider?: number;
  /** How long a run that is over is kept; absent: without end. */
  readonly keepMs?: number;
  /** Clones of repositories that are kept; absent: all. */
  readonly clones?: number;
  /** How often it is looked for such runs. */
  readonly tidyMs?: number;
  readonly metricsPort?: number;
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  readonly version: string;
  /** One JSON line each. */
  readonly log: (line: string) => void;
  /** A worker that is silent for longer is dead. */
  readonly leaseMs?: number;
  /** How long the queue may take to open: DBOS asks a database that is away without end. */
  readonly launchMs?: number;
  /** How long a turn may take to end when the worker does. */
  readonly drainMs?: number;
  /** It could not start, and something of it waits in this process without end: only the end of the process ends it. */
  readonly stuck?: () => void;
  /** How this tildone is started, where it is not installed. */
  readonly programs?: { readonly runner: readonly string[]; readonly tildone: readonly string[] };
}

export interface Worker {
  readonly id: string;
  readonly metricsPort?: number;
  /** Resolves when nothing runs here any more; `newer`: the fleet has runs of a newer tildone, and this one should be updated. */
  readonly drained: Promise<"asked" | "newer">;
  drain(): Promise<void>;
  /** At once: others continue from the last checkpoint. */
  kill(): Promise<void>;
}

export class WorkerError extends Error {
  override readonly name = "WorkerError";
}

/**
 * Takes runs from the queue and drives each in a process of its own.
 *
 *     working --drain--> draining: nothing new, turns end, runs go back --> drained
 */
export async function openWorker(options: WorkerOptions): Promise<Worker> {
  const { access, slots, queues, labels, state, env, leaseMs = 15_000, launchMs = 20_000, drainMs = 120_000 } = options;
  const { DBOS } = await loadDbos();
  quietEnvironment();
  const id = options.id ?? keptId(state);
  const lock = lockWorker(state, id);
  if ("heldBy" in lock) throw new WorkerError(sayTaken(id, `process ${lock.heldBy}`));
  const { release } = lock;
  const database = await connectFleet(access, CONNECTIONS).catch((error: unknown) => {
    release();
    throw error;
  });
  const ledger = pgLedger(database);
  const only = await holdName().catch(async (error: unknown) => {
    release();
    await ledger.close();
    throw explained(error);
  });
  const programs = options.programs ?? {
    runner: [process.execPath, entry("tildone-runner.js")],
    tildone: [process.execPath, entry("tildone.js")],
  };
  const metrics = createMetrics(slots);
  const served = options.metricsPort === undefined ? undefined : await serveMetrics(metrics, options.metricsPort);
  const runners = new Map<string, Runner>();
  const drained = Promise.withResolvers<"asked" | "newer">();
  let isDraining = false;
  let isOver = false;
  let steadySince = Date.now();
  let lastReap = Date.now();
  const findLost = createLostFinder({ ledger, self: id, leaseMs, driving: runners, queued });
  const git = fleetGit(childEnvironment(env));

  const place: QueuePlace = {
    ledger,
    id,
    allows: ({ repo }) => allowsRepository(options.allow, repo),
    limitsOf,
    enter: (run) => counted(() => local.enter(run)),
    exit: (run) => counted(() => local.exit(run)),
    isDraining: () => isDraining,
    taken: new Set(),
    turn: takeTurns(sleep),
    keepsPlace,
    runner: oneRunner,
    ended: (run, ending) => {
      metrics.ended(ending.type);
      say(ending.type === "died" ? "warn" : "info", { run, ...ending, type: `run.${ending.type}` });
    },
    publish: (run) => publish(run).catch((error) => say("warn", { run, says: `publishing: ${messageOf(error)}` })),
    leave,
    outdated: () => void drain("newer"),
    untilExit: () => new Promise(() => {}),
    wait: sleep,
  };

  const queueModule = await import("@dbos-inc/dbos-sdk/internal/wfqueue");
  const executorModule = await import("@dbos-inc/dbos-sdk/internal/dbos-executor");
  const names = servedQueues(queues, labels);
  // A queue of this process alone: its limit is this worker's, whatever others have.
  const open = names.map((name) =>
    queueModule.registerInternalQueue(name, { workerConcurrency: slots, minPollingIntervalMs: 250 }),
  );
  const local = createLocalSlots(slots, open, () => !isDraining);
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: access.url,
    systemDatabaseSchemaName: dbosSchemaOf(access),
    executorID: id,
    applicationVersion: FLEET_VERSION,
    runMigrations: false,
    listenQueues: [],
    systemDatabasePoolSize: 5,
    systemDatabaseIdleTransactionTimeoutMs: 0,
    logger: {
      debug: () => {},
      info: () => {},
      warn: (text: unknown) => say("warn", { says: String(text) }),
      error: (text: unknown) => say("error", { says: String(text) }),
    },
  } as Parameters<typeof DBOS.setConfig>[0]);
  DBOS.registerWorkflow(
    async (run: string): Promise<string> => {
      const how = await DBOS.runStep(() => driveFromQueue(place, run), { name: "drive" });
      if (how !== "finished") return how;
      return DBOS.runStep(() => publish(run), {
        name: "publish",
        retriesAllowed: true,
        maxAttempts: 5,
        intervalSeconds: 1,
      });
    },
    { name: WORKFLOW, maxRecoveryAttempts: 10_000 },
  );
  try {
    await ledger.beat(beatNow());
    await inTime(DBOS.launch(), launchMs, () => new WorkerError(WENT_AWAY));
  } catch (error) {
    options.stuck?.();
    served?.close();
    await Promise.allSettled([only.end(), ledger.close()]);
    release();
    throw explained(error); // the database went away meanwhile: one sentence says so
  }
  say("info", { says: "started", slots, queues: names });
  const heart = setInterval(() => void beat(), leaseMs / 5);
  const reaper = setInterval(() => void reap(), leaseMs / 3);
  const sweeper = setInterval(() => void sweep(), Math.max(5_000, leaseMs));
  const untidy = keepTidy({
    ...{ database, ledger, access, git, state, say, keepMs: options.keepMs, clones: options.clones },
    ...(options.tidyMs !== undefined && { everyMs: options.tidyMs }),
    allows: ({ repo }) => allowsRepository(options.allow, repo),
    isDriving: (run) => runners.has(run),
  });

  return { id, drained: drained.promise, drain, kill, ...(served && { metricsPort: served.port }) };

  async function oneRunner(
    run: string,
    attempt: Attempt,
  ): Promise<{ readonly ending: Ending; readonly epoch?: number }> {
    let epoch: number | undefined;
    const job: Job = {
      access,
      run,
      worker: id,
      attempt: { ...attempt, token: randomUUID() },
      state,
      config: directories({ env, home: options.home ?? env.HOME ?? "/" }).config,
      program: programs.tildone,
      leaseMs,
    };
    const runner = startRunner(programs.runner, job, runnerEnvironment(env), (message) => {
      if (message.type === "driving") {
        epoch = message.epoch;
        metrics.claimed(message.lost);
        say("info", { run, type: "run.driving", epoch: message.epoch, lost: message.lost });
      } else if (message.type === "barrier") metrics.barrier(message.ms);
      else if (message.type === "said") say("debug", { run, says: message.text.slice(0, 500) });
    });
    runners.set(run, runner);
    const cancelled = DBOS.stepStatus?.cancelSignal;
    const end = () => runner.kill();
    cancelled?.addEventListener("abort", end, { once: true });
    try {
      const ending = await runner.ended;
      return { ending, ...(epoch !== undefined && { epoch }) };
    } finally {
      cancelled?.removeEventListener("abort", end);
      if (runners.get(run) === runner) runners.delete(run);
    }
  }

  async function keepsPlace(): Promise<boolean> {
    const found = await DBOS.getWorkflowStatus(DBOS.workflowID ?? "").catch((error: unknown) => {
      throw explained(error);
    });
    return found?.status === "PENDING" && found.executorId === id;
  }

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
      if (!isOver) void putOnQueue(access, run, run.generation, `.${randomUUID().slice(0, 8)}`).catch(() => {});
    }, LEAVE_MS);
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

  async function beat(): Promise<void> {
    try {
      await ledger.beat(beatNow());
    } catch (error) {
      steadySince = Date.now(); // after an outage everybody's beat is late
      if (!isOutage(error)) say("error", { says: messageOf(error) });
    }
  }

  function beatNow() {
    const { version, allow } = options;
    return { id, version, labels, queues, allow, slots, busy: runners.size, draining: isDraining };
  }

  /** Puts the runs of dead workers back on the queue. One does it at a time; a worker that was away itself does not judge others. */
  async function reap(): Promise<void> {
    const now = Date.now();
    const leapt = now - lastReap > leaseMs;
    lastReap = now;
    if (leapt) steadySince = now;
    if (now - steadySince < leaseMs || isDraining) return;
    try {
      await recoverDead(database, { id, leaseMs, working }, async (dead) => {
        const recovered = await executorModule.DBOSExecutor.globalInstance!.recoverPendingWorkflows(dead);
        metrics.recovered(recovered.length);
        say("warn", { type: "workers.dead", workers: dead, runs: recovered.length });
      });
    } catch (error) {
      if (!isOutage(error)) say("error", { says: `looking for dead workers: ${messageOf(error)}` });
    }
  }

  async function working(): Promise<readonly (string | undefined)[]> {
    const pending = await DBOS.listWorkflows({ status: "PENDING", loadInput: false, loadOutput: false });
    return pending.map(({ executorId }) => executorId);
  }

  async function sweep(): Promise<void> {
    if (isDraining) return;
    try {
      for (const run of await findLost()) {
        await putOnQueue(access, run, run.generation, `.${randomUUID().slice(0, 8)}`);
        say("warn", { run: run.run, type: "run.requeued" });
      }
    } catch (error) {
      if (!isOutage(error)) say("error", { says: `looking for lost runs: ${messageOf(error)}` });
    }
  }

  async function queued(): Promise<ReadonlySet<string>> {
    const status = ["PENDING", "ENQUEUED", "DELAYED"] as const;
    const active = await DBOS.listWorkflows({ status: [...status], loadInput: false, loadOutput: false });
    return new Set(active.map(({ workflowID }) => workflowID.split(".")[0]!));
  }

  async function drain(why: "asked" | "newer" = "asked"): Promise<void> {
    if (isDraining) return;
    isDraining = true;
    local.spread();
    say("info", { type: "worker.draining", busy: runners.size });
    await beat();
    for (const runner of runners.values()) runner.drain();
    const late = setTimeout(() => {
      for (const runner of runners.values()) runner.kill();
    }, drainMs);
    await Promise.all([...runners.values()].map(({ ended }) => ended));
    clearTimeout(late);
    await close(why);
  }

  async function kill(): Promise<void> {
    isDraining = true;
    for (const runner of runners.values()) runner.kill();
    await Promise.all([...runners.values()].map(({ ended }) => ended));
    await close("asked");
  }

  async function close(why: "asked" | "newer"): Promise<void> {
    if (isOver) return;
    isOver = true;
    for (const timer of [heart, reaper, sweeper]) clearInterval(timer);
    untidy();
    // What is not handed back because the database is away, others find out by themselves.
    await briefly("handing back", handBackAll);
    await briefly("leaving the queue", () => DBOS.shutdown());
    await briefly("saying goodbye", () => ledger.beat(beatNow()));
    served?.close();
    await briefly("closing", () => Promise.all([only.end(), ledger.close()]));
    release();
    say("info", { type: "worker.ended", why });
    drained.resolve(why);
  }

  async function handBackAll(): Promise<void> {
    const mine = await DBOS.listWorkflows({ status: "PENDING", loadInput: false, loadOutput: false });
    await requeue(mine.filter(({ executorId }) => executorId === id).map(({ workflowID }) => workflowID));
  }

  /** DBOS asks a database that is away without end; a worker that is told to end does not wait for that. */
  async function briefly(what: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await inTime(act(), CLOSE_MS, () => new Error("the database does not answer"));
    } catch (error) {
      say("warn", { says: `${what}: ${messageOf(error)}` });
    }
  }

  async function requeue(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const byQueue = Map.groupBy(
      await DBOS.listWorkflows({ workflowIDs: [...ids], loadInput: false, loadOutput: false }),
      ({ queueName }) => queueName ?? queues[0]!,
    );
    await withQueue(access, async (client) => {
      for (const [queueName, workflows] of byQueue)
        await client.resumeWorkflows(
          workflows.map(({ workflowID }) => workflowID),
          { queueName },
        );
    });
  }

  /** In the whole fleet: a worker of that name on another machine would take the runs of this one. */
  async function holdName() {
    const client = await database.connect();
    for (let tries = 0; ; tries++) {
      const { rows } = await client.query<{ got: boolean }>("SELECT pg_try_advisory_lock(hashtext($1)) AS got", [
        `${database.schema} worker ${id}`,
      ]);
      if (rows[0]?.got) return client;
      if (tries === 10) {
        await client.end();
        throw new WorkerError(sayTaken(id, "another machine"));
      }
      await new Promise((done) => setTimeout(done, 300)); // the one before may just have died
    }
  }

  function say(level: "debug" | "info" | "warn" | "error", fields: object): void {
    options.log(
      redact(JSON.stringify({ at: new Date().toISOString(), level, worker: id, ...fields }), [
        { name: "database.url", value: access.url },
      ]),
    );
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

const sayTaken = (id: string, where: string): string =>
  `A worker named ${id} is already running (${where}). Stop it, or start this one with another --id and --state.`;

async function inTime<T>(act: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const timer = setTimeout(() => ended.reject(late()), ms);
  try {
    return await Promise.race([act, ended.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Bundled or not, it lies in a folder beside `bin`, or one deeper. */
function entry(name: string): string {
  const [near, far] = ["../../bin/", "../../../bin/"].map((up) =>
    fileURLToPath(new URL(`${up}${name}`, import.meta.url)),
  );
  return existsSync(near!) ? near! : far!;
}

function keptId(state: string): string {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, "worker-id");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  const made = `${
    hostname()
      .split(".")[0]!
      .slice(0, 30)
      .replace(/[^A-Za-z0-9-]/g, "-") || "worker"
  }-${randomUUID().slice(0, 6)}`;
  writeFileSync(file, made, { mode: 0o600 });
  return made;
}

/** A runner gets the database URL over its pipe. */
function runnerEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const { TILDONE_DATABASE_URL: _, ...rest } = env;
  return rest;
}

const messageOf = (error: unknown): string =>
  error instanceof FleetError || error instanceof Error ? error.message : String(error);
