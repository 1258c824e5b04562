import { join } from "node:path";
import { checkpointsFor, systemClock, type UndoPlace } from "../compose/index.ts";
import { directories } from "../config/index.ts";
import { isMidWork } from "../core/run/index.ts";
import { isWorking, openRun, type RunCard } from "../engine/index.ts";
import { Failure } from "./command.ts";
import type { HomeStore } from "./home.ts";
import type { Io } from "./io.ts";
import { spokenHere } from "./speaker.ts";

/** Where the work of a run is looked at and taken back. */
export async function undoPlace(store: HomeStore, card: RunCard, io: Io): Promise<UndoPlace> {
  const { state } = directories({ env: io.env, home: io.home });
  return {
    ...{ store, cwd: card.cwd, run: card.run, now: io.now, prefix: "tildone " },
    checkpoints: await checkpointsFor({
      clock: { ...systemClock(), now: io.now },
      env: io.env,
      directory: join(state, "snapshots"),
    }),
    spoken: spokenHere(store, io),
  };
}

/** Files that an agent is writing are not taken away under its hands. */
export function refuseMidWork(store: HomeStore, card: RunCard, io: Io): void {
  const { run } = openRun(store.log, card.run);
  if (run.ledger.turn && isMidWork(run) && isWorking(card, store.drivers.of(card), io.now()))
    throw new Failure(
      `The agent is working on ${card.run}. Stop it first: tildone hold --now, then undo, then tildone unhold.`,
    );
}
