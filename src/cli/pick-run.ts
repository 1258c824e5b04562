import { realpathSync } from "node:fs";
import { isAgedOut, isWaiting, isWorking, type ReadRun, type RunCard } from "../engine/index.ts";
import { Failure, UsageError } from "./command.ts";
import type { HomeStore } from "./home.ts";
import type { Io } from "./io.ts";

/** Which run a command means: an id or its beginning; without one the run of this folder that works or waits, else the newest. */
export async function pickRun(store: HomeStore, named: string | undefined, io: Io): Promise<RunCard> {
  return named === undefined ? runOfFolder(store, io) : runNamed(store, named);
}

/** The same for what needs the files of a run: those of the fleet are elsewhere. */
export async function pickHere(store: HomeStore, named: string | undefined, io: Io): Promise<RunCard> {
  const card = await pickRun(store, named, io);
  if (store.isOfFleet(card.run))
    throw new Failure(
      `${card.run} is a run of the fleet, and its files are with its worker. To continue it: tildone unhold ${card.run}, or tildone say --run ${card.run} "message". Its result is the branch tildone/${card.run}.`,
    );
  return card;
}

/** The run of a card that was just listed; it may have been removed since. */
export async function readRun({ reader }: Pick<HomeStore, "reader">, { run }: RunCard): Promise<ReadRun> {
  const found = await reader.read(run);
  if (!found) throw new UsageError(`There is no run "${run}" any more. See tildone status --all.`);
  return found;
}

export async function runNamed(store: HomeStore, named: string): Promise<RunCard> {
  const here = store.runs.get(named);
  if (here) return here; // no other machine has to be asked
  const cards = await store.reader.cards();
  const exact = cards.find(({ run }) => run === named);
  if (exact) return exact;
  const found = named === "" ? [] : cards.filter(({ run }) => run.startsWith(named));
  if (found.length === 1) return found[0]!;
  const away = store.away();
  if (found.length === 0)
    throw new UsageError(
      `There is no run "${named}"${away === undefined ? "" : " on this machine"}. See tildone status --all.`,
    );
  throw new UsageError(`"${named}" could be ${some(found)}. Type more of the id.`);
}

async function runOfFolder(store: HomeStore, io: Io): Promise<RunCard> {
  const here = runsOf(io.cwd, store.runs.list());
  const active = here.filter((card) => isActive(store, card, io.now()));
  const [chosen, ...others] = active.length > 0 ? active : here;
  if (!chosen) throw new UsageError(await nothingHere(store, io));
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

export async function nothingHere(store: HomeStore, io: Io): Promise<string> {
  const cards = await store.reader.cards();
  const elsewhere = cards.filter((card) => isActive(store, card, io.now()));
  if (elsewhere.length > 0)
    return `No run belongs to this folder (${io.cwd}). Active elsewhere: ${elsewhere
      .slice(0, 5)
      .map(({ run, cwd }) => (store.isOfFleet(run) ? `${run} of the fleet` : `${run} in ${cwd}`))
      .join(", ")}. Name one.`;
  return cards.length === 0
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
