import type { Priority } from "../todo/index.ts";
import type { Claim } from "./claim.ts";
import { createClaimLines, type Holder } from "./claim-lines.ts";
import { createReadyQueue } from "./ready-queue.ts";

/** What admission needs to know of a call. */
export interface Candidate {
  readonly id: string;
  readonly priority: Priority;
  readonly needs: readonly string[];
  readonly claims: readonly Claim[];
  /** Runs while nothing else does. */
  readonly exclusive: boolean;
}

/**
 * Which calls may start now. Nothing is rescanned: each step costs what the call itself claims and needs.
 *
 * A call is ready when it is cleared (validated and approved), every call it needs succeeded, and no call before
 * it in line, nor one at work, has a claim that conflicts with its own. Calls that conflict go in the order they
 * were accepted, also while an earlier one waits for its approval: a read after a write sees the write. Among
 * the ready, priority decides, then the order of acceptance. An exclusive call whose turn it is lets those at
 * work finish and lets no other start; while it only waits for an approval, it holds up no other call.
 */
export interface Admission {
  /** Takes a place in line. Needs must have been added before (see `arrange`). */
  add(candidate: Candidate): { readonly ok: true } | { readonly ok: false; readonly code: "need_failed"; need: string };
  clear(id: string): void;
  /** Edited arguments claim something else; the place in line stays. */
  reclaim(id: string, claims: readonly Claim[], exclusive: boolean): void;
  /** The call that may start now, if any; it counts as at work from here on. */
  next(): string | undefined;
  /**
   * The call has ended. Gives the calls that needed it and now never can start; they are still to be settled.
   * `claims: "kept"` when its tool is still at work: the slot is free, the paths are not until `release`.
   */
  settle(id: string, outcome: "met" | "failed", claims: "released" | "kept"): readonly string[];
  release(id: string): void;
  /** Whether a call with this id was ever added. */
  knows(id: string): boolean;
  /** What is still held; all zero when nothing is left behind. */
  readonly held: { readonly seats: number; readonly working: number; readonly late: number; readonly paths: number };
}

interface Seat extends Holder {
  readonly id: string;
  readonly priority: Priority;
  exclusive: boolean;
  status: "waiting" | "working" | "late" | "gone";
  outcome: Ended | undefined;
  cleared: boolean;
  /** Needs that have not succeeded yet. */
  unmet: number;
  /** Absent if no call does: most are needed by none. */
  neededBy: Seat[] | undefined;
  queued: boolean;
}

type Ended = "met" | "failed";

const NONE: readonly never[] = [];

/** `slots` calls may be at work at once. */
export function createAdmission(slots: number): Admission {
  /** Every call ever added; of those that are over only how they ended. */
  const seats = new Map<string, Seat | Ended>();
  let seated = 0;
  const ready = createReadyQueue<Seat>();
  const lines = createClaimLines((holder) => offer(holder as Seat));
  let ranks = 0;
  let working = 0;
  let late = 0;
  let alone = 0; // exclusive calls at work or late

  function seatOf(id: string): Seat | undefined {
    const seat = seats.get(id);
    return typeof seat === "object" ? seat : undefined;
  }

  function outcomeOf(id: string): Ended | undefined {
    const seat = seats.get(id);
    return typeof seat === "object" ? seat.outcome : seat;
  }

  const isReady = (seat: Seat) => seat.status === "waiting" && seat.cleared && seat.unmet === 0 && seat.blocked === 0;

  function offer(seat: Seat): void {
    if (seat.queued || !isReady(seat)) return;
    seat.queued = true;
    ready.push(seat);
  }

  /** The queue may hold calls that were cancelled, or pushed back by an edit; they are dropped when they come up. */
  function best(): Seat | undefined {
    for (let seat = ready.peek(); seat !== undefined; seat = ready.peek()) {
      if (isReady(seat)) return seat;
      ready.pop();
      seat.queued = false;
    }
    return undefined;
  }

  function free(seat: Seat): void {
    if (seat.status === "late") {
      late--;
      if (seat.exclusive) alone--;
    }
    seat.status = "gone";
    seats.set(seat.id, seat.outcome!);
    seated--;
    lines.leave(seat);
  }

  return {
    add({ id, priority, needs, claims, exclusive }) {
      const failed = needs.find((need) => outcomeOf(need) === "failed");
      if (failed !== undefined) {
        seats.set(id, "failed");
        return { ok: false, code: "need_failed", need: failed };
      }
      const seat: Seat = {
        id,
        rank: ranks++,
        priority,
        exclusive,
        status: "waiting",
        outcome: undefined,
        cleared: false,
        unmet: 0,
        neededBy: undefined,
        queued: false,
        blocked: 0,
        tickets: NONE,
      };
      for (const need of needs) {
        const other = seatOf(need);
        if (other === undefined || other.outcome !== undefined) continue;
        other.neededBy ??= [];
        other.neededBy.push(seat);
        seat.unmet++;
      }
      seats.set(id, seat);
      seated++;
      if (claims.length > 0) lines.enter(seat, claims);
      return { ok: true };
    },
    clear(id) {
      const seat = seatOf(id);
      if (seat === undefined) return;
      seat.cleared = true;
      offer(seat);
    },
    reclaim(id, claims, exclusive) {
      const seat = seatOf(id);
      if (seat === undefined || seat.status !== "waiting") return;
      lines.leave(seat);
      seat.exclusive = exclusive;
      lines.enter(seat, claims);
      offer(seat);
    },
    next() {
      if (working >= slots || alone > 0) return undefined;
      const seat = best();
      if (seat === undefined || (seat.exclusive && working + late > 0)) return undefined;
      ready.pop();
      seat.queued = false;
      seat.status = "working";
      working++;
      if (seat.exclusive) alone++;
      lines.begin(seat);
      return seat.id;
    },
    settle(id, outcome, claims) {
      const seat = seatOf(id);
      if (seat === undefined || seat.outcome !== undefined) return NONE;
      seat.outcome = outcome;
      if (seat.status === "working") {
        working--;
        late++;
        seat.status = "late";
      }
      if (seat.status === "waiting" || claims === "released") free(seat);
      if (seat.neededBy === undefined) return NONE;
      if (outcome === "failed")
        return seat.neededBy.filter((other) => other.outcome === undefined).map((other) => other.id);
      for (const other of seat.neededBy) {
        other.unmet--;
        offer(other);
      }
      return NONE;
    },
    release(id) {
      const seat = seatOf(id);
      if (seat?.status === "late") free(seat);
    },
    knows: (id) => seats.has(id),
    get held() {
      return { seats: seated, working, late, paths: lines.paths };
    },
  };
}
