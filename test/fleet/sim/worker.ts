import { FilesError } from "../../../src/fleet/files/index.ts";
import { FleetError, type Ledger } from "../../../src/fleet/index.ts";
import type { Ending } from "../../../src/fleet/runner/job.ts";
import { driveFromQueue, type QueuePlace } from "../../../src/fleet/worker/drive-from-queue.ts";
import { publishRun } from "../../../src/fleet/worker/publish-run.ts";
import { takeTurns } from "../../../src/fleet/worker/take-turns.ts";
import type { Random } from "../../sim/random.ts";
import type { Script } from "./agent.ts";
import { databaseFor } from "./database.ts";
import type { Judge } from "./judge.ts";
import type { Place, Queue } from "./queue.ts";
import type { Remote } from "./remote.ts";
import { playRunner, type Runner } from "./runner.ts";
import { createProcess, type Process, type Wire } from "./wire.ts";

export interface WorkerParts {
  readonly wire: Wire;
  readonly random: Random;
  readonly remote: Remote;
  readonly ledger: Ledger;
  readonly judge: Judge;
  readonly queue: Queue;
  readonly limit: number | undefined;
  readonly scriptOf: (run: string) => Script;
  readonly now: () => number;
  readonly ends: (process: Process) => void;
}

/** One life of a worker: it takes runs from the queue, each in a process of its own. */
export function startWorker(parts: WorkerParts, id: string, life: number) {
  const { wire, judge, remote, queue } = parts;
  const process = createProcess(`${id}.${life}`);
  const ledger = databaseFor(wire, process, parts.ledger, judge);
  const wait = (): Promise<void> => wire.pause(process, "waits");
  const runners = new Set<Runner & { readonly kill: () => void }>();
  let count = 0;
  const left = new Set<string>();
  let isDraining = false;
  const place: Omit<QueuePlace, "keepsPlace" | "runner"> = {
    ledger,
    id,
    allows: () => true,
    limitsOf: () => (parts.limit === undefined ? [] : [["repository", parts.limit]]),
    enter: () => undefined,
    exit: () => {},
    isDraining: () => isDraining,
    ended: () => {},
    publish: (run) => publish(run).catch(expected),
    leave: ({ run }) => left.add(run),
    outdated: () => {},
    untilExit: () => new Promise(() => {}),
    taken: new Set<string>(),
    turn: takeTurns(wait),
    wait,
  };
  return { id, process, runners, take, drain, isDraining: () => isDraining };

  /** The workflow: only the worker that has its place records anything. */
  async function take(entry: Place): Promise<void> {
    const { recovered } = entry;
    const keepsEntry = () => queue.places.includes(entry) && entry.recovered === recovered;
    const keepsPlace = () =>
      wire.call(
        process,
        "database",
        "keeps its place",
        async () => queue.places.includes(entry) && entry.worker === process.name,
      );
    const how = await driveFromQueue(
      { ...place, keepsPlace, runner: (run, attempt) => runner(keepsEntry, run, attempt) },
      entry.run,
    );
    await wire.pause(process, "records its step");
    if (entry.worker !== process.name) return;
    if (how === "finished") await publish(entry.run).catch(expected);
    await wire.pause(process, "ends its workflow");
    if (entry.worker !== process.name) return;
    queue.end(entry);
    if (!left.delete(entry.run)) return;
    await wait();
    queue.add(entry.run);
  }

  function publish(run: string): Promise<string> {
    return publishRun(
      ledger,
      run,
      (_, commit) =>
        wire.call(process, "git", "publish", async () => {
          remote.publish(run, commit);
          judge.published(run, commit);
        }),
      { wait },
    );
  }

  function runner(
    keepsPlace: () => boolean,
    ...[run, attempt]: Parameters<QueuePlace["runner"]>
  ): ReturnType<QueuePlace["runner"]> {
    const own = createProcess(`${process.name}.${++count}`, process);
    const drain = new AbortController();
    const ended = Promise.withResolvers<Ending>();
    const made: Runner & { kill: () => void } = {
      ...{ process: own, run, drain },
      keepsPlace,
      kill: () => {
        parts.ends(own);
        ended.resolve({ type: "died", why: "killed" });
      },
    };
    runners.add(made);
    if (isDraining) drain.abort();
    playRunner(
      {
        ...{
          wire,
          random: parts.random,
          remote,
          process: own,
          worker: id,
          attempt: { ...attempt, token: own.name },
          now: parts.now,
          ends: parts.ends,
        },
        ledger: databaseFor(wire, own, parts.ledger, judge),
        script: parts.scriptOf(run),
        drain: drain.signal,
        leaves: judge.left,
        pushes: judge.pushes,
        bug,
      },
      made,
    ).then(ended.resolve, (error: unknown) => {
      expected(error);
      ended.resolve({ type: "died", why: String(error) });
    });
    return ended.promise.then(async (ending) => {
      parts.ends(own);
      await wire.pause(process, `heard of ${ending.type}`);
      runners.delete(made);
      return { ending, ...(made.claimed && { epoch: made.claimed.epoch }) };
    });
  }

  function drain(): void {
    isDraining = true;
    for (const each of runners) each.drain.abort();
  }

  function expected(error: unknown): undefined {
    if (!(error instanceof FleetError) && !(error instanceof FilesError)) bug(error);
  }

  function bug(error: unknown): void {
    judge.fail("nothing throws", error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

export type SimulatedWorker = ReturnType<typeof startWorker>;
