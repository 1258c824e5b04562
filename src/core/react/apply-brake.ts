import { type Brake, brake } from "../continuation/index.ts";
import { brakeText } from "../view/index.ts";
import type { Draft } from "./draft.ts";
import { done } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import { triggerRow } from "./trigger-table.ts";

/** Ends the turn that runs, if it has to: after everything that happened in it, and when nothing happened for too long. */
export function applyBrake(draft: Draft, trigger: Trigger): void {
  const { turn, boundary } = draft.run.ledger;
  const atOnce = isHeldNow(draft, trigger);
  if (turn) {
    const due = atOnce ? HELD_NOW : brake(draft.run, draft.context.limits, draft.context.now);
    if (due && (!turn.braked || turn.braked.how !== due.how)) {
      draft.add("engine", { type: "turn.braked", turn: turn.id, ...due });
      end(draft, due);
    } else if (turn.braked && trigger.type === "answer.seen") end(draft, { ...turn.braked, how: "now" }); // it continued all the same
  } else if (atOnce || (!boundary && isHeld(draft, trigger)))
    end(draft, { reason: "held", how: atOnce ? "now" : "after_tool" });
  answer(draft, trigger);
}

/** Every report of something in the turn is answered with the same: it has to end. */
function answer(draft: Draft, trigger: Trigger): void {
  const { braked } = draft.run.ledger.turn ?? {};
  if (!braked || !triggerRow(trigger).isOfTurn) return;
  const { reason, detail, how } = braked;
  const brake = { reason, how, detail };
  draft.reply = { ...(draft.reply.type === "done" ? draft.reply : done("")), brake };
}

const HELD_NOW: Brake = { reason: "held", how: "now" };

const end = (draft: Draft, due: Brake): void =>
  draft.perform({ type: "turn.end", how: due.how, says: brakeText(due.reason, due.detail) });

/** You said so here, or in another process since this one looked. */
function isHeldNow(draft: Draft, trigger: Trigger): boolean {
  return (
    isHeld(draft, trigger) &&
    ((trigger.type === "human.hold" && trigger.now) || heldElsewhere(draft).some(({ now }) => now))
  );
}

const isHeld = (draft: Draft, trigger: Trigger): boolean =>
  trigger.type === "human.hold" || heldElsewhere(draft).length > 0;

const heldElsewhere = ({ context }: Draft) =>
  (context.foreign ?? []).flatMap(({ event }) => (event.type === "human.held" ? [event] : []));
