import type { Report, Reporter } from "../core/report/index.ts";
import type { Run } from "../core/run/index.ts";
import { type RunView, type Seen, viewOf } from "../core/view/index.ts";
import { isGone } from "./is-working.ts";
import { openRun } from "./open-run.ts";
import type { Audit, Drivers, RunCard, Store } from "./ports.ts";
import { type LogEntry, readLog } from "./read-log.ts";

/** Reads runs and changes none. It is waited for: the log may stand on another machine. */
export interface Reader {
  cards(): Promise<readonly RunCard[]>;
  /** A run as its log stands now, with what else is known of it. Undefined: there is none of that name. */
  read(run: string): Promise<ReadRun | undefined>;
  /** What the whole log tells of a run. Asked again, only what is new is read. `log`: whether it is as it was written, where that is known. */
  report(run: string, log?: Audit): Promise<Report | undefined>;
  /** The log row by row; what cannot be read says why. */
  entries(run: string, after?: number): AsyncIterable<LogEntry>;
}

export interface ReadRun {
  readonly card: RunCard;
  readonly run: Run;
  /** Where its log ends. */
  readonly seq: number;
  readonly seen: Seen;
  readonly view: RunView;
}

type Facts = Pick<Seen, "endsNoTurn" | "isOurs">;

/** `factsOf`: what a host can do, as far as a screen needs it. */
export function createReader(
  { log, runs }: Pick<Store, "log" | "runs">,
  drivers: Drivers,
  now: () => number,
  factsOf: (host: string) => Facts | Promise<Facts>,
): Reader {
  /** The runs that were asked about last. */
  const followed = new Map<string, Followed>();
  return {
    cards: async () => runs.list(),
    read: async (name) => {
      const card = runs.get(name);
      if (!card) return undefined;
      const { run, seq } = openRun(log, card.run);
      const gone = isGone(card, drivers.of(card));
      const seen: Seen = { now: now(), heardAt: card.updated, isGone: gone, ...(await factsOf(card.host)) };
      return { card, run, seq, seen, view: viewOf(run, seen) };
    },
    report: async (name, state) => {
      const card = runs.get(name);
      if (!card) return undefined;
      const { followReport } = await import("../core/report/index.ts"); // most processes never tell one
      const { reporter, unread } = caughtUp(name, followReport);
      return reporter.report({ log: state, unread: () => unread, isGone: isGone(card, drivers.of(card)) });
    },
    async *entries(name, after) {
      yield* readLog(log, name, after);
    },
  };

  function caughtUp(name: string, followReport: () => Reporter): Followed {
    const kept = followed.get(name);
    // A log that is shorter than it was is another one.
    const known = kept && kept.seq <= log.last(name) ? kept : { reporter: followReport(), seq: 0, unread: 0 };
    for (const entry of readLog(log, name, known.seq)) {
      known.seq = entry.seq;
      if ("envelope" in entry) known.reporter.add(entry.envelope);
      else known.unread++;
    }
    followed.delete(name);
    followed.set(name, known);
    const [oldest] = followed.keys();
    if (followed.size > MOST_FOLLOWED) followed.delete(oldest!);
    return known;
  }
}

interface Followed {
  readonly reporter: Reporter;
  seq: number;
  unread: number;
}

const MOST_FOLLOWED = 8;
