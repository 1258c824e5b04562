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

export function createAudit(limits: Limits): Audit {
  const writers = new Map<string, string>();
  const logs = new Map<string, Envelope[]>();
  const known = new Map<string, Facts>();
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
    const { events, damaged } = store.log.read(run, log.at(-1)?.seq ?? 0);
    if (damaged.length > 0) return { invariant: "7 replay", text: `row ${damaged[0]!.seq}: ${damaged[0]!.problem}` };
    for (const envelope of events as readonly Envelope[]) {
      if (envelope.seq !== (log.at(-1)?.seq ?? 0) + 1)
        return { invariant: "7 replay", text: `row ${envelope.seq} follows row ${log.at(-1)?.seq ?? 0}` };
      const violation = judgeEvent(facts, envelope, writers.get(`${run} ${envelope.seq}`));
      log.push(envelope);
      facts.take(envelope);
      if (violation)
        return { ...violation, text: `${violation.text} (${run} event ${envelope.seq}, ${envelope.event.type})` };
    }
    return undefined;
  }
}
