import { isHumanWord, type Reply, type Trigger } from "../core/react/index.ts";
import { birthOf, givesBirth } from "./births.ts";
import type { BoundRun } from "./bound-run.ts";
import { contextOf } from "./context-of.ts";
import type { EnginePorts } from "./engine.ts";
import type { Seen } from "./looks.ts";
import type { OwnClaim } from "./own-claim.ts";
import type { Recorded } from "./recorder.ts";
import type { Writes } from "./writes.ts";

export interface RecordingParts {
  readonly ports: EnginePorts;
  readonly session: string;
  readonly bound: BoundRun;
  readonly own: OwnClaim;
  readonly writes: Writes;
  readonly isHeld: () => boolean;
  /** It is in the log; what follows from it is done here. `overtaken`: nothing may follow. */
  readonly wrote: (recorded: Recorded, how: "current" | "overtaken") => void;
  readonly born: () => void;
}

/**
 * Writes down what is told to a session, in the run that it belongs to.
 *
 *     no run --a list, a goal, a workflow--> live and ours --it ends--> ended --the next list--> live and ours, another run
 *              live, another process's --the agent works here--> live and ours
 */
export function createRecording({ ports, session, bound, own, writes, isHeld, wrote, born }: RecordingParts) {
  return { tell, takeUp, write };

  function tell(trigger: Trigger, seen: Seen = {}): Reply {
    takeUp(trigger);
    const { status } = bound.run();
    if (status !== "live" && givesBirth(trigger, bound.run())) return begin(trigger, seen);
    return status === "unborn" ? { type: "ignored", why: "no_run" } : write(trigger);
  }

  /** The run of this session, claimed by this process if it has none of its own yet and the agent works here. */
  function takeUp(trigger: Trigger): void {
    if (bound.run().status !== "live") bound.reload();
    const run = bound.run();
    if (run.status !== "live" || own.has(run) || trigger.type === "run.open") return;
    const isOurs = run.ledger.claim.driver === ports.driver; // claimed by an earlier process of the same driver
    if (isHumanWord(trigger) && trigger.type !== "human.spoke" && !isOurs) return; // not said by this host's agent
    // A turn that begins with a nudge shows that it went out, no matter who sent it.
    const nudge = trigger.type === "turn.started" ? trigger.nudge : undefined;
    write({ type: "run.open", driver: ports.driver, goOn: false, ...(nudge && { delivered: [nudge] }) });
  }

  function begin(trigger: Trigger, seen: Seen): Reply {
    const birth = birthOf(ports, session, trigger, bound.run(), seen);
    const reply = write(trigger, { birth });
    if (bound.run().id === birth.run) born();
    else if (bound.isLive()) return tell(trigger); // another process was first: it is told to that run
    return reply;
  }

  function write(
    trigger: Trigger | "look",
    { birth, how = "current" }: { birth?: ReturnType<typeof birthOf>; how?: "current" | "overtaken" } = {},
  ): Reply {
    const moment = { isHeld: isHeld(), epoch: own.epochOf(bound.run()), isOvertaken: how === "overtaken" };
    const context = contextOf(ports, session, moment);
    const act = () => bound.write(trigger, context, birth);
    const recorded = trigger === "look" ? act() : writes.attempt(act, ({ reaction }) => !!reaction?.events.length);
    const { id, ledger } = bound.run();
    const isTaken = trigger !== "look" && trigger.type === "run.open" && ledger.claim.driver === trigger.driver;
    if (isTaken || id === birth?.run) own.take(bound.run());
    wrote(recorded, how);
    return recorded.reaction?.reply ?? { type: "ignored", why: "nothing_to_do" };
  }
}
