import type { Envelope, NewEvent } from "../core/run/index.ts";
import type { Audit, Log, RunCard, Runs, Snapshot, Store, Tail } from "../engine/index.ts";
import type { Database, Statement } from "./database.ts";
import { type Patiently, patiently } from "./patiently.ts";
import { cardIn, type EventRow, parsed } from "./row.ts";
import { createAuditor, type Head, type SealedRow, sealOf } from "./seal.ts";
import { explained, StoreError } from "./store-error.ts";

/** How the rows of a log are understood. */
export type TailOf = (rows: readonly EventRow[], after: number) => Tail;

/** The store over one open connection whose tables are up to date. `path` is for error texts only; `key` signs what is appended. */
export function sqliteStore(
  database: Database,
  path: string,
  tailOf: TailOf,
  key?: string,
  wait: Patiently = patiently,
): Store {
  const statements = new Map<string, Statement>();
  let open = true;

  const log: Log = {
    transact: (run, after, body) =>
      writing(() => {
        const tail = tailSince(run, after);
        const { append, value, card, bind } = body(tail);
        const appended = insertAll(run, tail.last, append);
        if (card) putCard(card);
        if (bind) statement(SQL.bind).run(bind.host, bind.session, run);
        return { value, appended };
      }),
    read: (run, after, limit) => alone(() => tailAfter(run, after, limit)),
    last: (run) => alone(() => lastOf(run)),
    loadSnapshot: (run) => alone(() => snapshotOf(run)),
    saveSnapshot: (run, { seq, version, state }) =>
      alone(() => statement(SQL.saveSnapshot).run(run, seq, version, JSON.stringify(state), run, seq)),
  };

  const runs: Runs = {
    find: (host, session) => alone(() => optionalCard(statement(SQL.findCard).get(host, session))),
    get: (run) => alone(() => optionalCard(statement(SQL.getCard).get(run))),
    list: () => alone(() => statement(SQL.listCards).all().map(cardIn)),
    positions: () =>
      alone(() => new Map(statement(SQL.positions).lists() as unknown as readonly (readonly [string, number])[])),
    writes: () => alone(() => Number(statement(SQL.writes).get()?.data_version)),
    remove: (run) =>
      writing(() => {
        const known = statement(SQL.getCard).get(run) !== undefined || lastOf(run) > 0;
        for (const sql of SQL.removeRun) statement(sql).run(run);
        return known;
      }),
  };

  return { log, runs, audit, close };

  function audit(run: string): Audit {
    const auditor = createAuditor(run, key);
    for (let at = 0, rows = sealedAfter(run, at); rows.length > 0; rows = sealedAfter(run, at)) {
      for (const row of rows) auditor.take(row);
      at = rows.at(-1)![0];
    }
    return auditor.end(alone(() => headOf(run)));
  }

  function sealedAfter(run: string, after: number): readonly SealedRow[] {
    return alone(() => statement(SQL.readSealed).lists(run, after, PAGE) as unknown as readonly SealedRow[]);
  }

  function close(): void {
    if (open) database.close();
    open = false;
  }

  function tailAfter(run: string, after: number, limit?: number): Tail {
    return tailOf(eventsAfter(run, after, limit), after);
  }

  function eventsAfter(run: string, after: number, limit = NO_LIMIT): readonly EventRow[] {
    return statement(SQL.readEvents).lists(run, after, limit) as unknown as readonly EventRow[];
  }

  /** Mostly nothing is new, and the position of the newest row alone says so. A log that ends earlier was removed. */
  function tailSince(run: string, known: number): Tail {
    const last = lastOf(run);
    if (last < known) throw new StoreError("gone", run);
    return last === known ? { events: [], unread: [], last } : tailAfter(run, known);
  }

  function lastOf(run: string): number {
    return Number(statement(SQL.lastEvent).get(run)?.last ?? 0);
  }

  function insertAll(run: string, last: number, append: readonly NewEvent[]): readonly Envelope[] {
    if (append.length === 0) return [];
    let seal = headOf(run)?.seal; // the head goes with its run: where it outlived the rows, another program removed them
    const appended = append.map(({ at, by, v, event }, index): Envelope => {
      const row: EventRow = [last + 1 + index, at, by, v, JSON.stringify(event)];
      seal = sealOf(seal, run, row, key);
      statement(SQL.insertEvent).run(run, ...row, seal);
      return { seq: row[0], at, by, v, event };
    });
    statement(SQL.putHead).run(run, last + append.length, seal!);
    return appended;
  }

  function headOf(run: string): Head | undefined {
    const row = statement(SQL.getHead).get(run);
    return row && { seq: Number(row.seq), seal: String(row.seal) };
  }

  function putCard({ run, host, session, cwd, live, began, updated, summary }: RunCard): void {
    statement(SQL.putCard).run(run, host, session, cwd, live ? 1 : 0, began, updated, JSON.stringify(summary ?? null));
  }

  function snapshotOf(run: string): Snapshot | undefined {
    const row = statement(SQL.loadSnapshot).get(run);
    const state = row && parsed(row.state);
    return state === undefined ? undefined : { seq: Number(row?.seq), version: Number(row?.version), state };
  }

  /** The write lock is taken at once: what is read inside is what the write follows from. */
  function writing<T>(body: () => T): T {
    return safely(() => {
      wait(() => statement("BEGIN IMMEDIATE").run());
      try {
        const value = body();
        statement("COMMIT").run();
        return value;
      } catch (error) {
        rollBack();
        throw error;
      }
    });
  }

  /** A full disk or a failing one ends the transaction by itself; that there is none left is then no second error. */
  function rollBack(): void {
    try {
      statement("ROLLBACK").run();
    } catch (error) {
      if (!(error instanceof Error && error.message.includes("no transaction is active"))) throw error;
    }
  }

  function safely<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      throw explained(error, path);
    }
  }

  /** One statement, a transaction of its own. */
  function alone<T>(use: () => T): T {
    return safely(() => wait(use));
  }

  /** Prepared at first use: a hook process needs three of them. */
  function statement(sql: string): Statement {
    const known = statements.get(sql);
    if (known) return known;
    const made = database.prepare(sql);
    statements.set(sql, made);
    return made;
  }
}

