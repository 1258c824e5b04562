import { clipLine, quoteBlock } from "../text/index.ts";
import { definitionMissing, instructionsOf, lines, paragraphs, phaseRules } from "./context.ts";
import { breadcrumb, NAME_MAX, phaseLabel, progressOf, scopeNames, workflowName } from "./progress.ts";
import { currentPhase, type WorkflowState } from "./state.ts";

/** What `workflow_step` answers. `details` carry what a host needs to draw the result again from its history. */
export interface StepResult {
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function nextResult(before: WorkflowState, after: WorkflowState): StepResult {
  const from = phaseName(before);
  const current = currentPhase(after);
  if (!current)
    return {
      text: `✓ Advanced: ${from} → DONE\n\nPrevious: ${from} | Current: ✅ Done | Next: DONE\n\n🎉 **All phases complete!**`,
      details: { action: "next", advanced: true, from, to: "DONE" },
    };
  const to = phaseLabel(current.phase);
  const { next, step, of } = progressOf(after, current);
  return {
    text: paragraphs(
      `✓ ${verb(before, after)}: ${from} → ${to}`,
      `Previous: ${from} | Current: ${to} | Next: ${next} | Step ${step} of ${of}`,
      whatToDo(after),
    ),
    details: { action: "next", advanced: true, from, to: clipLine(current.phase.name, NAME_MAX) },
  };
}

export function loopResult(after: WorkflowState): StepResult {
  const current = currentPhase(after);
  if (!current) return { text: definitionMissing(after), details: { action: "loop", active: true } };
  const to = phaseLabel(current.phase);
  return {
    text: paragraphs(`🔄 Looped '${clipLine(current.scope.name, NAME_MAX)}' back to: ${to}`, whatToDo(after)),
    details: { action: "loop", looped: true, to: clipLine(current.phase.name, NAME_MAX) },
  };
}

export function cancelRequestedResult(state: WorkflowState): StepResult {
  return {
    text: `⚠️ **Confirm cancellation** of workflow "${clipLine(state.description, 200)}"?\nCall workflow_step with action='cancel' again to confirm; any other action keeps it. This cannot be undone.`,
    details: { action: "cancel", active: true, cancelPending: true },
  };
}

export function cancelledResult(state: WorkflowState): StepResult {
  return {
    text: `Workflow cancelled: "${clipLine(state.description, 200)}"`,
    details: { action: "cancel", active: false, cancelled: true },
  };
}

export function startedResult(state: WorkflowState): StepResult {
  const current = currentPhase(state);
  return {
    text: `Workflow started: ${workflowName(state, state.workflowKey)}${current ? `, first phase ${phaseLabel(current.phase)}` : ""}`,
    details: { action: "start", active: true, workflowKey: state.workflowKey },
  };
}

export function statusResult(state: WorkflowState | undefined): StepResult {
  if (state?.status !== "active") return { text: NO_WORKFLOW, details: { action: "status", active: false } };
  const current = currentPhase(state);
  if (!current) return { text: definitionMissing(state), details: { action: "status", active: true, stale: true } };
  const { step, of } = progressOf(state, current);
  const nested = state.path.length > 1;
  return {
    text: paragraphs(
      lines(
        `**Workflow:** ${clipLine(current.root.name, NAME_MAX)} (${clipLine(state.workflowKey, NAME_MAX)})`,
        `**Task ID:** ${clipLine(state.taskId, NAME_MAX)}`,
        `**Description:**\n${quoteBlock(state.description, 1000)}`,
        nested && `**Path:** ${scopeNames(state)}`,
        `**Phase:** ${phaseLabel(current.phase)} ${breadcrumb(state)}`,
        `**Progress:** step ${step} of ${of}`,
        `**Started:** ${new Date(state.startedAt).toISOString()}`,
      ),
      whatToDo(state),
      current.phase.availableProfiles.length > 0 &&
        `**Available profiles:** ${clipLine(current.phase.availableProfiles.join(", "), 1000)}`,
    ),
    details: { action: "status", active: true, workflowKey: state.workflowKey, currentPath: state.path },
  };
}

export const NO_WORKFLOW = "No active workflow. Use /workflow {name} {description} to start one.";

function whatToDo(state: WorkflowState): string {
  const current = currentPhase(state);
  if (!current) return "";
  const name = clipLine(current.phase.name, NAME_MAX);
  return paragraphs(`**What to do in ${name}:**\n${instructionsOf(state, current)}`, phaseRules(current.phase));
}

/** Scopes are compared, not lengths: one subworkflow may follow another at the same depth. */
function verb(before: WorkflowState, after: WorkflowState): string {
  const [left, entered] = [scopesOf(before), scopesOf(after)];
  const shared = left.findIndex((scope, depth) => scope !== entered[depth]);
  const depth = shared < 0 ? left.length : shared;
  if (entered.length > depth)
    return `Entered subworkflow '${workflowName(after, after.path.at(-1)?.workflowKey ?? "")}'`;
  if (left.length > depth) return `Exited subworkflow, returning to ${scopeNames(after)}`;
  return "Advanced";
}

/** The places of the references that lead to the innermost scope. */
const scopesOf = ({ path }: WorkflowState): readonly string[] =>
  path.slice(0, -1).map(({ workflowKey, phaseIndex }) => `${workflowKey}:${phaseIndex}`);

function phaseName(state: WorkflowState): string {
  const current = currentPhase(state);
  return clipLine(current?.phase.name ?? state.path.at(-1)?.phaseId ?? "", NAME_MAX);
}
