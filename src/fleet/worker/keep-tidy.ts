import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../machine/index.ts";
import { pruneClones } from "../files/index.ts";
import { isOutage, OVER } from "../ledger/index.ts";
import type { FleetRun } from "../ports.ts";
import { pruneRuns } from "../retention/index.ts";

export interface Tidying extends Omit<Parameters<typeof pruneRuns>[0], "cache"> {
  /** Where the worker keeps clones and runs. */
  readonly state: string;
  /** How long the fleet keeps a run that is over; undefined: without end. */
  readonly keepMs: number | undefined;
  /** Clones of repositories that are kept; undefined: all. */
  readonly clones: number | undefined;
  readonly everyMs?: number;
  readonly allows: (run: FleetRun) => boolean;
  /** Whether this worker drives it now. */
  readonly isDriving: (run: string) => boolean;
  readonly say: (level: "info" | "warn", fields: object) => void;
}

const HOUR = 60 * 60_000;
/** A worker that is restarted again and again does it, too. */
const FIRST_MS = 60_000;

/** Rarely: removes what runs that are over left in the folder of this worker, and runs of the fleet that are too old. Gives what ends it. */
export function keepTidy(options: Tidying): () => void {
  const { ledger, state, everyMs = HOUR, keepMs, clones, allows, isDriving, say } = options;
  let timer = setTimeout(tidy, Math.min(FIRST_MS, everyMs));
  return () => clearTimeout(timer);

  async function tidy(): Promise<void> {
    try {
      await removeFolders();
      if (clones !== undefined) removeClones(clones);
      if (keepMs !== undefined) await prune(keepMs);
    } catch (error) {
      if (!isOutage(error)) say("warn", { says: `removing old runs: ${String(error)}` });
    }
    timer = setTimeout(tidy, everyMs);
  }

  /** Only of runs that no worker will drive again: another one may share this folder. */
  async function removeFolders(): Promise<void> {
    const folder = join(state, "runs");
    for (const run of attempt(() => readdirSync(folder)) ?? []) {
      const found = isDriving(run) ? undefined : await ledger.get(run);
      if (!isDriving(run) && (!found || OVER.includes(found.state)))
        rmSync(join(folder, run), { recursive: true, force: true, maxRetries: 3 });
    }
  }

  function removeClones(most: number): void {
    const removed = pruneClones({ state, most, now: Date.now() });
    if (removed.length > 0) say("info", { type: "clones.removed", count: removed.length });
  }

  function prune(ms: number): Promise<void> {
    return pruneRuns({ ...options, cache: join(state, "repos") }, ms, allows, (run, removal) =>
      say("left" in removal || removal.status === "kept" ? "warn" : "info", {
        run,
        ...removal,
        type: removal.status === "removed" ? "run.removed" : "run.kept",
      }),
    );
  }
}
