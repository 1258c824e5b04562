import type { NewEvent } from "../../core/run/index.ts";
import type { RunCard, Store } from "../../engine/index.ts";
import { memoryStore } from "../../store/index.ts";
import { parsedJson } from "../parsed-json.ts";
import type { FleetRun, Ledger, Row } from "../ports.ts";
import { cardOfFleetRun } from "./fleet-card.ts";

/** How many rows are asked for at once. */
const PAGE = 2_000;

/** Runs that were removed are seen by listing all. */
const LIST_ANEW_MS = 30_000;
/** A change may be seen so long after the time that stands on it: its transaction ended later. */
const LATE_MS = 20_000;

/** The runs of the fleet in memory, as they were when they were asked for last. */
export interface MirrorStore {
  readonly store: Pick<Store, "log" | "runs">;
  /** The run as the database has it; undefined: there is none. Reads what is new of its log. */
  follow(run: string): Promise<FleetRun | undefined>;
  /** All cards, without any log. */
  list(limit: number): Promise<readonly FleetRun[]>;
  /** Cheaper than a list: asks for what changed. Gives where each run stands, by a name that changes when it moves. */
  positions(limit: number): Promise<ReadonlyMap<string, string>>;
  /** As it was seen last. */
  seen(run: string): FleetRun | undefined;
}

/**
 * A log is only ever read on, and thrown away when another driver took the run over: events after its checkpoint then count no more, and
 * others may stand in their place. Both are seen in one answer of the database, so that rows of two drivers are never mixed.
 */
export function mirrorStore(ledger: Pick<Ledger, "get" | "list" | "rows">, now: () => number): MirrorStore {
  const store = memoryStore();
  const seen = new Map<string, FleetRun>();
  const followed = new Map<string, number>();
  let listedAt: number | undefined;

  return { store, follow, list, positions, seen: (run) => seen.get(run) };

  async function follow(name: string): Promise<FleetRun | undefined> {
    for (;;) {
      const before = await ledger.get(name);
      if (!before) return forget(name);
      if (followed.get(name) !== before.epoch || store.log.last(name) > before.seq) restart(before);
      const rows = await rowsUpTo(before);
      const after = rows.length > 0 ? await ledger.get(name) : before;
      // Taken over while it was read: what was read may be from both.
      if (after?.epoch !== before.epoch) continue;
      take(before, rows);
      return before;
    }
  }

  async function rowsUpTo({ run, seq }: FleetRun): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let at = store.log.last(run); at < seq; ) {
      const page = await ledger.rows(run, at, Math.min(PAGE, seq - at));
      if (page.length === 0) break; // it became shorter: the next look starts anew
      rows.push(...page);
      at = page.at(-1)!.seq;
    }
    return rows;
  }

  async function list(limit: number): Promise<readonly FleetRun[]> {
    const asked = now();
    const runs = await ledger.list({ limit });
    takeAll(runs);
    listedAt = asked;
    const listed = new Set(runs.map(({ run }) => run));
    if (runs.length < limit) for (const name of seen.keys()) if (!listed.has(name)) forget(name);
    return runs;
  }

  async function positions(limit: number): Promise<ReadonlyMap<string, string>> {
    if (listedAt === undefined || now() - listedAt > LIST_ANEW_MS) await list(limit);
    else {
      const newest = Math.max(0, ...[...seen.values()].map(({ updatedAt }) => updatedAt));
      takeAll(await ledger.list({ limit, changedAfter: newest - LATE_MS }));
    }
    return new Map([...seen.values()].map(({ run, epoch, seq, updatedAt }) => [run, `${epoch}.${seq}.${updatedAt}`]));
  }

  function takeAll(runs: readonly FleetRun[]): void {
    for (const run of runs) {
      if (followed.has(run.run) && followed.get(run.run) !== run.epoch) restart(run);
      take(run, []);
    }
  }

  function restart({ run, epoch }: FleetRun): void {
    store.runs.remove(run);
    followed.set(run, epoch);
  }

  function forget(run: string): undefined {
    store.runs.remove(run);
    seen.delete(run);
    followed.delete(run);
  }

  function take(run: FleetRun, rows: readonly Row[]): void {
    seen.set(run.run, run);
    const card: RunCard = cardOfFleetRun(run);
    const fresh = rows.map(({ at, by, v, event }) => ({
      at,
      by,
      v,
      event: parsedJson(event),
    })) as unknown as NewEvent[];
    store.log.transact(run.run, store.log.last(run.run), () => ({ append: fresh, value: 0, card, bind: card }));
  }
}
