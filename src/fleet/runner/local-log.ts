import { DatabaseSync } from "node:sqlite";
import type { NewEvent } from "../../core/run/index.ts";
import type { RunCard, Store } from "../../engine/index.ts";
import { openStore } from "../../store/index.ts";
import type { Row } from "../ports.ts";
import type { LocalRun } from "./protocol.ts";

/** The log of a run on this machine, row by row as it stands there. */
export interface LocalLog extends LocalRun {
  readonly store: Store;
  /** Another number whenever anybody wrote: cheap enough to be asked many times a second. */
  writes(): number;
  last(): number;
  close(): void;
}

export interface Imported {
  readonly rows: readonly Row[];
  readonly card: RunCard | undefined;
}

/** Lays a log down in a new home, with the same positions. What named the old machine's folder names this one's. */
export async function openLocalLog(
  path: string,
  run: string,
  cwd: string,
  { rows, card }: Imported,
): Promise<LocalLog> {
  const store = await openStore({ path });
  importRows(store, run, cwd, { rows, card });
  const raw = new DatabaseSync(path, { readOnly: true });
  const after = raw.prepare(
    "SELECT seq, at, by, v, event FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT 500",
  );
  const version = raw.prepare("PRAGMA data_version");
  return {
    store,
    rowsAfter: (seq) => after.all(run, seq).map((row) => ({ ...row })) as unknown as readonly Row[],
    card: () => store.runs.get(run),
    writes: () => Number(version.get()?.data_version),
    last: () => store.log.last(run),
    close: () => {
      raw.close();
      store.close();
    },
  };
}

export function importRows(store: Store, run: string, cwd: string, { rows, card }: Imported): void {
  if (rows.length === 0 || !card) return;
  store.log.transact(run, 0, () => ({
    append: rows.map((row) => asEvent(row, cwd)),
    card: { ...card, cwd },
    bind: { host: card.host, session: card.session },
    value: undefined,
  }));
}

function asEvent({ at, by, v, event: text }: Row, cwd: string): NewEvent {
  const event = JSON.parse(text);
  const moved = event.type === "run.began" ? { ...event, origin: { ...event.origin, cwd } } : event;
  return { at, by, v, event: moved } as NewEvent;
}
