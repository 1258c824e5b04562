import { randomBytes } from "node:crypto";
import { type Drivers, type Reader, type RunCard, type RunRow, type Runs, rowOf, summaryOf } from "../engine/index.ts";
import type { Board, Change, InboxItem } from "./wire.ts";

export interface BoardPorts {
  readonly runs: Pick<Runs, "list" | "get" | "positions" | "writes">;
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
  row(run: string): Promise<{ readonly row: RunRow; readonly inbox: readonly InboxItem[] } | undefined>;
  /** Looks whether anything moved. Cheap where nothing did. */
  look(): Promise<void>;
  /** This process wrote something itself: the next look counts it. */
  wrote(): Promise<void>;
  /** Whether processes live is not in the log: asked anew now and then. */
  lookAtProcesses(): Promise<void>;
  /** What followed that name; undefined: it is not known any more, and everything has to be read anew. */
  since(id: string): readonly NamedChange[] | undefined;
  listen(hear: (change: NamedChange) => void): () => void;
}

const KEPT = 2000;

interface Entry {
  readonly seq: number;
  readonly card: RunCard;
  readonly row: RunRow;
  readonly inbox: readonly InboxItem[];
}

export function createBoard({ runs, reader, drivers, now, ageOutMs }: BoardPorts): LiveBoard {
  const boot = randomBytes(4).toString("hex");
  const entries = new Map<string, Entry>();
  const hearers = new Set<(change: NamedChange) => void>();
  let kept: NamedChange[] = [];
  let count = 0;
  let writes: number | undefined;
  let hasWritten = false;
  let looking: Promise<void> | undefined;

  return {
    board: async () => {
      await look();
      const all = [...entries.values()];
      return {
        ...{ last: `${boot}-${count}`, now: now(), rows: all.map(({ row }) => row) },
        inbox: all.flatMap(({ inbox }) => inbox).sort((a, b) => (a.askedAt ?? 0) - (b.askedAt ?? 0)),
      };
    },
    row: async (run) => {
      await look();
      return entries.get(run);
    },
    look,
    wrote: () => {
      hasWritten = true;
      return look();
    },
    lookAtProcesses: async () => {
      for (const [run, entry] of entries) {
        if (!entry.card.live) continue;
        const row = rowOf(entry.card, drivers.of(entry.card), now(), ageOutMs);
        if (JSON.stringify(row) !== JSON.stringify(entry.row)) await renew(run, entry.seq);
      }
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

  /** One look at a time; whoever asks meanwhile gets one that began after. */
  async function look(): Promise<void> {
    if (looking) {
      await looking;
      return look();
    }
    looking = lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function lookOnce(): Promise<void> {
    const written = runs.writes();
    const isFirst = writes === undefined;
    // A store that only this process can reach counts no writes of others.
    const positions = isFirst || hasWritten || written !== writes || written === 0 ? runs.positions() : undefined;
    [writes, hasWritten] = [written, false];
    if (!positions) return;
    for (const run of entries.keys()) if (!positions.has(run)) forget(run);
    if (isFirst) {
      const cards = new Map(runs.list().map((card) => [card.run, card]));
      for (const [run, seq] of positions) await renew(run, seq, cards.get(run), true);
      return;
    }
    for (const [run, seq] of positions) if (entries.get(run)?.seq !== seq) await renew(run, seq);
  }

  async function renew(run: string, seq: number, card = runs.get(run), isQuiet = false): Promise<void> {
    if (!card) return;
    const row = rowOf(card, drivers.of(card), now(), ageOutMs);
    const asks = card.live && (summaryOf(card).asks ?? 0) > 0 ? ((await reader.read(run))?.view.asks ?? []) : [];
    const { host, cwd, goal } = row;
    const inbox = asks.map((ask): InboxItem => ({ ...ask, run, host, cwd, ...(goal !== undefined && { goal }) }));
    entries.set(run, { seq, card, row, inbox });
    if (!isQuiet) tell({ type: "run", row, inbox });
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
