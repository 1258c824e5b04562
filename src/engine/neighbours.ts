import type { Receipt } from "../core/run/index.ts";
import type { RunSummary } from "./card.ts";
import type { RunCard, Store } from "./ports.ts";

/** A run that was not touched for so long is not at work. */
const STILL_MS = 60 * 60_000;

/** Other live runs in the same directory whose agents may be at work: one that stopped changes nothing until it is woken. */
export function neighbours(
  store: Store,
  own: { readonly run: string; readonly cwd: string },
  now: number,
): readonly RunCard[] {
  return store.runs
    .list()
    .filter(({ run, cwd, live, updated }) => live && cwd === own.cwd && run !== own.run && now - updated < STILL_MS)
    .filter(({ summary }) => !AT_REST.has((summary as RunSummary).state));
}

const AT_REST: ReadonlySet<RunSummary["state"]> = new Set(["stop", "left", "ended"]);

/** Whose files they may also have judged. */
export function withNeighbours(receipts: readonly Receipt[], cards: readonly RunCard[]): readonly Receipt[] {
  const beside = cards.map(({ run }) => run);
  return beside.length > 0 ? receipts.map((receipt) => ({ ...receipt, beside })) : receipts;
}

export function sayNeighbours(cards: readonly RunCard[], say: (text: string) => void): void {
  if (cards.length === 0) return;
  const names = cards.slice(0, 3).map(({ run, host }) => `${run} (${host})`);
  const more = cards.length > names.length ? ` and ${cards.length - names.length} more` : "";
  say(
    `Another live run works in this directory: ${names.join(", ")}${more}. Neither knows whose changes are whose; work in a copy of your own if that matters.`,
  );
}
