import { APPLICATION, FLEET_VERSION, quietEnvironment, servedQueues, WORKFLOW, withQueue } from "../dbos.ts";
import { dbosSchemaOf, explained, type FleetAccess, loadDbos } from "../ledger/index.ts";
import type { Say } from "./worker-log.ts";

export interface QueueParts {
  readonly access: FleetAccess;
  readonly id: string;
  readonly slots: number;
  readonly queues: readonly string[];
  readonly labels: readonly string[];
  readonly say: Say;
  /** From the claim to the end of a run; tells how. */
  readonly drive: (run: string) => Promise<string>;
  readonly publish: (run: string) => Promise<string>;
}

export type WorkerQueue = Awaited<ReturnType<typeof openQueue>>;

/** The queue as one worker has it: DBOS, and all that we ask of it. */
export async function openQueue({ access, id, slots, queues, labels, say, drive, publish }: QueueParts) {
  const { DBOS } = await loadDbos();
  quietEnvironment();
  const queueModule = await import("@dbos-inc/dbos-sdk/internal/wfqueue");
  const executorModule = await import("@dbos-inc/dbos-sdk/internal/dbos-executor");
  const names = servedQueues(queues, labels);
  // A queue of this process alone: its limit is this worker's, whatever others have.
  const open = names.map((name) =>
    queueModule.registerInternalQueue(name, { workerConcurrency: slots, minPollingIntervalMs: 250 }),
  );
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
      const how = await DBOS.runStep(() => drive(run), { name: "drive" });
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
  return {
    names,
    open,
    launch: () => DBOS.launch(),
    shutdown: () => DBOS.shutdown(),
    /** Of the step that asks. */
    cancelled: () => DBOS.stepStatus?.cancelSignal,
    keepsPlace,
    working,
    queued,
    recover,
    handBack,
  };

  /** Whether the run of the step that asks still has its place here. */
  async function keepsPlace(): Promise<boolean> {
    const found = await DBOS.getWorkflowStatus(DBOS.workflowID ?? "").catch((error: unknown) => {
      throw explained(error);
    });
    return found?.status === "PENDING" && found.executorId === id;
  }

  /** Names of workers that have something. */
  async function working(): Promise<readonly (string | undefined)[]> {
    const pending = await DBOS.listWorkflows({ status: "PENDING", ...BARE });
    return pending.map(({ executorId }) => executorId);
  }

  /** Runs that have a place. */
  async function queued(): Promise<ReadonlySet<string>> {
    const active = await DBOS.listWorkflows({ status: ["PENDING", "ENQUEUED", "DELAYED"], ...BARE });
    return new Set(active.map(({ workflowID }) => workflowID.split(".")[0]!));
  }

  /** Gives what dead workers had to others; how many. */
  async function recover(dead: string[]): Promise<number> {
    return (await executorModule.DBOSExecutor.globalInstance!.recoverPendingWorkflows(dead)).length;
  }

  /** All that this worker has. */
  async function handBack(): Promise<void> {
    const pending = await DBOS.listWorkflows({ status: "PENDING", ...BARE });
    const mine = pending.filter(({ executorId }) => executorId === id).map(({ workflowID }) => workflowID);
    if (mine.length === 0) return;
    const byQueue = Map.groupBy(
      await DBOS.listWorkflows({ workflowIDs: mine, ...BARE }),
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
}

const BARE = { loadInput: false, loadOutput: false } as const;
