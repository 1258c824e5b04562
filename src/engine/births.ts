import type { Birth, Trigger } from "../core/react/index.ts";
import { hasPlan, isOpenPlan, type Run } from "../core/run/index.ts";
import type { NativeItem } from "../core/todo/index.ts";
import type { EnginePorts } from "./engine.ts";
import type { Seen } from "./looks.ts";

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

/** The run that begins with this in a session whose last run is `before`. */
export function birthOf(ports: EnginePorts, session: string, trigger: Trigger, before: Run, seen: Seen): Birth {
  const { parent, carried } = inheritedBy(trigger, before);
  return {
    ...ports.birth(trigger.type === "goal.set" ? trigger.goal : undefined),
    run: ports.newRunId(),
    driver: ports.driver,
    origin: { host: ports.host.name, session, cwd: ports.cwd, ...(parent !== undefined && { parent }) },
    seesCalls: ports.host.capabilities.sees.calls,
    ...(carried && { carried }),
    ...seen,
  };
}

/** What a new run takes over: the run it comes after, and a finished list that is appended to. */
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
