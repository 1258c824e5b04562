import type { FleetRun, Ledger } from "../ports.ts";
import { insist, type Patience } from "../runner/insist.ts";
import type { Ending } from "../runner/job.ts";

/** Runs that share something, in the whole fleet, and how many of them may work at the same time. */
export type Limit = readonly [name: string, limit: number];

/** What a worker has for a run that the queue gave it. */
export interface QueuePlace {
  readonly ledger: Pick<Ledger, "get" | "takeSlot" | "releaseSlot">;
  readonly allows: (run: FleetRun) => boolean;
  /** Names one stay of a run: its slots are released by no other. */
  readonly newStay: () => string;
  readonly limitsOf: (run: FleetRun) => readonly Limit[];
  /** Waits for a free place of this worker. */
  readonly enter: (run: FleetRun) => Promise<void> | undefined;
  readonly exit: (run: FleetRun) => void;
  readonly isDraining: () => boolean;
  /** A process of its own, to its end. `epoch`: of its claim; absent: it did not come so far. */
  readonly runner: (run: string) => Promise<{ readonly ending: Ending; readonly epoch?: number }>;
  readonly ended: (run: string, ending: Ending) => void;
  /** Never throws: the queue does it again. */
  readonly publish: (run: string) => Promise<unknown>;
  /** It does not fit here now: gets it a new place on the queue, a little later. */
  readonly leave: (run: FleetRun, why: string) => void;
  /** The fleet has runs of a newer tildone. */
  readonly outdated: () => void;
  /** The step stays unfinished on purpose: the worker that takes the run next does it. */
  readonly untilExit: () => Promise<never>;
  readonly wait: NonNullable<Patience["wait"]>;
}

/** From the claim to the end of a run, or of its stay here. It tells how, and nothing that is large. */
export async function driveFromQueue(place: QueuePlace, run: string): Promise<Ending["type"] | "left"> {
  const { ledger, wait } = place;
  const found = await insist(() => ledger.get(run), { wait });
  if (!found) return "unknown";
  if (found.state === "finished") {
    await place.publish(run); // the worker that finished it may be gone
    return "finished";
  }
  if (!place.allows(found)) return leave("not allowed here");
  await place.enter(found);
  const limits = place.limitsOf(found);
  const stay = place.newStay();
  let early = 0;
  try {
    if (!(await takeSlots())) return leave("a limit of the fleet is reached");
    for (;;) {
      if (place.isDraining()) return await place.untilExit();
      const { ending, epoch } = await place.runner(run);
      place.ended(run, ending);
      switch (ending.type) {
        case "died":
          // Claimed again: one that always dies is poisoned. One that dies before it claims is none of the run's doing.
          if (epoch === undefined && ++early >= MOST_EARLY_DEATHS) return leave(ending.why);
          await wait(500);
          if (epoch !== undefined && (await isOvertaken(epoch))) return "fenced";
          continue;
        case "finished":
          await place.publish(run);
          return "finished";
        case "newer":
        case "handed_back":
          await releaseSlots(limits); // the next worker needs them
          if (ending.type === "newer") place.outdated();
          return await place.untilExit();
        default:
          return ending.type;
      }
    }
  } finally {
    await releaseSlots(limits);
    place.exit(found);
  }

  /** Another worker took the run for lost, and has it by now. */
  async function isOvertaken(epoch: number): Promise<boolean> {
    return (await insist(() => ledger.get(run), { wait }))?.epoch !== epoch;
  }

  function leave(why: string): "left" {
    place.leave(found!, why);
    return "left";
  }

  async function takeSlots(): Promise<boolean> {
    const taken: Limit[] = [];
    for (const limit of limits) {
      if (await insist(() => ledger.takeSlot(...limit, run, stay), { wait })) taken.push(limit);
      else {
        await releaseSlots(taken);
        return false;
      }
    }
    return true;
  }

  /** One that is not released stops counting when its run does. */
  async function releaseSlots(taken: readonly Limit[]): Promise<void> {
    for (const [name] of taken) await ledger.releaseSlot(name, run, stay).catch(() => {});
  }
}

const MOST_EARLY_DEATHS = 3;
