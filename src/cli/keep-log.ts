import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directories, loadConfig } from "../config/index.ts";
import { bytes, counted, span } from "../core/text/index.ts";
import { isWorking, openRun, type RunCard } from "../engine/index.ts";
import { compactStore } from "../store/index.ts";
import { type HomeStore, withStore } from "./home.ts";
import type { Io } from "./io.ts";
import { undoPlace } from "./undo-place.ts";

const EVERY_MS = 24 * 60 * 60_000;

/** Once a day, where `log.keep` is set: removes what is older, and says what it freed. */
export async function keepLog(io: Io): Promise<void> {
  const loaded = await loadConfig({ cwd: io.cwd, env: io.env, home: io.home });
  const keep = loaded.ok ? loaded.config.log.keepMs : undefined;
  const { state, database } = directories(io);
  const mark = join(state, "pruned");
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (keep === undefined || io.now() - last < EVERY_MS || !existsSync(database)) return;
  writeFileSync(mark, "");
  const said = await withStore(io, async (store) => {
    const old = oldRuns(store, keep, io.now());
    return old.length === 0 ? undefined : removeRuns(store, old, io);
  });
  if (said !== undefined) io.err(`log.keep: ${said} older than ${span(keep)}.`);
}

/** Ended or stopped, and not touched for that long. */
export const oldRuns = (store: HomeStore, age: number, now: number): readonly RunCard[] =>
  store.runs.list().filter((card) => card.updated < now - age && !isWorking(card, store.drivers.of(card), now));

/** Removes them with their checkpoints and compacts the file; what it did, for people. */
export async function removeRuns(store: HomeStore, cards: readonly RunCard[], io: Io): Promise<string> {
  for (const card of cards) {
    await forgetCheckpoints(store, card, io);
    store.runs.remove(card.run);
  }
  const freed = compactStore(directories(io).database);
  return `Removed ${counted(cards.length, "run")} (freed ${bytes(freed)})`;
}

/** Its checkpoints go with it; a folder that is gone has its store removed in time. */
async function forgetCheckpoints(store: HomeStore, card: RunCard, io: Io): Promise<void> {
  if (!existsSync(card.cwd) || openRun(store.log, card.run).run.ledger.checkpoints.taken === 0) return;
  const { checkpoints } = await undoPlace(store, card, io);
  await checkpoints.keepNewest(card.cwd, card.run, 0);
}
