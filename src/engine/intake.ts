import { isHumanWord, isOutcome, type Reply, type Trigger } from "../core/react/index.ts";
import { type Run, UNBORN } from "../core/run/index.ts";
import { givesBirth } from "./births.ts";
import { CALL_WAITS_MS, type Checkpointing } from "./checkpointing.ts";
import type { HeldBoundary, Settled } from "./held-boundary.ts";
import { inOrder } from "./in-order.ts";
import type { Looks, Seen } from "./looks.ts";
import type { Unattended } from "./unattended.ts";

export interface IntakeParts {
  /** A process lives between the turns: what it could not write down it writes down later. */
  readonly isResident: boolean;
  readonly looks: Looks;
  readonly boundary: HeldBoundary;
  readonly checkpointing: Checkpointing;
  readonly unattended: Unattended;
  readonly run: () => Run;
  /** Whether what happened in that run belongs to the one that has the session by now. */
  readonly isStill: (run: Run) => boolean;
  readonly tellNow: (trigger: Trigger, seen?: Seen) => Reply;
  readonly takeUp: (trigger: Trigger) => void;
  /** Writes down the end of a turn after which the next has begun. */
  readonly overtake: (end: Trigger) => void;
  /** The answer of checks under way. */
  readonly checked: (round: string) => Promise<Reply>;
}

/**
 * The order in which a session takes in what it is told. What the agent does waits its turn, because a look at the workspace takes time;
 * your words overtake it.
 *
 *     your words ------------------------------------------------> told at once
 *     what the agent does --in order--> looked at, if needed ----> told
 *     the end of a turn ----in order--> looked at ---------------> told, and the host waits for what follows
 *                                           +-- the next turn begins --> told as overtaken, and nothing follows
 *                                           +-- another run has the session --> not told
 *     what became of words or a nudge ---------------------------> told until it is written down
 */
export function createIntake(parts: IntakeParts) {
  const { looks, boundary, checkpointing, unattended, run, tellNow, takeUp } = parts;
  const order = inOrder();
  let begun: Promise<void> = Promise.resolve();
  /** The run whose end of a turn is looked at. */
  let ended = UNBORN;
  return { tell, settle, begun: () => begun, idle };

  async function tell(trigger: Trigger): Promise<Reply> {
    const of = run();
    if (trigger.type === "human.spoke" || (trigger.type === "turn.started" && !knowsTurn(run(), trigger.turn)))
      endAtOnce();
    if (isOutcome(trigger)) return tellSurely(trigger);
    const waitsForNothing = isHumanWord(trigger) || (order.isEmpty && !looks.areNeeded(trigger, run()));
    const reply = waitsForNothing ? tellNow(trigger) : await order.next(() => lookAndTell(trigger, of));
    const answer = reply.type === "checking" ? await parts.checked(reply.round) : reply;
    // The agent goes on when the files are recorded as they were.
    if (checkpointing.isTaking() && !isHumanWord(trigger))
      await checkpointing.taken(trigger.type === "calls.journal" ? CALL_WAITS_MS : undefined);
    return answer;
  }

  /** Resolves when everything is told that came before; undefined: it is. */
  function idle(): Promise<void> | undefined {
    return order.isEmpty ? undefined : order.next(async () => {});
  }

  async function tellSurely(trigger: Trigger): Promise<Reply> {
    if (!parts.isResident) return tellNow(trigger);
    const insist = () => unattended.insist(() => tellNow(trigger)) ?? NOT_YET;
    return order.isEmpty ? insist() : order.next(async () => insist());
  }

  async function settle(end: Trigger & { type: "turn.ended" }): Promise<Settled> {
    const of = run();
    const answer = Promise.withResolvers<Settled>();
    await order.next(async () => {
      boundary.look(end, answer.resolve);
      ended = of;
      checkpointing.ofTurn("turn_ended");
      // The turn that overtakes it has answered it by then, and does not wait for the look.
      const seen = await Promise.race([lookAtEnd(), answer.promise.then(() => ({}))]);
      if (!boundary.isLookedAt(answer.resolve)) return; // overtaken while we looked
      if (parts.isStill(of)) takeUp(end);
      boundary.hold(answer.resolve, () => (parts.isStill(of) ? tellNow({ ...end, ...seen }) : NO_RUN));
    });
    return answer.promise;
  }

  async function lookAtEnd(): Promise<Seen> {
    const seen = await looks.observe();
    if (checkpointing.isTaking()) await checkpointing.taken();
    return seen;
  }

  function endAtOnce(): void {
    const overtaken = boundary.overtaken();
    if (!overtaken) return;
    try {
      if (!parts.isStill(ended)) return;
      takeUp(overtaken.end);
      if (run().status === "live") parts.overtake(overtaken.end);
    } finally {
      overtaken.answer({ type: "settled" }); // it waits for nothing, whether or not that could be written down
    }
  }

  async function lookAndTell(trigger: Trigger, of: Run): Promise<Reply> {
    if (trigger.type === "turn.started") {
      checkpointing.ofTurn("turn_began");
      // A process that lives on need not keep the model waiting: only what it calls waits.
      begun = looks.begin(run());
      if (!parts.isResident) await begun;
      if (!parts.isResident && checkpointing.isTaking()) await checkpointing.taken();
      if (!parts.isStill(of)) return NO_RUN;
      const reply = tellNow(trigger);
      // A turn that began with a nudge in our answer starts from what was seen at that boundary.
      const wasSeen = trigger.cause === "nudge" && !parts.isResident;
      if (reply.type === "done" && !wasSeen) await observeBaseline();
      return reply;
    }
    const { seen, guarded } = await looks.before(trigger, run());
    // What an agent wants to do next belongs to the run that is there; what it did says nothing about that one.
    return parts.isStill(of) || givesBirth(trigger, UNBORN) ? tellNow(guarded, seen) : NO_RUN;
  }

  /** What the files are before the turn did anything; told only to the same turn. */
  async function observeBaseline(): Promise<void> {
    const before = run();
    const { workspace } = await looks.observe();
    const { id, ledger } = run();
    const isStillIt = id === before.id && ledger.turn?.id === before.ledger.turn?.id && !ledger.boundary;
    if (workspace !== undefined && isStillIt) unattended.run(() => tellNow({ type: "workspace.observed", workspace }));
  }
}

/** Its beginning was told before: no turn follows from it. */
const knowsTurn = ({ ledger: { turn, endedTurns } }: Run, id: string): boolean =>
  turn?.id === id || endedTurns.includes(id);

const NO_RUN: Reply = { type: "ignored", why: "no_run" };
const NOT_YET: Reply = { type: "ignored", why: "nothing_to_do" };
