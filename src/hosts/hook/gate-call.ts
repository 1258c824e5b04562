import type { Envelope } from "../../core/run/index.ts";
import { gate } from "../../core/workflow/index.ts";
import { type Log, openRun } from "../../engine/index.ts";
import type { Answer, Happening } from "./happening.ts";

/** Whether a call may run: our own tools always, others unless the human ended this turn or the phase has no room for them. */
export function gateCall(
  { tool, bySubagent }: Happening & { type: "call.asked" },
  id: string,
  log: Log,
): Answer | undefined {
  const { run } = openRun(log, id);
  if (tool.ours === "write_todos" && bySubagent) return deny(NOT_YOURS);
  if (tool.ours !== undefined) return undefined;
  const isControl = tool.kinds.includes("@control");
  if (!isControl && run.ledger.held && wasEndedNow(log, run.id)) return deny(HELD);
  const gated = gate(run.plan.workflow, tool.name, tool.kinds);
  return gated.allowed ? undefined : deny(gated.reason);
}

/** How far back a hold is looked for: a turn between two words of the human. */
const LOOK_BACK = 1_000;

/** The human said hold --now and nothing since. A process that lives for one event cannot remember it, so the log is asked. */
function wasEndedNow(log: Log, run: string): boolean {
  const { events } = log.read(run, Math.max(0, log.last(run) - LOOK_BACK));
  const last = (events as readonly Envelope[]).findLast(
    ({ event }) => event.type === "human.held" || event.type === "human.spoke",
  );
  return last?.event.type === "human.held" && last.event.now;
}

const deny = (reason: string): Answer => ({ type: "deny", reason });
const HELD = "The human holds this run: stop working now, say in one sentence what is open, and wait.";
const NOT_YOURS =
  "A subagent may list and edit todos, not write the list. Report to the main agent what should change.";
