import { beginning, clipLine, clipText, withoutControls } from "../text/index.ts";
import { SESSION_NAME, workflowOf } from "./definition.ts";
import { steps } from "./path.ts";
import { NAME_MAX, workflowName } from "./progress.ts";
import { currentPhase, type Drift, type WorkflowState } from "./state.ts";
import { fill } from "./template.ts";

/** The words that begin the run, sent in the user's place. */
export function initialMessage(state: WorkflowState): string {
  const current = currentPhase(state);
  if (!current) return state.description;
  const { root, phase } = current;
  return fill<"initialMessage">(root.initialMessage, {
    workflowName: root.name,
    workflowKey: state.workflowKey,
    description: state.description,
    firstPhaseId: phase.id,
    firstPhaseName: phase.name,
    firstPhaseEmoji: phase.emoji,
    firstPhaseProfiles: phase.availableProfiles.join(", ") || "(none)",
  });
}

export function sessionName(state: WorkflowState): string {
  const { sessionNamePrefix, sessionNameMaxLength } = {
    ...SESSION_NAME,
    ...workflowOf(state.forest, state.workflowKey),
  };
  const words = clipLine(state.description, Number.MAX_SAFE_INTEGER);
  const name = words.length > sessionNameMaxLength ? `${beginning(words, sessionNameMaxLength)}…` : words;
  return withoutControls(sessionNamePrefix) + name;
}

/** Said once when the last phase is left. Works without the definition: a finished run never hangs on a file. */
export function completionNotice(state: WorkflowState): string {
  const root = workflowOf(state.forest, state.workflowKey);
  return fill<"completionMessage">(root?.completionMessage ?? COMPLETED, {
    workflowName: root?.name ?? state.workflowKey,
    taskDescription: clipText(state.description, 1000),
    taskId: state.taskId,
    phaseCount: String(steps(state.forest, state.workflowKey).length || state.visited.length),
  });
}

/** The author's completion message is not used here: nothing was completed. */
export function cancelNotice(state: WorkflowState): string {
  return `❌ **Workflow cancelled:** ${workflowName(state, state.workflowKey)}\n\n**Task:** ${clipLine(state.description, 200)}\n**Task ID:** ${clipLine(state.taskId, NAME_MAX)}`;
}

/** What to tell the user when the files no longer say what this run follows; undefined when they do. */
export function driftNotice(state: WorkflowState, drift: Drift): string | undefined {
  const name = workflowName(state, state.workflowKey);
  switch (drift) {
    case "none":
      return undefined;
    case "changed":
      return `The files of the workflow "${name}" changed since this run started. The run keeps the version it started with; start the workflow again to use the new one.`;
    case "missing":
      return `The files of the workflow "${name}" are gone or broken. The run keeps the version it started with.`;
  }
}

const COMPLETED = `✅ **{workflowName} complete**

**Task:** {taskDescription}
**Task ID:** {taskId}
**Phases:** {phaseCount}`;
