import { FLEET_VERSION, queueName, WORKFLOW, withQueue } from "./dbos.ts";
import { type FleetAccess, openLedger } from "./ledger/index.ts";
import type { FleetRun, Ledger, Submission } from "./ports.ts";

/** Puts a goal on the queue. A crash between the two leaves a run that the workers find by themselves. */
export async function submitGoal(access: FleetAccess, ledger: Ledger, submission: Submission): Promise<void> {
  await ledger.submit(submission);
  await putOnQueue(access, submission, 1);
}

/** Puts a run that was woken on the queue again. */
export async function enqueue(access: FleetAccess, run: string, generation: number, known?: Ledger): Promise<void> {
  const ledger = known ?? (await openLedger(access, 1));
  try {
    const found = await ledger.get(run);
    if (found) await putOnQueue(access, found, generation);
  } finally {
    if (!known) await ledger.close();
  }
}

/** `more`: the workflow of that name ended without the run. */
export function putOnQueue(
  access: FleetAccess,
  { run, queue, needs, priority }: Pick<FleetRun, "run" | "queue" | "needs" | "priority">,
  generation: number,
  more = "",
): Promise<void> {
  return withQueue(access, async (client) => {
    await client.enqueue(
      {
        workflowName: WORKFLOW,
        queueName: queueName(queue, needs),
        workflowID: `${run}.${generation}${more}`,
        deduplicationID: run,
        duplicationPolicy: "return-existing",
        appVersion: FLEET_VERSION,
        priority,
      },
      run,
    );
  });
}

/** Ends a run wherever it is: who drives it is fenced off at once, and its place on the queue is free. */
export async function cancelRun(access: FleetAccess, ledger: Ledger, run: string, by: string): Promise<boolean> {
  const found = await ledger.get(run);
  const isCancelled = await ledger.cancel(run, by);
  if (isCancelled && found)
    await withQueue(access, (client) => client.cancelWorkflow(`${run}.${found.generation}`, { cancelChildren: true }));
  return isCancelled;
}
