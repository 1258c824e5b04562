import { brakeDeadline, type Limits } from "../core/continuation/index.ts";
import type { Boundary, Run, StoredDecision } from "../core/run/index.ts";
import { createAlarm, type Rung } from "./alarm.ts";
import { type Capabilities, carriageOf } from "./capabilities.ts";
import type { HeldBoundary } from "./held-boundary.ts";
import type { Clock } from "./ports.ts";

export interface Carried {
  readonly run: Run;
  /** This process drives it. */
  readonly isDriven: boolean;
  readonly limits: Limits;
  /** A round of checks of it runs in this very process. */
  readonly isChecking: boolean;
  /** The host is asked about the nudge that is due here. */
  readonly isRechecking: boolean;
}

export interface CarrierParts {
  readonly clock: Clock;
  readonly capabilities: Capabilities;
  readonly boundary: HeldBoundary;
  readonly park: (boundary: string, waker: string) => void;
  /** The end of a wait, or the moment at which a turn has to end. Says whether it could be told. */
  readonly ring: (rung: Rung) => boolean;
}

/**
 * Carries out what was decided: arms, re-arms or drops the one timer, and lets a held boundary go when nothing is left to hold it for.
 *
 *     no timer --a wait or countdown--> until its end --rings--> no timer
 *              --a turn runs---------> until it has to end --rings, it continues--> a second later
 */
export function createCarrier({ clock, capabilities, boundary: held, park, ring }: CarrierParts) {
  let turnCheckedAt = 0;
  const alarm = createAlarm(clock, (rung) => {
    if (rung.of === "turn") turnCheckedAt = clock.now();
    return ring(rung);
  });

  return { carry, ringAgain, look: alarm.look, drop: alarm.drop };

  /** What is due at this boundary could not be done. */
  function ringAgain(boundary: string): void {
    alarm.set({ of: "boundary", id: boundary }, clock.now() + AGAIN_MS);
  }

  function carry(carried: Carried): void {
    const { run, isDriven } = carried;
    const { boundary, decision } = run.ledger;
    if (boundary && isPending(boundary, decision) && isDriven && run.status === "live") carryWait(boundary, carried);
    else {
      if (isDriven) watchTurn(carried);
      else alarm.drop();
      held.letGo(decision);
    }
  }

  function carryWait(boundary: Boundary, { run, isChecking, isRechecking }: Carried): void {
    const { decision } = run.ledger;
    const forMs = boundary.until === undefined ? Number.POSITIVE_INFINITY : Math.max(0, boundary.until - clock.now());
    const kind = decision?.type === "continue" ? "countdown" : "wait";
    const carriage = carriageOf(capabilities, { kind, forMs, isHeld: held.isHeld() });
    // A round that runs in this very process keeps it alive: it needs no timer and no other process to end it.
    const isOurs = carriage.by === "nobody" && isChecking;
    if (carriage.by !== "holding" && !isOurs) held.letGo(decision);
    if (carriage.by === "nobody" && !isOurs) {
      alarm.drop();
      // A process that lives for one event parks what it decides itself; what stands here is carried by another.
      if (capabilities.resident) park(boundary.id, carriage.waker);
    } else if (boundary.until === undefined || (forMs === 0 && kind === "countdown" && isRechecking)) alarm.drop();
    else alarm.set({ of: "boundary", id: boundary.id }, boundary.until);
  }

  /** While a turn runs, the one timer rings when it would have to end although nothing happens. */
  function watchTurn({ run, limits }: Carried): void {
    const { turn } = run.ledger;
    const isWatched = turn && run.status === "live" && capabilities.resident;
    const due = isWatched ? brakeDeadline(run, limits) : undefined;
    const at = due === undefined ? undefined : Math.max(due, Math.min(turnCheckedAt, clock.now()) + AGAIN_MS);
    if (!turn || at === undefined || at === Number.POSITIVE_INFINITY) alarm.drop();
    else alarm.set({ of: "turn", id: turn.id }, at);
  }

  /** A process that lives for one event parks every wait as it begins, and holds it all the same while the host lets it. */
  function isPending(boundary: Boundary, decision: StoredDecision | undefined): boolean {
    const { status, forHuman } = boundary;
    if (status === "parked")
      return !capabilities.resident && held.isHeld() && !forHuman && !isLeftToSupervisor(boundary, decision);
    return status === "countdown" || status === "waiting";
  }

  /** The next todo begins in a new process of the host: this one has to end first, so nothing is gained by holding it. */
  function isLeftToSupervisor({ until = 0 }: Boundary, decision: StoredDecision | undefined): boolean {
    return capabilities.renews === "process" && decision?.type === "continue" && until <= clock.now();
  }
}

/** A turn that is not ended although its time has come is looked at again, and not without a break. */
const AGAIN_MS = 1_000;
