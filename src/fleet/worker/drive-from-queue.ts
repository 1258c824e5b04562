import type { FleetRun, Ledger, Limit } from "../ports.ts";
import { insist, type Patience } from "../runner/insist.ts";
import type { Ending } from "../runner/job.ts";

/** What a worker has for a run that the queue gave it. */
export interface QueuePlace {
  readonly ledger: Pick<Ledger, "get" | "askForTurn">;
  /** Name of the worker. */
  readonly id: string;
  readonly allows: (run: FleetRun) => boolean;
  readonly limitsOf: (run: FleetRun) => readonly Limit[];
  /** Waits for a free place of this worker. */
  readonly enter: (run: FleetRun) => Promise<void> | undefined;
  readonly exit: (run: FleetRun) => void;
  readonly isDraining: () => boolean;
  /** Runs that this process has from the queue. One that stood still may be given a run again that it drives. */
  readonly taken: Set<string>;
  /** Waits until no more urgent run of this process asks before it; gives what lets the next one pass. */
  readonly turn: (run: FleetRun) => Promise<() => void>;
  /** Whether the run still has its place here: a worker that stood still may find that another one was given it. */
  readonly keepsPlace: () => Promise<boolean>;
  /** A process of its own, to its end. It claims the run only if that is still at claim `after`. `epoch`: of its own; absent: none is known. */
  readonly runner: (
    run: string,
    attempt: { readonly after: number; readonly limits: readonly Limit[] },
  ) => Promise<{ readonly ending: Ending; readonly epoch?: number }>;
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
  if (place.taken.has(run)) return "overtaken";
  place.taken.add(run);
  await place.enter(found);
  const limits = place.limitsOf(found);
  let early = 0;
  try {
    let after = await newest();
    for (;;) {
      if (after === undefined) return "unknown";
      if (place.isDraining()) return await place.untilExit();
      // Asked after the newest claim was seen: a worker that is given the run from now on claims it after that one.
      if (!(await insist(place.keepsPlace, { wait }))) return "overtaken";
      if (limits.length > 0 && (await isLimited(found))) return leave(LIMITED);
      const { ending, epoch } = await place.runner(run, { after: after.epoch, limits });
      place.ended(run, ending);
      switch (ending.type) {
        case "died": {
          // Claimed again: one that always dies is poisoned. One that dies before it claims is none of the run's doing.
          if (epoch === undefined && ++early >= MOST_EARLY_DEATHS) return leave(ending.why);
          await wait(500);
          const now = await newest();
          if (now && isOvertaken(after.epoch, now, epoch)) return "fenced";
          after = now;
          continue;
        }
        case "overtaken": {
          const now = await newest();
          if (now && isOvertaken(after.epoch, now, undefined)) return "overtaken";
          after = now; // by one of our own that had died before its claim arrived
          continue;
        }
        case "finished":
          await place.publish(run);
          return "finished";
        case "limited":
          return leave(LIMITED);
        case "newer":
        case "handed_back":
          if (ending.type === "newer") place.outdated();
          return await place.untilExit();
        default:
          return ending.type;
      }
    }
  } finally {
    place.taken.delete(run);
    place.exit(found);
  }

  async function isLimited(found: FleetRun): Promise<boolean> {
    const pass = await place.turn(found);
    try {
      return (await insist(() => ledger.askForTurn(run, limits), { wait })) !== undefined;
    } finally {
      pass();
    }
  }

  function newest(): Promise<FleetRun | undefined> {
    return insist(() => ledger.get(run), { wait });
  }

  /** Another worker took the run for lost, and has it by now. A runner that died may have claimed it without saying so. */
  function isOvertaken(before: number, now: FleetRun, own: number | undefined): boolean {
    if (own !== undefined) return now.epoch !== own;
    return now.epoch !== before && !(now.epoch === before + 1 && now.driver === place.id);
  }

  function leave(why: string): "left" {
    place.leave(found!, why);
    return "left";
  }
}

const LIMITED = "a limit of the fleet is reached";
const MOST_EARLY_DEATHS = 3;
