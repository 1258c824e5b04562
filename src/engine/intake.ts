import { isHumanWord, isOutcome, type Reply, type Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
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
 *     what became of words or a nudge ---------------------------> told until it is written down
 */
export function createIntake(parts: IntakeParts) {
  const { looks, boundary, checkpointing, unattended, run, tellNow, takeUp } = parts;
  const order = inOrder();
  let begun: Promise<void> = Promise.resolve();
  return { tell, settle, begun: () => begun };

  async function tell(trigger: Trigger): Promise<Reply> {
    if (trigger.type === "human.spoke" || (trigger.type === "turn.started" && !knowsTurn(run(), trigger.turn)))
      endAtOnce();
    if (isOutcome(trigger)) return tellSurely(trigger);
    const waitsForNothing = isHumanWord(trigger) || (order.isEmpty && !looks.areNeeded(trigger, run()));
    const reply = waitsForNothing ? tellNow(trigger) : await order.next(() => lookAndTell(trigger));
    const answer = reply.type === "checking" ? await parts.checked(reply.round) : reply;
    // The agent goes on when the files are recorded as they were.
    if (checkpointing.isTaking() && !isHumanWord(trigger))
      await checkpointing.taken(trigger.type === "calls.journal" ? CALL_WAITS_MS : undefined);
    return answer;
  }

  async function tellSurely(trigger: Trigger): Promise<Reply> {
    if (!parts.isResident) return tellNow(trigger);
    const insist = () => unattended.insist(() => tellNow(trigger)) ?? NOT_YET;
    return order.isEmpty ? insist() : order.next(async () => insist());
  }

  async function settle(end: Trigger & { type: "turn.ended" }): Promise<Settled> {
    const answer = Promise.withResolvers<Settled>();
    await order.next(async () => {
      boundary.look(end, answer.resolve);
      checkpointing.ofTurn("turn_ended");
      const seen = await looks.observe();
      if (checkpointing.isTaking()) await checkpointing.taken();
      if (!boundary.isLookedAt(answer.resolve)) return; // overtaken while we looked
      takeUp(end);
      boundary.hold(answer.resolve, () => tellNow({ ...end, ...seen }));
    });
    return answer.promise;
  }

  function endAtOnce(): void {
    const overtaken = boundary.overtaken();
    if (!overtaken) return;
    try {
      takeUp(overtaken.end);
      if (run().status === "live") parts.overtake(overtaken.end);
    } finally {
      overtaken.answer({ type: "settled" }); // it waits for nothing, whether or not that could be written down
    }
  }

  async function lookAndTell(trigger: Trigger): Promise<Reply> {
    if (trigger.type === "turn.started") {
      checkpointing.ofTurn("turn_began");
      // A process that lives on need not keep the model waiting: only what it calls waits.
      begun = looks.begin(run());
      if (!parts.isResident) await begun;
      if (!parts.isResident && checkpointing.isTaking()) await checkpointing.taken();
      const reply = tellNow(trigger);
      // A turn that began with a nudge in our answer starts from what was seen at that boundary.
      const wasSeen = trigger.cause === "nudge" && !parts.isResident;
      if (reply.type === "done" && !wasSeen) await observeBaseline();
      return reply;
    }
    const { seen, guarded } = await looks.before(trigger, run());
    return tellNow(guarded, seen);
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

const NOT_YET: Reply = { type: "ignored", why: "nothing_to_do" };
