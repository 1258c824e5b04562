import type { Trigger } from "./trigger.ts";

/** What is true of a trigger, whatever it says. */
interface TriggerRow {
  /** Which handler says what it means. */
  readonly room: Room;
  /** Only you say it: it comes from any process. Others say who they are (`by`). */
  readonly isYours?: true;
  /** It means something to a run that is over. */
  readonly afterEnd?: true;
  /** It happened within a turn: the one who tells it hears that the turn has to end. */
  readonly isOfTurn?: true;
  /** What became of something that left for the host: written down surely, because the run waits for it. */
  readonly isOutcome?: true;
  /** Told by the process that sends notifications, which drives nothing. */
  readonly isSenders?: true;
  /** Our own note: nothing is decided anew because of it. */
  readonly isNote?: true;
}

export type Room =
  | "list"
  | "workflow"
  | "host"
  | "human"
  | "turn"
  | "answer"
  | "conversation"
  | "recheck"
  | "checkpoint"
  | "round"
  | "first"
  | "calls"
  | "resume"
  | "launch"
  | "goal"
  | "notification"
  | "none";

/** Every trigger, once. */
export const TRIGGERS = {
  "todos.write": { room: "list" },
  "todos.edit": { room: "list" },
  "todos.human_edit": { room: "list", isYours: true },
  "todos.mirror": { room: "list" },
  "plan.rebase": { room: "host", afterEnd: true },
  "workflow.start": { room: "workflow" },
  "workflow.step": { room: "workflow" },
  "goal.set": { room: "goal" },
  "human.spoke": { room: "human", isYours: true },
  "human.hold": { room: "human", isYours: true },
  "human.unhold": { room: "human", isYours: true },
  "human.resume": { room: "resume", isYours: true },
  "human.interrupt": { room: "human", isYours: true },
  "human.accept": { room: "human", isYours: true, afterEnd: true },
  "human.extend": { room: "human", isYours: true },
  "human.clear": { room: "human", isYours: true, afterEnd: true },
  "human.undo": { room: "checkpoint", isYours: true, afterEnd: true },
  "human.answer": { room: "calls", isYours: true },
  "human.press": { room: "notification", isYours: true },
  "continuation.switch": { room: "human", isYours: true },
  "words.queue": { room: "human", isYours: true },
  "words.edit": { room: "human", isYours: true },
  "words.remove": { room: "human", isYours: true },
  "words.send": { room: "human" },
  "words.delivered": { room: "human", afterEnd: true, isOutcome: true },
  "words.failed": { room: "human", afterEnd: true, isOutcome: true },
  "turn.started": { room: "turn" },
  "workspace.observed": { room: "turn" },
  "turn.ended": { room: "turn" },
  "answer.seen": { room: "answer", isOfTurn: true },
  "answer.growing": { room: "answer", isOfTurn: true },
  "tool.began": { room: "answer", isOfTurn: true },
  "turn.check": { room: "none", isOfTurn: true, isNote: true },
  "conversation.renew": { room: "conversation" },
  "call.seen": { room: "answer", isOfTurn: true },
  "usage.seen": { room: "turn" },
  "question.opened": { room: "host" },
  "question.closed": { room: "host" },
  "recovery.began": { room: "host" },
  "recovery.ended": { room: "host" },
  "compaction.began": { room: "host" },
  "compaction.ended": { room: "host" },
  "background.changed": { room: "host" },
  "mode.changed": { room: "host" },
  "model.chosen": { room: "host" },
  "host.failed": { room: "host", isNote: true },
  "attempt.refused": { room: "host", afterEnd: true, isNote: true },
  "host.left": { room: "host" },
  "run.open": { room: "host", afterEnd: true },
  "run.bind": { room: "host", isYours: true, afterEnd: true },
  "run.launch": { room: "launch" },
  "timer.fired": { room: "none" },
  "host.rechecked": { room: "recheck" },
  "wait.parked": { room: "turn", isNote: true },
  "nudge.delivered": { room: "turn", afterEnd: true, isOutcome: true },
  "nudge.failed": { room: "turn", isOutcome: true },
  "nudge.withdraw": { room: "turn", isOutcome: true },
  "turn.resume": { room: "turn" },
  "checkpoint.taken": { room: "checkpoint", afterEnd: true, isNote: true },
  "checkpoints.unavailable": { room: "checkpoint", afterEnd: true, isNote: true },
  "round.ended": { room: "round" },
  "check.tried": { room: "first", isNote: true },
  "calls.journal": { room: "calls", afterEnd: true },
  "notification.send": { room: "notification", afterEnd: true, isSenders: true, isNote: true },
  "notification.sent": { room: "notification", afterEnd: true, isSenders: true, isNote: true },
  "log.moved": { room: "none", isNote: true },
} as const satisfies Record<Trigger["type"], TriggerRow>;

export const triggerRow = ({ type }: Pick<Trigger, "type">): TriggerRow => TRIGGERS[type];

export const isOutcome = (trigger: Trigger): boolean => triggerRow(trigger).isOutcome === true;

/** The triggers that one handler takes up. */
export type TriggerIn<R extends Room> = Extract<
  Trigger,
  { readonly type: { [T in Trigger["type"]]: (typeof TRIGGERS)[T]["room"] extends R ? T : never }[Trigger["type"]] }
>;
