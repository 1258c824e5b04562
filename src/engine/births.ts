import type { Birth, Trigger } from "../core/react/index.ts";
import { hasPlan, isOpenPlan, type Run } from "../core/run/index.ts";
import type { NativeItem } from "../core/todo/index.ts";

/** Whether a session whose last run is `before` (unborn or ended) gets a new run by this. */
export function givesBirth(trigger: Trigger, before: Run): boolean {
  switch (trigger.type) {
    case "plan.rebase":
      return before.status === "unborn" ? hasPlan(trigger.plan) : isOpenPlan(trigger.plan);
    case "todos.write":
      return trigger.by !== "subagent" && trigger.write.todos.length > 0;
    case "todos.mirror":
      return trigger.by !== "subagent" && trigger.items.some(isOpenItem);
    case "goal.set":
    case "workflow.start":
      return true;
    default:
      return false;
  }
}

/** What a new run takes over: the run it comes after, and a finished list that somebody appends to. */
export function inheritedBy(trigger: Trigger, before: Run): { readonly parent?: string } & Pick<Birth, "carried"> {
  if (trigger.type === "plan.rebase" && trigger.parent !== undefined) return { parent: trigger.parent };
  if (before.status !== "ended") return {};
  // A cleared list stays cleared, and a replace begins afresh.
  const isCarried =
    trigger.type === "todos.write" && trigger.write.mode !== "replace" && before.ledger.endReason !== "cleared";
  return { parent: before.id, ...(isCarried && { carried: before.plan }) };
}

const isOpenItem = ({ status }: NativeItem): boolean =>
  status === "not_started" || status === "in_progress" || status === "blocked";