const optionalCard = (row: Parameters<typeof cardIn>[0] | undefined): RunCard | undefined => row && cardIn(row);

const NO_LIMIT = -1;
/** Rows that an audit holds at a time. */
const PAGE = 1000;

const SQL = {
  readEvents: "SELECT seq, at, by, v, event FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?",
  lastEvent: "SELECT max(seq) AS last FROM events WHERE run = ?",
  readSealed: "SELECT seq, at, by, v, event, seal FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?",
  insertEvent: "INSERT INTO events (run, seq, at, by, v, event, seal) VALUES (?, ?, ?, ?, ?, ?, ?)",
  getHead: "SELECT seq, seal FROM heads WHERE run = ?",
  putHead: `
    INSERT INTO heads (run, seq, seal) VALUES (?, ?, ?)
    ON CONFLICT (run) DO UPDATE SET seq = excluded.seq, seal = excluded.seal`,
  putCard: `
    INSERT INTO cards (run, host, session, cwd, live, began, updated, summary) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (run) DO UPDATE SET host = excluded.host, session = excluded.session, cwd = excluded.cwd,
      live = excluded.live, began = excluded.began, updated = excluded.updated, summary = excluded.summary`,
  bind: `
    INSERT INTO bindings (host, session, run) VALUES (?, ?, ?)
    ON CONFLICT (host, session) DO UPDATE SET run = excluded.run`,
  findCard: `
    SELECT cards.* FROM bindings JOIN cards ON cards.run = bindings.run
    WHERE bindings.host = ? AND bindings.session = ?`,
  getCard: "SELECT * FROM cards WHERE run = ?",
  listCards: "SELECT * FROM cards ORDER BY updated DESC, run",
  // A log from before logs were sealed has no head until something is appended to it.
  positions: "SELECT cards.run, coalesce(heads.seq, 0) FROM cards LEFT JOIN heads ON heads.run = cards.run",
  writes: "PRAGMA data_version",
  loadSnapshot: "SELECT seq, version, state FROM snapshots WHERE run = ?",
  // A slower process must not put an older fold over a newer one, nor leave one behind for a run that was removed.
  saveSnapshot: `
    INSERT INTO snapshots (run, seq, version, state)
    SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM events WHERE run = ? AND seq = ?)
    ON CONFLICT (run) DO UPDATE SET seq = excluded.seq, version = excluded.version, state = excluded.state
    WHERE excluded.seq > snapshots.seq OR excluded.version <> snapshots.version`,
  removeRun: [
    "DELETE FROM events WHERE run = ?",
    "DELETE FROM heads WHERE run = ?",
    "DELETE FROM snapshots WHERE run = ?",
    "DELETE FROM bindings WHERE run = ?",
    "DELETE FROM cards WHERE run = ?",
  ],
} as const;
