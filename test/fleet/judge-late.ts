// What machines said to the model after another one had their run.
import type { Asked } from "./asked-by.ts";
import type { Change } from "./witness.ts";

/** When a machine stood still, or could not reach the database: it could not know that it had lost its run. */
export interface Cut {
  /** Absent: all of them. */
  readonly machine?: string;
  readonly from: number;
  readonly to: number;
}

export interface Late {
  readonly asked: Asked;
  /** The claim that it worked under. */
  readonly epoch: number;
  /** How long after the other one had the run. */
  readonly afterMs: number;
  /** How long after it could know; below 0: it could not know yet. */
  readonly knewMs: number;
}

export interface LateInput {
  readonly asked: readonly Asked[];
  readonly changes: readonly Change[];
  readonly cuts: readonly Cut[];
  readonly nudges: readonly { readonly run: string; readonly epoch: number; readonly count: number }[];
}

/** A machine that can reach the database hears within this time that its run is another one's. */
const HEARS_MS = 5_000;

/**
 * What was in flight when a machine was overtaken goes out, and nothing else: one request after it could know, no request a while later,
 * and of nudges only those that its own claim had recorded before.
 */
export function judgeLate({ asked, changes, cuts, nudges }: LateInput): {
  readonly late: readonly Late[];
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const late: Late[] = [];
  const told = new Map<string, number>();
  for (const each of asked) {
    const { run, machine, at, isNudge } = each;
    const known = changes.filter((change) => change.run === run && change.at <= at);
    const own = known.findLast((change) => change.machine === machine);
    if (!own) {
      problems.push(`${run}: ${machine} asked the model, and had never claimed it`);
      continue;
    }
    if (isNudge) told.set(keyOf(run, own.epoch), (told.get(keyOf(run, own.epoch)) ?? 0) + 1);
    const next = known.find(({ epoch }) => epoch > own.epoch);
    if (next)
      late.push({ asked: each, epoch: own.epoch, afterMs: at - next.at, knewMs: at - couldKnow(next.at, each) });
  }
  for (const { run, epoch, count } of nudges) told.set(keyOf(run, epoch), (told.get(keyOf(run, epoch)) ?? 0) - count);
  for (const [claim, more] of told)
    if (more > 0) problems.push(`${claim} told its agent to continue ${more} times more than it recorded`);
  for (const [claim, all] of Map.groupBy(late, ({ asked, epoch }) => keyOf(asked.run, epoch))) {
    const knowing = all.filter(({ knewMs }) => knewMs > 0);
    if (knowing.length > 1)
      problems.push(`${claim} asked the model ${knowing.length} times after it could know of the next one`);
    const longest = Math.max(...all.map(({ knewMs }) => knewMs));
    if (longest > HEARS_MS) problems.push(`${claim} asked the model ${longest} ms after it could know of the next one`);
    const nudged = all.filter(({ asked }) => asked.isNudge).length;
    if (nudged > 1) problems.push(`${claim} told its agent to continue ${nudged} times after the next one`);
  }
  return { late, problems };

  /** The end of the last cut that touches the time between the other claim and this request. */
  function couldKnow(overtaken: number, { machine, at }: Asked): number {
    return cuts
      .filter((cut) => (cut.machine ?? machine) === machine && cut.from <= at)
      .reduce((until, { to }) => Math.max(until, to), overtaken);
  }
}

const keyOf = (run: string, epoch: number): string => `${run}: claim ${epoch}`;
