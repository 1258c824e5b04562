import type { RunCard, Store } from "./ports.ts";

/** A run that nobody touched for so long is not at work. */
const STILL_MS = 60 * 60_000;

/** Other live runs in the same directory. */
export function neighbours(
  store: Store,
  own: { readonly run: string; readonly cwd: string },
  now: number,
): readonly RunCard[] {
  return store.runs
    .list()
    .filter(({ run, cwd, live, updated }) => live && cwd === own.cwd && run !== own.run && now - updated < STILL_MS);
}

export function sayNeighbours(cards: readonly RunCard[]): string {
  const names = cards.slice(0, 3).map(({ run, host }) => `${run} (${host})`);
  const more = cards.length > names.length ? ` and ${cards.length - names.length} more` : "";
  return `Another live run works in this directory: ${names.join(", ")}${more}. Neither knows whose changes are whose; work in a copy of your own if that matters.`;
}
