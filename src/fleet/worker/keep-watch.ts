import type { Database, pgLedger } from "../ledger/index.ts";
import { isOutage } from "../ledger/index.ts";
import type { FleetRun } from "../ports.ts";
import type { WorkerQueue } from "./dbos-queue.ts";
import { recoverDead } from "./dead-workers.ts";
import { createLostFinder } from "./find-lost.ts";
import type { Metrics } from "./metrics.ts";
import { messageOf, type Say } from "./worker-log.ts";

export interface WatchParts {
  readonly ledger: ReturnType<typeof pgLedger>;
  readonly database: Database;
  readonly queue: Pick<WorkerQueue, "working" | "queued" | "recover">;
  readonly id: string;
  readonly leaseMs: number;
  /** What the fleet is told of this worker. */
  readonly beatNow: () => Parameters<ReturnType<typeof pgLedger>["beat"]>[0];
  readonly driving: { has(run: string): boolean };
  readonly isDraining: () => boolean;
  readonly requeue: (run: FleetRun) => Promise<unknown>;
  readonly metrics: Metrics;
  readonly say: Say;
}

/**
 * The heart of a worker, and its eye on the others: what a dead worker had goes back on the queue, and so does a run that the queue does not
 * know. A worker that was away itself does not judge others.
 */
export function keepWatch(parts: WatchParts) {
  const { ledger, database, queue, id, leaseMs, beatNow, driving, isDraining, requeue, metrics, say } = parts;
  let steadySince = Date.now();
  let lastReap = Date.now();
  const findLost = createLostFinder({ ledger, self: id, leaseMs, driving, queued: queue.queued });
  const timers = [
    setInterval(() => void beat(), leaseMs / 5),
    setInterval(() => void reap(), leaseMs / 3),
    setInterval(() => void sweep(), Math.max(5_000, leaseMs)),
  ];
  return { beat, stop: () => timers.forEach(clearInterval) };

  async function beat(): Promise<void> {
    try {
      await ledger.beat(beatNow());
    } catch (error) {
      steadySince = Date.now(); // after an outage everybody's beat is late
      if (!isOutage(error)) say("error", { says: messageOf(error) });
    }
  }

  async function reap(): Promise<void> {
    const now = Date.now();
    const leapt = now - lastReap > leaseMs;
    lastReap = now;
    if (leapt) steadySince = now;
    if (now - steadySince < leaseMs || isDraining()) return;
    try {
      await recoverDead(database, { id, leaseMs, working: queue.working }, async (dead) => {
        const runs = await queue.recover(dead);
        metrics.recovered(runs);
        say("warn", { type: "workers.dead", workers: dead, runs });
      });
    } catch (error) {
      if (!isOutage(error)) say("error", { says: `looking for dead workers: ${messageOf(error)}` });
    }
  }

  async function sweep(): Promise<void> {
    if (isDraining()) return;
    try {
      for (const run of await findLost()) {
        await requeue(run);
        say("warn", { run: run.run, type: "run.requeued" });
      }
    } catch (error) {
      if (!isOutage(error)) say("error", { says: `looking for lost runs: ${messageOf(error)}` });
    }
  }
}
