import { isAway } from "../files/index.ts";
import type { FleetRun, Ledger } from "../ports.ts";
import { insist, type Patience } from "../runner/insist.ts";

/**
 * Any worker may do it, also twice: `push` gets exactly the commit that was recorded, and it stands in the remote already. Where the remote
 * is away, it waits.
 */
export async function publishRun(
  ledger: Pick<Ledger, "get" | "published">,
  run: string,
  push: (run: FleetRun, commit: string) => Promise<void>,
  patience?: Patience,
): Promise<string> {
  const found = await insist(() => ledger.get(run), patience);
  if (found?.state !== "finished" || found.resultCommit === undefined) return "nothing";
  const { resultCommit } = found;
  await insist(() => push(found, resultCommit), { ...patience, isPassing: isAway });
  await insist(() => ledger.published(run), patience);
  return resultCommit;
}
