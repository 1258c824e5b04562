import { randomBytes } from "node:crypto";
import { type Drivers, type Reader, type RunCard, type Runs, rowOf, summaryOf } from "../engine/index.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { ownRuns } from "./own-runs.ts";
import type { Board, Change, InboxItem, RowShown } from "./wire.ts";

export interface BoardPorts {
  readonly runs: Pick<Runs, "list" | "get" | "positions" | "writes">;
  readonly elsewhere?: Pick<Elsewhere, "positions" | "card" | "isAway"> | undefined;
  readonly reader: Pick<Reader, "read">;
  readonly drivers: Pick<Drivers, "of">;
  readonly now: () => number;
  readonly ageOutMs: number;
}

/** A change with the name by which a stream continues after it. */
export interface NamedChange {
  readonly id: string;
  readonly text: string;
}

/** All runs as they stand, and what changes, in order. */
export interface LiveBoard {
  board(): Promise<Board>;
  row(run: string): Promise<{ readonly row: RowShown; readonly inbox: readonly InboxItem[] } | undefined>;
  /** Looks whether anything moved. Cheap where nothing did. */
  look(): Promise<void>;
  /** The same for runs elsewhere: it may take long, and where they cannot be reached it says so to every page. */
  lookElsewhere(): Promise<void>;
  /** This process wrote something itself: the next look counts it. */
  wrote(): Promise<void>;
  /** Whether processes live is not in the log: asked anew now and then. */
  lookAtProcesses(): Promise<void>;
  /** What followed that name; undefined: it is not known any more, and everything has to be read anew. */
  since(id: string): readonly NamedChange[] | undefined;
  listen(hear: (change: NamedChange) => void): () => void;
}

const KEPT = 2000;
/** A page that is opened waits no longer for runs elsewhere; they follow as changes. */
const PATIENCE_MS = 1_000;

interface Entry {
  readonly at: number | string;
  readonly card: RunCard;
  readonly row: RowShown;
  readonly inbox: readonly InboxItem[];
}

export function createBoard({ runs, elsewhere, reader, drivers, now, ageOutMs }: BoardPorts): LiveBoard {
  const boot = randomBytes(4).toString("hex");
  const own = ownRuns(runs);
  const entries = new Map<string, Entry>();
  const hearers = new Set<(change: NamedChange) => void>();
  let kept: NamedChange[] = [];
  let count = 0;
  let hasLooked = false;
  let hasWritten = false;
  let away: string | undefined;
  const look = oneAtATime(lookHere);
  const lookElsewhere = oneAtATime(lookThere);

  return {
    board: async () => {
      await look();
      await lookBriefly();
      const all = [...entries.values()];
      return {
        ...{ last: `${boot}-${count}`, now: now(), rows: all.map(({ row }) => row) },
        inbox: all.flatMap(({ inbox }) => inbox).sort((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0)),
        ...(elsewhere && { hasFleet: true }),
        ...(away !== undefined && { away }),
      };
    },
    row: async (run) => {
      await look();
      if (!entries.has(run)) await lookBriefly();
      return entries.get(run);
    },
    look,
    lookElsewhere,
    wrote: async () => {
      hasWritten = true;
      await look();
    },
    lookAtProcesses: async () => {
      for (const [run, entry] of entries)
        if (!entry.row.isOfFleet && hasChanged(entry)) await renew(run, entry.at, entry.card);
    },
    since: (id) => {
      const [, of, at] = /^([a-f0-9]{8})-(\d{1,15})$/.exec(id) ?? [];
      const after = Number(at);
      if (of !== boot || after > count || after < count - kept.length) return undefined;
      return kept.slice(kept.length - (count - after));
    },
    listen: (hear) => {
      hearers.add(hear);
      return () => void hearers.delete(hear);
    },
  };

  async function lookHere(): Promise<void> {
    const positions = own.positions(hasWritten);
    hasWritten = false;
    if (!positions) return;
    const isQuiet = !hasLooked;
    hasLooked = true;
    for (const [run, { row }] of entries) if (!row.isOfFleet && !positions.has(run)) forget(run);
    for (const [run, at] of positions)
      if (entries.get(run)?.at !== at) await renew(run, at, own.card(run), isQuiet ? "first look" : "news");
  }

  function lookBriefly(): Promise<unknown> {
    if (!elsewhere) return Promise.resolve();
    return Promise.race([lookElsewhere(), new Promise((done) => setTimeout(done, PATIENCE_MS))]);
  }

  async function lookThere(): Promise<void> {
    if (!elsewhere) return;
    try {
      const positions = await elsewhere.positions();
      for (const [run, { row }] of entries) if (row.isOfFleet && !positions.has(run)) forget(run);
      for (const [run, at] of positions) {
        const known = entries.get(run);
        if (known && !known.row.isOfFleet) continue; // one of this machine, by the same name
        if (known?.at !== at || hasChanged(known)) await renew(run, at, elsewhere.card(run), "of the fleet");
      }
      setAway(undefined);
    } catch (error) {
      if (!elsewhere.isAway(error)) throw error;
      setAway(error.message);
    }
  }

  function setAway(why: string | undefined): void {
    if (why === away) return;
    away = why;
    tell({ type: "fleet", ...(why !== undefined && { away: why }) });
  }

  /** Whether it is worked on is not in its log. */
  function hasChanged({ card, row }: Entry): boolean {
    return card.live && JSON.stringify(rowNow(card, row.isOfFleet)) !== JSON.stringify(row);
  }

  function rowNow(card: RunCard, isOfFleet = false): RowShown {
    return { ...rowOf(card, drivers.of(card), now(), ageOutMs), ...(isOfFleet && { isOfFleet }) };
  }

  async function renew(
    run: string,
    at: number | string,
    card: RunCard | undefined,
    how: "first look" | "news" | "of the fleet" = "news",
  ): Promise<void> {
    if (!card) return;
    const row = rowNow(card, how === "of the fleet");
    const asks = card.live && (summaryOf(card).asks ?? 0) > 0 ? ((await reader.read(run))?.view.asks ?? []) : [];
    const { host, cwd, goal } = row;
    const inbox = asks.map((ask): InboxItem => ({ ...ask, run, host, cwd, ...(goal !== undefined && { goal }) }));
    entries.set(run, { at, card, row, inbox });
    if (how !== "first look") tell({ type: "run", row, inbox });
  }

  function forget(run: string): void {
    entries.delete(run);
    tell({ type: "gone", run });
  }

  function tell(change: Change): void {
    const named = { id: `${boot}-${++count}`, text: JSON.stringify(change) };
    kept.push(named);
    if (kept.length >= 2 * KEPT) kept = kept.slice(-KEPT);
    for (const hear of hearers) hear(named);
  }
}

/** One look at a time; requests meanwhile share one that begins after them. */
function oneAtATime(lookOnce: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  return look;

  function look(): Promise<void> {
    if (current) {
      next ??= current
        .catch(() => {}) // the caller that asked for that one hears of it
        .then(() => {
          next = undefined;
          return look();
        });
      return next;
    }
    current = lookOnce().finally(() => {
      current = undefined;
    });
    return current;
  }
}
