import type { RunCard, RunSummary, Store } from "../engine/index.ts";
import { UsageError } from "./command.ts";
import type { Io } from "./io.ts";

/** Which run a human means: an id or its beginning; without one the live run of this folder. */
export function pickRun(store: Store, named: string | undefined, io: Io): RunCard {
  const cards = store.runs.list();
  if (cards.length === 0) throw new UsageError("There is no run on this machine yet.");
  return named === undefined ? runOfFolder(cards, io.cwd) : runNamed(cards, named);
}

function runNamed(cards: readonly RunCard[], named: string): RunCard {
  const exact = cards.find(({ run }) => run === named);
  if (exact) return exact;
  const found = cards.filter(({ run }) => run.startsWith(named));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new UsageError(`There is no run "${named}". See tildone status.`);
  throw new UsageError(`"${named}" may be ${some(found)}. Type more of the id.`);
}

function runOfFolder(cards: readonly RunCard[], cwd: string): RunCard {
  const here = cards.filter((card) => card.cwd === cwd || cwd.startsWith(`${card.cwd}/`));
  const live = here.filter((card) => card.live);
  if (live.length === 1) return live[0]!;
  if (live.length > 1) throw new UsageError(`Several runs live in this folder: ${some(live)}. Name one.`);
  const newest = [...here].sort((a, b) => b.updated - a.updated)[0];
  if (newest) return newest;
  throw new UsageError("No run lives in this folder. Name one; tildone status shows them all.");
}

const some = (cards: readonly RunCard[]): string =>
  `${cards
    .slice(0, 5)
    .map(({ run }) => run)
    .join(", ")}${cards.length > 5 ? ", ..." : ""}`;

export const summaryOf = (card: RunCard): RunSummary => card.summary as RunSummary;
