import { join } from "node:path";
import { isMidWork } from "../core/run/index.ts";
import type { Spoken } from "../core/speaker/index.ts";
import { type Drivers, isWorking, openRun, type RunCard, type Store } from "../engine/index.ts";
import { systemClock } from "../machine/index.ts";
import { checkpointsFor } from "./checkpoints-for.ts";
import type { UndoPlace } from "./undo-run.ts";

export interface UndoHome {
  readonly store: Store & { readonly drivers: Drivers };
  /** The state folder of the user. */
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
}

/** Where the work of a run is looked at and taken back. */
export async function undoPlace(
  { store, state, env, now }: UndoHome,
  { cwd, run }: RunCard,
  spoken: Spoken | undefined,
): Promise<UndoPlace> {
  const clock = { ...systemClock(), now };
  const checkpoints = await checkpointsFor({ clock, env, directory: join(state, "snapshots") });
  return { store, cwd, run, now, prefix: "tildone ", checkpoints, spoken };
}

/** Files that an agent is writing are not taken away under its hands. Undefined: they may be taken back. */
export function midWorkRefusal({ store, now }: UndoHome, card: RunCard): string | undefined {
  const { run } = openRun(store.log, card.run);
  return run.ledger.turn && isMidWork(run) && isWorking(card, store.drivers.of(card), now())
    ? `The agent is working on ${card.run}. Stop it first: tildone hold --now, then undo, then tildone unhold.`
    : undefined;
}
