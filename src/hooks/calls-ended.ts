import { digestOf } from "../core/call/index.ts";
import { mayRun, observedBy } from "../core/continuation/index.ts";
import type { Run } from "../core/run/index.ts";
import { oneLine } from "../core/text/index.ts";
import { isFinished } from "../core/todo/index.ts";
import { dueIn, ending } from "./brake-call.ts";
import type { Answer, EndedCall, EndedCommand } from "./happening.ts";
import type { Respondent, Spoken } from "./respond.ts";
import { abort } from "./turn-over.ts";

/** Calls that are over, and whether the turn has to end with them. */
export async function callsEnded(
  { calls, interrupted, readOnly }: Spoken & { type: "calls.ended" },
  respondent: Respondent,
): Promise<Answer | undefined> {
  const { engine, session } = respondent;
  for (const call of calls) await callEnded(call, respondent);
  await inMode(readOnly, respondent);
  if (interrupted) {
    await abort(respondent);
    return undefined;
  }
  const due = dueIn(await engine.tell(session, { type: "turn.check" }), engine.run(session));
  return due && ending(due, false, respondent.event, respondent);
}

export async function inMode(readOnly: boolean | undefined, { engine, session }: Respondent): Promise<void> {
  const known = engine.run(session);
  if (readOnly !== undefined && known?.status === "live" && readOnly !== known.ledger.readOnly)
    await engine.tell(session, { type: "mode.changed", readOnly });
}

async function callEnded(
  { tool, args, result, list, command, refused }: EndedCall,
  { engine, session }: Respondent,
): Promise<void> {
  if (list && !isOurs(engine.run(session)))
    await engine.tell(session, { type: "todos.mirror", items: list, by: "model" });
  const own = tool.ours !== undefined || tool.kinds.includes("@control") || refused === true;
  await engine.tell(session, {
    type: "call.seen",
    digest: digestOf(tool.name, args, result),
    tool: tool.name,
    ...(own ? { own } : observed(command, engine.run(session))),
  });
}

/** Whether a command passed is asked for only where it is the check of something: the answer may stand in a file. */
function observed(command: EndedCommand | undefined, run: Run | undefined) {
  if (!command || run?.status !== "live" || observedBy(run, command.line, true).length === 0) return {};
  const { line, output } = command;
  const passed = command.passed();
  return passed === undefined ? {} : { command: { line, passed, output } };
}

/** Lists that our tools wrote carry their batch; the host's own list is not allowed to replace one. */
const isOurs = (run: Run | undefined): boolean => run?.status === "live" && run.ledger.movedIn !== undefined;

/** The host's own list cannot run checks: an item that has one is completed with our tool, which does. */
export function completing(text: string, { plan }: Run): Answer | undefined {
  const index = plan.todos.findIndex((todo) => todo.text === oneLine(text) && !isFinished(todo));
  if (!plan.todos[index]?.checks.some(mayRun)) return undefined;
  return {
    type: "deny",
    reason: `This todo has a check. Complete it with edit_todos complete [${index}]: that runs the check.`,
  };
}
