import type { Outcome } from "../agent/index.ts";
import { STOP, type StopReason } from "../core/reason/index.ts";
import type { Run } from "../core/run/index.ts";
import { resumeCommand } from "../core/view/index.ts";
import { type Given, has, text } from "./command.ts";
import type { Io } from "./io.ts";
import { jsonLine } from "./json.ts";
import type { Task } from "./run-task.ts";

/** The command that continues a run which has just ended, as it has to be typed; undefined: there is nothing to continue. */
export function endedRun(
  { outcome, run }: { readonly outcome: Outcome; readonly run: Run | undefined },
  given: Given,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!run || outcome.exit === 0) return undefined;
  const again = ["approval", "confine"].flatMap((flag) => {
    const value = text(given, flag);
    return value === undefined ? [] : [`--${flag} ${value}`];
  });
  const more = [...(run.ledger.launch?.host === undefined ? [] : [`--host ${run.ledger.launch.host}`]), ...again].join(
    " ",
  );
  const reason = Object.hasOwn(STOP, outcome.reason) ? (outcome.reason as StopReason) : "interrupted";
  const command = resumeCommand(run, reason, more);
  const isOff = reason === "disabled" && env.TILDONE_OFF !== undefined;
  return isOff ? command.replace("tildone run", "TILDONE_OFF=0 tildone run") : command;
}

/** A run that is over, and nothing new to do in it. */
export const isOver = (task: Task): task is Task & { type: "resume" } =>
  task.type === "resume" && task.run.status === "ended" && task.message === "" && task.todos.length === 0;

/** How it ended, with its exit code: nothing is started. */
export async function sayOver({ run }: Task & { type: "resume" }, given: Given, io: Io): Promise<number> {
  const { outcomeOf } = await import("../agent/supervisor/index.ts");
  const outcome = outcomeOf(run);
  const resume = resumeCommand(run, "all_done");
  if (has(given, "json")) io.out(jsonLine({ type: "result", ...outcome, run: run.id, todos: run.plan.todos, resume }));
  else io.out(`Run ${run.id} is over: ${outcome.says}\nContinue with: ${resume}`);
  return outcome.exit;
}
