import { tmpdir } from "node:os";
import { join } from "node:path";
import { counted, span } from "../../core/text/index.ts";
import type { FleetRun, FleetState, Ledger } from "../../fleet/index.ts";
import { Failure } from "../command.ts";
import type { Io } from "../io.ts";
import { fleetSettings } from "./fleet-settings.ts";

/** At once: each is a push. */
const MOST = 1000;

export interface FleetRemoval {
  /** Which runs: the one of that id, or all that are over for so long. */
  readonly which: { readonly run: string } | { readonly olderThanMs: number };
  /** Whether they are to be removed, asked after they were shown. */
  readonly agreed: (count: number) => Promise<boolean>;
}

/** Removes runs of the fleet that are over, with their checkpoints in the repository. */
export async function removeFleetRuns({ which, agreed }: FleetRemoval, io: Io): Promise<number> {
  const access = await fleetSettings(io);
  const { fleetGit, openLedger, OVER, removeRuns } = await import("../../fleet/index.ts");
  const ledger = await openLedger(access);
  try {
    const runs =
      "run" in which
        ? [await overRun(ledger, which.run, OVER)]
        : await ledger.list({ states: OVER, changedBefore: io.now() - which.olderThanMs, limit: MOST });
    if (runs.length === 0) {
      io.out("The fleet has no run that is over for so long.");
      return 0;
    }
    for (const { run, repo, state, updatedAt } of runs)
      io.out(`${run}  ${state}  ${repo}  ${span(Math.max(0, io.now() - updatedAt))} ago`);
    if (!(await agreed(runs.length))) return 0;
    let removed = 0;
    const cache = join(tmpdir(), `tildone-remove-${process.pid}`);
    await removeRuns({ access, ledger, git: fleetGit(io.env), cache }, runs, (run, removal) => {
      if (removal.status === "removed") removed++;
      else io.err(`${run} was not removed: ${removal.why}`);
      if (removal.status === "removed" && removal.left !== undefined)
        io.err(`The checkpoints of ${run} stay in its repository, as refs/tildone/fleet/${run}. ${removal.left}`);
    });
    io.out(`Removed ${counted(removed, "run")} of the fleet. Branches of results stay.`);
    return removed === runs.length ? 0 : 1;
  } finally {
    await ledger.close();
  }
}

async function overRun(ledger: Ledger, run: string, over: readonly FleetState[]): Promise<FleetRun> {
  const found = await ledger.get(run);
  if (!found) throw new Failure(`The fleet has no run ${run} any more.`);
  if (over.includes(found.state)) return found;
  throw new Failure(`${run} is not over. End it first: tildone cancel ${run}`);
}
