import { UNBORN } from "../../core/run/index.ts";
import { type Seen, viewOf } from "../../core/view/index.ts";
import {
  createReader,
  type Driver,
  type Drivers,
  isGone,
  type Reader,
  type ReadRun,
  type RunCard,
} from "../../engine/index.ts";
import { isOutage } from "../ledger/index.ts";
import type { FleetRun, Ledger, WorkerRow } from "../ports.ts";
import { cardOfFleetRun } from "./fleet-card.ts";
import { driversOf } from "./fleet-drivers.ts";
import { type MirrorStore, mirrorStore } from "./mirror-store.ts";
import { readFromOutside, reportFromOutside } from "./outside.ts";

/** The runs of the fleet, read as those of this machine are. */
export interface Mirror {
  readonly reader: Reader;
  /** Who works on a run, as of the last time that it was read. */
  readonly drivers: Pick<Drivers, "of">;
  /** Where each run stands, by a name that changes when it moves. So cheap that it may be asked every second. */
  positions(): Promise<ReadonlyMap<string, string>>;
  /** To try something on it first: what is written there goes no further. */
  readonly copy: MirrorStore;
}

type Facts = Pick<Seen, "endsNoTurn" | "isOurs">;

/** Lists show so many, the ones changed last first. */
const MOST_LISTED = 1_000;

/** One set of views for both stores: the rows go into a store in memory, and the reader of every other store reads it. */
export function openMirror(
  ledger: Pick<Ledger, "get" | "list" | "rows" | "workers">,
  now: () => number,
  factsOf: (host: string) => Facts | Promise<Facts>,
): Mirror {
  const copy = mirrorStore(ledger, now);
  let workers: readonly WorkerRow[] = [];
  const drivers = { of: (session: Parameters<Drivers["of"]>[0]) => ofSession(session) };
  const inner = createReader(copy.store, drivers as Drivers, now, factsOf);

  return {
    copy,
    drivers,
    positions: async () => {
      const [positions] = await Promise.all([copy.positions(MOST_LISTED), lookAround()]);
      return positions;
    },
    reader: {
      ...inner,
      cards: async () => {
        const [runs] = await Promise.all([copy.list(MOST_LISTED), lookAround()]);
        return runs.map(cardOfFleetRun).sort((a, b) => b.updated - a.updated || (a.run < b.run ? -1 : 1));
      },
      read: async (name) => {
        const run = await follow(name);
        if (!run) return undefined;
        const found = run.seq === 0 ? await unbegun(run) : await inner.read(name);
        const read = found && readFromOutside(run, found, workers);
        // A folder on the machine of its worker means nothing here.
        return read && { ...read, view: { ...read.view, cwd: run.repo } };
      },
      report: async (name, ...rest) => {
        const run = await follow(name);
        const report = run && (await inner.report(name, ...rest));
        return report && reportFromOutside(run, report, workers);
      },
      async *entries(name, after) {
        await follow(name);
        yield* inner.entries(name, after);
      },
    },
  };

  /** While the database is away, what was read before stands: who watches sees it grow old instead of going away. */
  async function follow(name: string): Promise<FleetRun | undefined> {
    try {
      const [run] = await Promise.all([copy.follow(name), lookAround()]);
      return run;
    } catch (error) {
      const known = copy.seen(name);
      const hasRead = known !== undefined && (known.seq === 0 || copy.store.log.last(name) > 0);
      if (!isOutage(error) || !hasRead) throw error;
      return known;
    }
  }

  async function lookAround(): Promise<void> {
    workers = await ledger.workers();
  }

  function ofSession({ host, session }: Pick<RunCard, "host" | "session">): readonly Driver[] {
    const card = copy.store.runs.find(host, session);
    const run = card && copy.seen(card.run);
    return run ? driversOf(run, card, workers) : [];
  }

  /** Submitted, and no worker began it: there is no log, and what was submitted is known. */
  async function unbegun(run: FleetRun): Promise<ReadRun> {
    const card = cardOfFleetRun(run);
    const gone = isGone(card, driversOf(run, card, workers));
    const seen: Seen = { now: now(), heardAt: card.updated, isGone: gone, ...(await factsOf(card.host)) };
    const { host, session, cwd } = card;
    const blank = { ...UNBORN, id: run.run, goal: run.goal, origin: { host, session, cwd } };
    return { card, run: blank, seq: 0, seen, view: { ...viewOf(blank, seen), began: run.submittedAt } };
  }
}
