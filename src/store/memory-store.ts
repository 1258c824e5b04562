import type { Audit, Log, RunCard, Runs, Snapshot, Store } from "../engine/index.ts";
import { type EventRow, parsed } from "./row.ts";
import { StoreError } from "./store-error.ts";
import { tailOf } from "./tail-of.ts";

/** The log for tests, simulation and a disk that cannot be written. Keeps JSON text, so that nothing is shared by reference. */
export function memoryStore(): Store {
  const events = new Map<string, EventRow[]>();
  const cards = new Map<string, string>();
  const bindings = new Map<string, string>();
  const snapshots = new Map<string, string>();
  let writing = false;

  const log: Log = {
    transact(run, after, body) {
      if (writing) throw new Error("cannot start a transaction within a transaction");
      const rows = events.get(run) ?? [];
      if (after > rows.length) throw new StoreError("gone", run);
      writing = true;
      try {
        const tail = tailOf(rows.slice(after), after);
        const { append, value, card, bind } = body(tail);
        const appended = append.map((event, index) => ({ ...event, seq: rows.length + 1 + index }));
        const fresh = appended.map(({ seq, at, by, v, event }): EventRow => [seq, at, by, v, JSON.stringify(event)]);
        rows.push(...fresh);
        if (rows.length > 0) events.set(run, rows);
        if (card) cards.set(run, JSON.stringify({ ...card, summary: card.summary ?? null }));
        if (bind) bindings.set(bindingOf(bind.host, bind.session), run);
        return { value, appended };
      } finally {
        writing = false;
      }
    },
    read: (run, after, limit) =>
      tailOf((events.get(run) ?? []).slice(after, limit === undefined ? undefined : after + limit), after),
    last: (run) => events.get(run)?.length ?? 0,
    loadSnapshot: (run) => parsed(snapshots.get(run)) as Snapshot | undefined,
    saveSnapshot(run, snapshot) {
      const kept = log.loadSnapshot(run);
      if (snapshot.seq < 1 || snapshot.seq > log.last(run)) return;
      if (kept && kept.version === snapshot.version && kept.seq >= snapshot.seq) return;
      snapshots.set(run, JSON.stringify(snapshot));
    },
  };

  const runs: Runs = {
    find: (host, session) => runs.get(bindings.get(bindingOf(host, session)) ?? ""),
    get: (run) => parsed(cards.get(run)) as RunCard | undefined,
    list: () =>
      [...cards.values()]
        .map((card) => JSON.parse(card) as RunCard)
        .sort((a, b) => b.updated - a.updated || byRun(a, b)),
    positions: () => new Map([...cards.keys()].map((run) => [run, log.last(run)])),
    writes: () => 0, // no other process can reach it
    remove(run) {
      const known = cards.has(run) || events.has(run);
      for (const table of [events, cards, snapshots]) table.delete(run);
      for (const [session, bound] of bindings) if (bound === run) bindings.delete(session);
      return known;
    },
  };

  /** No other process can reach it. */
  const audit = (run: string): Audit => ({ sealed: log.last(run), unsealed: 0, signed: 0, unverified: 0, breaks: [] });
  return { log, runs, audit, close: () => {} };
}

const bindingOf = (host: string, session: string): string => JSON.stringify([host, session]);
const byRun = (a: RunCard, b: RunCard): number => (a.run < b.run ? -1 : 1);
