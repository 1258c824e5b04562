import { withQueue } from "../dbos.ts";
import { FilesError, type FleetGit, removeFiles } from "../files/index.ts";
import type { FleetAccess } from "../ledger/index.ts";
import type { FleetRun, Ledger } from "../ports.ts";

export interface RemovalPorts {
  readonly access: FleetAccess;
  readonly ledger: Pick<Ledger, "remove">;
  readonly git: FleetGit;
  /** A folder to work in. */
  readonly cache: string;
}

/** What became of one. `left`: why its checkpoints stay in the repository. */
export type Removal =
  | { readonly status: "removed"; readonly left?: string }
  | { readonly status: "kept"; readonly why: string };

const ACTIVE: ReadonlySet<string> = new Set(["PENDING", "ENQUEUED", "DELAYED"]);

/**
 * Removes runs that are over: the checkpoints in the repository, what the queue knows, and last the rows, so that a removal that is cut
 * short is done again. The branch of a result stays. A repository that is away keeps its runs for the next time.
 */
export async function removeRuns(
  { access, ledger, git, cache }: RemovalPorts,
  runs: readonly Pick<FleetRun, "run" | "repo" | "state">[],
  tell: (run: string, removal: Removal) => void,
): Promise<void> {
  const away = new Map<string, string>();
  await withQueue(access, async (client) => {
    for (const each of runs) tell(each.run, await removeOne(each));

    async function removeOne({ run, repo, state }: (typeof runs)[number]): Promise<Removal> {
      const found = await client.listWorkflows({
        ...{ workflow_id_prefix: `${run}.`, loadInput: false, loadOutput: false },
      });
      const own = found.filter(({ workflowID }) => workflowID.startsWith(`${run}.`)); // a prefix may hold a wildcard
      if (state === "finished" && own.some(({ status }) => ACTIVE.has(status)))
        return { status: "kept", why: "its result is still being pushed" };
      const left = await filesOf(run, repo);
      const why = away.get(repo);
      if (why !== undefined) return { status: "kept", why };
      if (own.length > 0) await client.deleteWorkflows(own.map(({ workflowID }) => workflowID));
      const gone = await ledger.remove([run]);
      if (gone.length === 0) return { status: "kept", why: "it is not over, or another one removed it" };
      return { status: "removed", ...(left !== undefined && { left }) };
    }
  });

  async function filesOf(run: string, repo: string): Promise<string | undefined> {
    if (away.has(repo)) return undefined;
    try {
      await removeFiles({ git, cache, repo, run });
      return undefined;
    } catch (error) {
      if (!(error instanceof FilesError)) throw error;
      if (error.code === "away") away.set(repo, error.message);
      return error.message;
    }
  }
}
