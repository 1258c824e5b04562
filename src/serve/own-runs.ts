import type { RunCard, Runs } from "../engine/index.ts";

/** The runs of this machine, as they are looked at many times a second. */
export interface OwnRuns {
  /** Where each stands; undefined: nothing moved since the last look. `hasWritten`: this process wrote something itself. */
  positions(hasWritten: boolean): ReadonlyMap<string, number> | undefined;
  card(run: string): RunCard | undefined;
}

export function ownRuns(runs: Pick<Runs, "list" | "get" | "positions" | "writes">): OwnRuns {
  let writes: number | undefined;
  /** All of them at once for the first look, where all are asked for. */
  let first: ReadonlyMap<string, RunCard> | undefined;
  return {
    positions: (hasWritten) => {
      const written = runs.writes();
      const isFirst = writes === undefined;
      // A store that only this process can reach counts no writes of others.
      const moved = isFirst || hasWritten || written !== writes || written === 0;
      writes = written;
      first = isFirst ? new Map(runs.list().map((card) => [card.run, card])) : undefined;
      return moved ? runs.positions() : undefined;
    },
    card: (run) => first?.get(run) ?? runs.get(run),
  };
}
