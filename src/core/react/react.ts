import { isOpenPlan, type Run } from "../run/index.ts";
import { withoutSecrets } from "../secret/index.ts";
import { applyBrake } from "./apply-brake.ts";
import { consider } from "./consider.ts";
import { Draft } from "./draft.ts";
import { handle } from "./handle.ts";
import { queueNotifications } from "./handle-notification.ts";
import { keepTime } from "./keep-time.ts";
import type { Reaction } from "./reaction.ts";
import { endingTurn } from "./renew-conversation.ts";
import type { Birth, Context, Trigger } from "./trigger.ts";
import { triggerRow } from "./trigger-table.ts";

/**
 * The one place where a run changes: what happened, what follows, what to answer.
 * What it is told enters without secrets: everything that is kept, sent, shown or exported comes from here. A handler says what the
 * trigger means; if the run then stands at a boundary, the decision is taken anew.
 */
export function react(run: Run, told: Trigger, context: Context): Reaction {
  if (run.status === "unborn") return ignored(run, "no_run");
  if (isElsewhere(run, context)) return ignored(run, "not_owner");
  const drives = isDriver(run, context);
  const isForAnyone =
    told.type === "run.open" || told.type === "attempt.refused" || triggerRow(told).isSenders === true;
  if (!drives && !isForAnyone && !isHumanWord(told)) return ignored(run, "not_driver");
  if (run.status === "ended" && !triggerRow(told).afterEnd && !isClearing(told)) return ignored(run, "run_ended");
  const trigger = withoutSecrets(told, context.redact);
  const draft = new Draft(run, context);
  if (drives || trigger.type === "run.open") keepTime(draft);
  if (drives && trigger.type === "turn.ended") noteDropped(draft);
  draft.reply = endingTurn(draft, handle(draft, trigger));
  if (drives) applyBrake(draft, trigger);
  if (drives || trigger.type === "run.open") {
    consider(draft, trigger);
    queueNotifications(draft);
  }
  return draft.reaction();
}

/** The first reaction of a run: it is born, then takes up the trigger that gave it birth. */
export function begin(birth: Birth, unborn: Run, told: Trigger, context: Context): Reaction {
  const draft = new Draft(unborn, context);
  const trigger = withoutSecrets(told, context.redact);
  const { carried, driver, ...facts } = withoutSecrets(birth, context.redact);
  draft.add(trigger.type === "goal.set" ? "human" : "engine", {
    type: "run.began",
    ...facts,
    ...(context.timebase && { timebase: context.timebase }),
  });
  draft.add("engine", { type: "run.claimed", driver, epoch: 1 });
  if (carried) draft.add("engine", { type: "plan.rebased", plan: carried });
  noteDropped(draft);
  draft.reply = handle(draft, trigger);
  if (draft.reply.type === "refused") return { events: [], effects: [], reply: draft.reply, run: unborn };
  // A list that came with its branch and is finished is there to be seen and carried on, not to be driven.
  if (trigger.type === "plan.rebase" && !isOpenPlan(draft.run.plan))
    draft.add("engine", { type: "run.ended", reason: "finished_before" });
  consider(draft, trigger);
  queueNotifications(draft);
  return draft.reaction();
}

/** The next nudge and the report say it; told once, until it changes. */
function noteDropped(draft: Draft): void {
  const files = draft.context.dropped;
  if (files === undefined || JSON.stringify(files) === JSON.stringify(draft.run.ledger.dropped?.files ?? [])) return;
  draft.add("engine", { type: "config.dropped", files });
}

/** Told by a session that the run has left: it is not that session's any more, whatever happens there. */
const isElsewhere = ({ origin }: Run, { at }: Context): boolean =>
  at !== undefined && (at.host !== origin.host || at.session !== origin.session);

function isDriver({ ledger }: Run, { role, epoch }: Context): boolean {
  return role === "driver" && (epoch === undefined || epoch === ledger.claim.epoch);
}

/** Your words come from any process; everything else only from the one that drives the run. */
export function isHumanWord(trigger: Trigger): boolean {
  if ("by" in trigger) return trigger.by === "human";
  return triggerRow(trigger).isYours === true;
}

/** A finished list may be taken away; anything else written after the end begins a new run. */
const isClearing = (trigger: Trigger): boolean =>
  trigger.type === "todos.write" && trigger.write.mode === "replace" && trigger.write.todos.length === 0;

const ignored = (run: Run, why: "no_run" | "not_owner" | "not_driver" | "run_ended"): Reaction => ({
  events: [],
  effects: [],
  reply: { type: "ignored", why },
  run,
});
