import { clipLine } from "../text/index.ts";
import { resolve } from "./template.ts";

/** Why a step was refused. The message tells the one who asked what to do instead. */
export interface WorkflowRefusal {
  readonly code: WorkflowRefusalCode;
  readonly message: string;
}

export const WORKFLOW_REFUSALS = {
  no_workflow: "No active workflow to {action}. The user starts one with /workflow <name> <description>.",
  already_active:
    'A workflow is already active: "{task}". Cancel it first with cancel-workflow, or put --replace before the name of the new one.',
  internal_workflow: '"{workflow}" only runs as a part of other workflows and cannot be started directly.',
  no_description: "Say what is to be done: /workflow {command} <description>.",
  description_too_long:
    "The description has {length} characters; the maximum is {limit}. Put the rest in a file and name it.",
  definition_missing:
    "The definition of the workflow '{workflow}' cannot be read. Use workflow_step with action='cancel' to clear it, and tell the user.",
  loop_disabled: "⚠️ Looping is disabled for \"{workflow}\". Continue the phase, and leave it with action 'next'.",
  phase_todos_open:
    "{open} todos of the phase {phase} are not finished. Finish them, or abandon them with a reason, then call 'next' again.",
  phase_checks_needed: "The checks of the phase {phase} have not run yet.",
  phase_check_failed:
    "A check of the phase {phase} failed: {command}\nMake it pass, then call 'next' again. The end of its output:\n{output}",
  read_only_phase_changed:
    "Files changed in the phase {phase}, which forbids writing. Undo the changes, or tell the user what changed and why: only the user can accept them (tildone accept).",
  subagent_step: "A subagent may ask for the status of the workflow, but not move it. Report what you did instead.",
  phase_moved: "The workflow has moved on since these checks began; nothing was changed.",
} as const satisfies Record<string, string>;
export type WorkflowRefusalCode = keyof typeof WORKFLOW_REFUSALS;

/** `values` are data of others: each is cut to a line, except the output of a check, which its caller bounds. */
export function refusal(code: WorkflowRefusalCode, values: Readonly<Record<string, string>>): WorkflowRefusal {
  const bounded = Object.entries(values).map(([name, value]) => [
    name,
    name === "output" ? value : clipLine(value, 300),
  ]);
  return { code, message: resolve(WORKFLOW_REFUSALS[code], Object.fromEntries(bounded)) };
}
