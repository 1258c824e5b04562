import type { Limits } from "../core/continuation/index.ts";
import type { Context, Delivery } from "../core/react/index.ts";
import { limitsOn, WAKER } from "./capabilities.ts";
import type { EnginePorts } from "./engine.ts";
import type { Host } from "./ports.ts";

/** How a session stands as something is written down. */
export interface Moment {
  /** The host waits for our answer. */
  readonly isHeld: boolean;
  /** Of the claim of this process. */
  readonly epoch: number;
  /** The next turn has begun: nothing goes out any more. */
  readonly isOvertaken: boolean;
}

/** What a reaction may know besides the run: the time, the limits that mean something here, and what this host could do now. */
export function contextOf(ports: EnginePorts, session: string, moment: Moment): Context {
  const { host, clock } = ports;
  const { resident } = host.capabilities;
  return {
    ...ports.context(),
    limits: limitsHere(ports),
    now: clock.now(),
    ...(clock.timebase && { timebase: clock.timebase() }),
    at: { host: host.name, session },
    role: "driver",
    epoch: moment.epoch,
    mayNudge: !moment.isOvertaken && (host.capabilities.startsTurns || moment.isHeld),
    ...(host.recheck && { asksFirst: true }),
    delivery: moment.isOvertaken ? "not now" : deliveryTo(host, moment),
    renews: host.capabilities.renews,
    ...(!resident && { waker: WAKER }),
    runsChecks: ports.checks !== undefined,
    mayCheck: resident || moment.isHeld,
  };
}

export const limitsHere = ({ host, context }: EnginePorts): Limits => limitsOn(host.capabilities, context().limits);

/** A host that starts no turns hears your words only in our answer at a boundary. */
function deliveryTo({ capabilities: { resident, startsTurns } }: Host, { isHeld }: Moment): Delivery {
  if (resident || startsTurns) return "at once";
  return isHeld ? "in the answer" : "not now";
}
