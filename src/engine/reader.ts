import type { Run } from "../core/run/index.ts";
import { type RunView, type Seen, viewOf } from "../core/view/index.ts";
import { isGone } from "./is-working.ts";
import type { Drivers, RunCard, Store } from "./ports.ts";
import { type LogEntry, readLog } from "./read-log.ts";
import { openRun } from "./recorder.ts";

/** Reads runs and changes none. It is waited for: the log may stand on another machine. */
export interface Reader {
  cards(): Promise<readonly RunCard[]>;
  /** A run as its log stands now, with what else is known of it. Undefined: there is none of that name. */
  read(run: string): Promise<ReadRun | undefined>;
  /** The log row by row; what cannot be read says why. */
  entries(run: string, after?: number): AsyncIterable<LogEntry>;
}

export interface ReadRun {
  readonly card: RunCard;
  readonly run: Run;
  readonly seen: Seen;
  readonly view: RunView;
}

/** `factsOf`: what a host can do, as far as a screen needs it. */
export function createReader(
  { log, runs }: Pick<Store, "log" | "runs">,
  drivers: Drivers,
  now: () => number,
  factsOf: (host: string) => Pick<Seen, "endsNoTurn" | "isOurs">,
): Reader {
  return {
    cards: async () => runs.list(),
    read: async (name) => {
      const card = runs.get(name);
      if (!card) return undefined;
      const { run } = openRun(log, card.run);
      const gone = isGone(card, drivers.of(card));
      const seen: Seen = { now: now(), heardAt: card.updated, isGone: gone, ...factsOf(card.host) };
      return { card, run, seen, view: viewOf(run, seen) };
    },
    async *entries(name, after) {
      yield* readLog(log, name, after);
    },
  };
}
