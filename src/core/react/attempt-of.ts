import type { Attempt } from "../speaker/index.ts";
import type { HumanEdit } from "../todo/index.ts";
import type { Trigger } from "./trigger.ts";

/** Words that let the agent do more than before, or count what it did: only you may say them. Undefined: the agent may, too. */
export function attemptOf(trigger: Trigger): Attempt | undefined {
  switch (trigger.type) {
    case "human.accept":
      return trigger.checks === undefined ? "accept" : "accept_checks";
    case "human.extend":
      return "extend";
    case "human.unhold":
      return "unhold";
    case "human.resume":
      return "resume";
    case "human.clear":
      return "clear";
    case "human.undo":
      return "undo";
    case "human.answer":
      return trigger.outcome === "denied" || trigger.outcome === "stopped" ? undefined : "approve";
    case "todos.human_edit":
      return EDITS[trigger.edit.action];
    default:
      return undefined;
  }
}

const EDITS: Readonly<Record<HumanEdit["action"], Attempt | undefined>> = {
  done: "todo_done",
  drop: "todo_drop",
  change: "todo_change",
  release: "todo_release",
  unblock: "todo_unblock",
  move: undefined,
  reopen: undefined,
};
