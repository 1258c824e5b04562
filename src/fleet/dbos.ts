import { dbosSchemaOf, type FleetAccess, loadDbos } from "./ledger/index.ts";

/** Runs of another version are never taken by this one: it changes when a workflow has other steps, and with nothing else. */
export const FLEET_VERSION = "fleet-1";
export const WORKFLOW = "run";
export const APPLICATION = "tildone";

/** One queue for each set of labels: a worker listens to those whose labels it all has. */
export const queueName = (queue: string, needs: readonly string[]): string =>
  needs.length === 0 ? queue : `${queue}:${[...new Set(needs)].sort().join(",")}`;

/** Every set of its labels, the empty one included. */
export function servedQueues(queues: readonly string[], labels: readonly string[]): readonly string[] {
  const sets: string[][] = [[]];
  for (const label of [...new Set(labels)].sort()) sets.push(...sets.map((set) => [...set, label]));
  return queues.flatMap((queue) => sets.map((set) => queueName(queue, set)));
}

/** What DBOS reads from the environment, or says to a terminal, is none of the fleet's. */
export function quietEnvironment(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith("DBOS_")) delete process.env[name];
}

type Client = Awaited<ReturnType<Awaited<ReturnType<typeof loadDbos>>["DBOSClient"]["create"]>>;

/** A connection to the queue for as long as `body` needs it. */
export async function withQueue<T>(access: FleetAccess, body: (client: Client) => Promise<T>): Promise<T> {
  const { DBOSClient } = await loadDbos();
  quietEnvironment();
  const client = await DBOSClient.create({
    systemDatabaseUrl: access.url,
    systemDatabaseSchemaName: dbosSchemaOf(access),
    applicationName: APPLICATION,
  });
  try {
    return await body(client);
  } finally {
    await client.destroy();
  }
}
