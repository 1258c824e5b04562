import { gate } from "../core/workflow/index.ts";
import { type Log, openRun } from "../engine/index.ts";
import type { Answer, Happening } from "./happening.ts";

/** Whether a call may run: our own tools always, others unless the phase has no room for them. */
export function gateCall(
  { tool, bySubagent }: Happening & { type: "call.asked" },
  id: string,
  log: Log,
): Answer | undefined {
  const { run } = openRun(log, id);
  if (tool.ours === "write_todos" && bySubagent) return deny(NOT_YOURS);
  if (tool.ours !== undefined) return undefined;
  const gated = gate(run.plan.workflow, tool.name, tool.kinds);
  return gated.allowed ? undefined : deny(gated.reason);
}

const deny = (reason: string): Answer => ({ type: "deny", reason });
const NOT_YOURS =
  "A subagent may list and edit todos, not write the list. Report to the main agent what should change.";
