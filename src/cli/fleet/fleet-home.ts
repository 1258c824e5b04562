import type { Told } from "../../compose/index.ts";
import type { Trigger } from "../../core/react/index.ts";
import type { Spoken } from "../../core/speaker/index.ts";
import type { Drivers, Log, Reader, RunCard } from "../../engine/index.ts";
import type { Ledger } from "../../fleet/index.ts";
import type { HomeStore } from "../home.ts";
import type { Io } from "../io.ts";
import { screenFacts } from "../screen-facts.ts";
import { ownName } from "./own-name.ts";

/** Which database, and which tenant in it. The URL is a secret. */
export interface FleetSettings {
  readonly url: string;
  readonly schema: string;
}

/** The runs of the fleet as this machine sees them. */
export interface FleetRuns {
  readonly reader: Reader;
  readonly drivers: Pick<Drivers, "of">;
  positions(): Promise<ReadonlyMap<string, string>>;
  card(run: string): RunCard | undefined;
  log(run: string): Promise<Log>;
  cancel(run: string): Promise<boolean>;
  pullRequest(run: string): Promise<string | undefined>;
  tell(run: string, trigger: Trigger, from: Spoken | undefined): Promise<Told>;
  close(): Promise<void>;
}

export interface FleetHome extends HomeStore {
  close(): Promise<void>;
}

/**
 * Adds the runs of the fleet to those of this machine. The database is asked when a run is not found here, or all are listed: what
 * concerns this machine alone waits for no other, and works while the database is away.
 */
export function openFleetHome(
  here: HomeStore,
  settings: FleetSettings,
  io: Pick<Io, "err" | "now">,
  connect: typeof connectRuns = connectRuns,
): FleetHome {
  let opening: Promise<FleetRuns> | undefined;
  let open: FleetRuns | undefined;
  let seen: Awaited<ReturnType<Reader["cards"]>> = [];
  let why: string | undefined;

  const isHere = (run: string): boolean => here.runs.get(run) !== undefined;
  const readerOf = async (run: string): Promise<Reader> => (isHere(run) ? here.reader : (await fleet()).reader);

  return {
    ...here,
    isOfFleet: (run) => !isHere(run) && (seen.some((card) => card.run === run) || (open !== undefined && run !== "")),
    away: () => why,
    reader: {
      cards: async () => {
        const own = await here.reader.cards();
        const names = new Set(own.map(({ run }) => run));
        return [...own, ...(await fleetCards()).filter(({ run }) => !names.has(run))];
      },
      read: async (run) => (await readerOf(run)).read(run),
      report: async (run, log) => (await readerOf(run)).report(run, log),
      async *entries(run, after) {
        yield* (await readerOf(run)).entries(run, after);
      },
    },
    drivers: {
      ...here.drivers,
      of: (session) =>
        open === undefined || here.runs.find(session.host, session.session)
          ? here.drivers.of(session)
          : open.drivers.of(session),
    },
    tell: async (run, trigger, from) =>
      isHere(run) ? here.tell(run, trigger, from) : (await fleet()).tell(run, trigger, from),
    pullRequest: async (run) => (isHere(run) ? undefined : (await fleet()).pullRequest(run)),
    elsewhere: {
      positions: async () => (await fleet()).positions(),
      card: (run) => open?.card(run),
      log: async (run) => (await fleet()).log(run),
      cancel: async (run) => (await fleet()).cancel(run),
      isAway,
    },
    close: async () => {
      await opening?.catch(() => undefined);
      await open?.close();
    },
  };

  /** Tries again each time it is needed: a database that was away may be back. */
  async function fleet(): Promise<FleetRuns> {
    opening ??= connect(settings, io);
    try {
      open = await opening;
      return open;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  /** Said once where the database is away; what was seen last is kept. */
  async function fleetCards(): Promise<typeof seen> {
    try {
      seen = await (await fleet()).reader.cards();
      why = undefined;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (why === undefined) io.err(`Runs of the fleet are not shown. ${error.message}`);
      why = error.message;
    }
    return seen;
  }
}

/** Its class is loaded only with the fleet. */
const isAway = (error: unknown): error is Error => error instanceof Error && error.name === "FleetError";

async function connectRuns(settings: FleetSettings, { now }: Pick<Io, "now">): Promise<FleetRuns> {
  const { cancelRun, enqueue, openLedger } = await import("../../fleet/index.ts");
  const ledger = await openLedger(settings);
  return runsOfLedger(ledger, now, {
    wake: (run, generation) => enqueue(settings, run, generation),
    cancel: (run) => cancelRun(settings, ledger, run, ownName()),
  });
}

/** What the queue has to know of, besides the ledger. */
interface Queue {
  wake(run: string, generation: number): Promise<void>;
  cancel(run: string): Promise<boolean>;
}

export async function runsOfLedger(ledger: Ledger, now: () => number, { wake, cancel }: Queue): Promise<FleetRuns> {
  const { openMirror, tellFleet } = await import("../../fleet/index.ts");
  const { reader, drivers, positions, copy } = openMirror(ledger, now, screenFacts);
  return {
    reader,
    drivers,
    positions,
    card: (run) => copy.store.runs.get(run),
    log: async (run) => {
      await copy.follow(run);
      return copy.store.log;
    },
    cancel,
    pullRequest: async (run) => (await ledger.papers(run)).pr,
    tell: (run, trigger, from) => tellFleet({ ledger, copy, run, now: now(), from, wake }, trigger),
    close: () => ledger.close(),
  };
}
