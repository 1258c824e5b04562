import type { Trigger } from "./trigger.ts";

/** Words that let the agent do more than before, or count what it did. Only you may say them. */
export function loosens(trigger: Trigger): boolean {
  switch (trigger.type) {
    case "human.accept":
    case "human.extend":
    case "human.unhold":
    case "human.resume":
    case "human.clear":
      return true;
    case "human.answer":
      return trigger.outcome !== "denied" && trigger.outcome !== "stopped";
    case "todos.human_edit":
      return LOOSENING.has(trigger.edit.action);
    default:
      return false;
  }
}

const LOOSENING: ReadonlySet<string> = new Set(["done", "drop", "change", "release", "unblock"]);
