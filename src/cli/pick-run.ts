import { realpathSync } from "node:fs";
import { isAgedOut, isWaiting, isWorking, type ReadRun, type RunCard } from "../engine/index.ts";
import { UsageError } from "./command.ts";
import type { HomeStore } from "./home.ts";
import type { Io } from "./io.ts";

/** Which run a command means: an id or its beginning; without one the run of this folder that works or waits, else the newest. */
export function pickRun(store: HomeStore, named: string | undefined, io: Io): RunCard {
  return named === undefined ? runOfFolder(store, io) : runNamed(store, named);
}

/** The run of a card that was just listed; somebody may have removed it since. */
export async function readRun({ reader }: Pick<HomeStore, "reader">, { run }: RunCard): Promise<ReadRun> {
  const found = await reader.read(run);
  if (!found) throw new UsageError(`There is no run "${run}" any more. See tildone status --all.`);
  return found;
}

export function runNamed(store: HomeStore, named: string): RunCard {
  const cards = store.runs.list();
  const exact = cards.find(({ run }) => run === named);
  if (exact) return exact;
  const found = named === "" ? [] : cards.filter(({ run }) => run.startsWith(named));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new UsageError(`There is no run "${named}". See tildone status --all.`);
  throw new UsageError(`"${named}" could be ${some(found)}. Type more of the id.`);
}

function runOfFolder(store: HomeStore, io: Io): RunCard {
  const here = runsOf(io.cwd, store.runs.list());
  const active = here.filter((card) => isActive(store, card, io.now()));
  const [chosen, ...others] = active.length > 0 ? active : here;
  if (!chosen) throw new UsageError(nothingHere(store, io));
  if (active.length > 1)
    io.err(`${active.length} runs are active in this folder. This is ${chosen.run}; name another: ${some(others)}.`);
  return chosen;
}

/** The runs of a folder and of the folders above it: the nearest folder first, then the newest change. */
export function runsOf(cwd: string, cards: readonly RunCard[]): readonly RunCard[] {
  const folder = real(cwd);
  return cards
    .map((card) => ({ card, at: real(card.cwd) }))
    .filter(({ at }) => folder === at || folder.startsWith(at.endsWith("/") ? at : `${at}/`))
    .sort((a, b) => b.at.length - a.at.length || b.card.updated - a.card.updated)
    .map(({ card }) => card);
}

/** It works, or it waits and may be woken. */
export function isActive(store: HomeStore, card: RunCard, now: number): boolean {
  const drivers = store.drivers.of(card);
  return isWorking(card, drivers, now) || (isWaiting(card, drivers) && !isAgedOut(card, drivers, now, store.ageOutMs));
}

export function nothingHere(store: HomeStore, io: Io): string {
  const elsewhere = store.runs.list().filter((card) => isActive(store, card, io.now()));
  if (elsewhere.length > 0)
    return `No run belongs to this folder (${io.cwd}). Active elsewhere: ${elsewhere
      .slice(0, 5)
      .map(({ run, cwd }) => `${run} in ${cwd}`)
      .join(", ")}. Name one.`;
  return store.runs.list().length === 0
    ? 'There is no run on this machine yet. Start one: tildone run "goal".'
    : `No run belongs to this folder (${io.cwd}). tildone status --all shows them all; name one.`;
}

/** A folder that is gone is what it was called. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const some = (cards: readonly RunCard[]): string =>
  `${cards
    .slice(0, 5)
    .map(({ run }) => run)
    .join(", ")}${cards.length > 5 ? ", ..." : ""}`;
