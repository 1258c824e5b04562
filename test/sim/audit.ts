import type { Limits } from "../../src/core/continuation/index.ts";
import type { Envelope } from "../../src/core/run/index.ts";
import type { Store } from "../../src/engine/index.ts";
import { Facts } from "./facts.ts";
import { judgeEvent, type Violation } from "./judge-event.ts";

/** Reads every log as it grows, judges each new event, and keeps the facts and the whole log of each run. */
export interface Audit {
  /** Says who appended what, before the next reading. */
  wrote(run: string, seqs: readonly number[], driver: string): void;
  read(store: Store): Violation | undefined;
  facts(run: string): Facts | undefined;
  all(): readonly Facts[];
  log(run: string): readonly Envelope[];
}

/** Who writes what this version cannot read. */
export const LATER_VERSION = "a later version";

export function createAudit(limits: Limits): Audit {
  const writers = new Map<string, string>();
  const logs = new Map<string, Envelope[]>();
  const known = new Map<string, Facts>();
  const positions = new Map<string, number>();
  const moved = new Set<string>();

  return {
    wrote(run, seqs, driver) {
      for (const seq of seqs) writers.set(`${run} ${seq}`, driver);
      if (seqs.length > 0) moved.add(run);
    },
    read(store) {
      for (const run of moved) {
        const violation = readRun(store, run);
        if (violation) return violation;
      }
      moved.clear();
      return undefined;
    },
    facts: (run) => known.get(run),
    all: () => [...known.values()],
    log: (run) => logs.get(run) ?? [],
  };

  function readRun(store: Store, run: string): Violation | undefined {
    const log = logs.get(run) ?? [];
    const facts = known.get(run) ?? new Facts(limits);
    logs.set(run, log);
    known.set(run, facts);
    const { events, unread: unreadable, last } = store.log.read(run, positions.get(run) ?? 0);
    const unread = unreadable.find(({ seq }) => writers.get(`${run} ${seq}`) !== LATER_VERSION);
    if (unread) return { invariant: "7 replay", text: `row ${unread.seq}: ${unread.problem}` };
    if (events.length + unreadable.length !== last - (positions.get(run) ?? 0))
      return { invariant: "7 replay", text: `rows are missing between ${positions.get(run) ?? 0} and ${last}` };
    positions.set(run, last);
    for (const envelope of events) {
      const violation = judgeEvent(facts, envelope, writers.get(`${run} ${envelope.seq}`));
      log.push(envelope);
      facts.take(envelope);
      if (violation)
        return { ...violation, text: `${violation.text} (${run} event ${envelope.seq}, ${envelope.event.type})` };
    }
    return undefined;
  }
}
