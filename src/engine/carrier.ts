import { brakeDeadline, type Limits } from "../core/continuation/index.ts";
import type { Boundary, Run } from "../core/run/index.ts";
import type { Alarm } from "./alarm.ts";
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
  readonly alarm: Alarm;
  readonly boundary: HeldBoundary;
  readonly park: (boundary: string, waker: string) => void;
}

/** Arms, re-arms or drops the one timer, and lets a held boundary go when nothing is left to hold it for. */
export function createCarrier({ clock, capabilities, alarm, boundary: held, park }: CarrierParts) {
  let turnCheckedAt = 0;

  return {
    carry,
    /** It was asked whether the running turn has to end. */
    turnChecked(): void {
      turnCheckedAt = clock.now();
    },
  };

  function carry(carried: Carried): void {
    const { run, isDriven } = carried;
    const { boundary, decision } = run.ledger;
    if (boundary && isPending(boundary) && isDriven && run.status === "live") carryWait(boundary, carried);
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
    // A round that runs in this very process keeps it alive: it needs no timer and nobody else to end it.
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
    const at = due === undefined ? undefined : Math.max(due, Math.min(turnCheckedAt, clock.now()) + CHECK_AGAIN_MS);
    if (!turn || at === undefined || at === Number.POSITIVE_INFINITY) alarm.drop();
    else alarm.set({ of: "turn", id: turn.id }, at);
  }

  /** A process that lives for one event parks every wait as it begins, and holds it all the same while the host lets it. */
  function isPending({ status, forHuman }: Boundary): boolean {
    if (status === "parked") return !capabilities.resident && held.isHeld() && !forHuman;
    return status === "countdown" || status === "waiting";
  }
}

/** A turn that is not ended although its time has come is looked at again, and not without a break. */
const CHECK_AGAIN_MS = 1_000;
