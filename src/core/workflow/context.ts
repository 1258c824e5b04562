import { clipLine, clipText, quoteBlock } from "../text/index.ts";
import type { Check } from "../todo/index.ts";
import { isReference, type PhaseDefinition, type ToolRules } from "./definition.ts";
import { phaseAt, placeOf } from "./path.ts";
import { breadcrumb, NAME_MAX, type Progress, phaseLabel, progressOf, scopeNames } from "./progress.ts";
import { type CurrentPhase, currentPhase, type WorkflowState } from "./state.ts";
import { fill, type TemplateValues } from "./template.ts";

/** How much of each part reaches the model at most. */
const SHOWN = { description: 4000, steps: 40, summaries: 5, summary: 500, list: 50, item: 200 } as const;

/** What the model is told of the workflow at every turn; undefined when nothing is active. */
export function contextBlock(state: WorkflowState | undefined): string | undefined {
  if (state?.status !== "active") return undefined;
  const current = currentPhase(state);
  if (!current) return definitionMissing(state);
  const progress = progressOf(state, current);
  const values = phaseValues(state, current, progress);
  return paragraphs(
    `[Workflow path: ${scopeNames(state)} ▸ ${phaseLabel(current.phase)}]`,
    fill<"roleInstruction">(current.root.roleInstruction ?? ROLE, values),
    lines(
      `**Task:**\n${quoteBlock(state.description, SHOWN.description)}`,
      `**Task ID:** ${clipLine(state.taskId, NAME_MAX)}`,
      `**Current Phase:** ${phaseLabel(current.phase)}`,
      `**Progress:** step ${progress.step} of ${progress.of} (${breadcrumb(state)})`,
    ),
    `**All Steps:**\n${stepList(state, progress)}`,
    summaryList(state),
    `**What to do in this phase:**\n${fill<"instructions">(current.phase.instructions, values)}`,
    phaseRules(current.phase),
    profiles(state, current),
    fill<"advanceReminder">(current.root.advanceReminder ?? advanceReminder(current), values),
  );
}

/** The nudge of a workflow that is not done. */
export function notDoneNudge(state: WorkflowState): string {
  const current = currentPhase(state);
  if (!current) return definitionMissing(state);
  return fill<"notDoneReminder">(current.root.notDoneReminder ?? NOT_DONE, {
    workflowName: current.root.name,
    workflowKey: state.workflowKey,
    taskId: state.taskId,
    taskDescription: clipText(state.description, SHOWN.description),
    phaseName: current.phase.name,
    phaseEmoji: current.phase.emoji,
    phaseInstructions: instructionsOf(state, current),
  });
}

/** The phase's instructions, filled in: the same text wherever it is shown. */
export function instructionsOf(state: WorkflowState, current: CurrentPhase): string {
  const values = phaseValues(state, current, progressOf(state, current));
  return fill<"instructions">(current.phase.instructions, values);
}

/** What binds the agent in this phase besides the instructions, derived from the rules themselves. */
export function phaseRules({ tools, todos, checks }: PhaseDefinition): string {
  return lines(
    toolRules(tools),
    todos.length > 0 &&
      `**Todos of this phase** (finish them before 'next'):\n${bullets(todos.map(({ text }) => text))}`,
    checks.length > 0 && `**Checks that must pass before 'next':**\n${bullets(checks.map(commandLine))}`,
  );
}

export const commandLine = ({ run }: Check): string => (typeof run === "string" ? run : run.join(" "));

export function definitionMissing(state: WorkflowState): string {
  return `The definition of the active workflow "${clipLine(state.workflowKey, NAME_MAX)}" cannot be read, so its phases and tool rules are unknown and tools stay blocked.
Call workflow_step with action 'cancel' to end it, and tell the user that it has to be started again.`;
}

function phaseValues(
  state: WorkflowState,
  { root, phase }: CurrentPhase,
  progress: Progress,
): TemplateValues<"instructions"> {
  return {
    workflowName: root.name,
    workflowKey: state.workflowKey,
    description: clipText(state.description, SHOWN.description),
    taskId: state.taskId,
    phaseId: phase.id,
    phaseName: phase.name,
    previousPhaseName: progress.previous,
    nextPhaseName: progress.next,
    blockedToolsList: (phase.tools.rule === "except" && phase.tools.tools.join(", ")) || "(none)",
    toolName: "workflow_step",
    breadcrumbPath: scopeNames(state),
    globalStepCount: String(state.moves),
  };
}

/** All steps, or those around the current one where there are many. Marked by place: one phase file may serve twice. */
function stepList(state: WorkflowState, { steps, step }: Progress): string {
  const here = placeOf(state.path);
  const from = Math.max(0, Math.min(step - 1 - SHOWN.steps / 2, steps.length - SHOWN.steps));
  const shown = steps.slice(from, from + SHOWN.steps);
  const after = steps.length - from - shown.length;
  return lines(
    from > 0 && `… ${from} before`,
    ...shown.map((path, offset) => {
      const phase = phaseAt(state.forest, path);
      return `${placeOf(path) === here ? "▶ " : ""}${from + offset + 1}. ${phase ? phaseLabel(phase) : "?"}`;
    }),
    after > 0 && `… ${after} after`,
  );
}

function summaryList({ summaries }: WorkflowState): string {
  if (summaries.length === 0) return "";
  const shown = summaries.slice(-SHOWN.summaries);
  const items = shown.map(
    ({ phaseName, text }) => `${clipLine(phaseName, NAME_MAX)}: ${clipLine(text, SHOWN.summary)}`,
  );
  return `**Handed over by earlier phases:**\n${items.map((item) => `> ${item}`).join("\n")}`;
}

function toolRules(rules: ToolRules): string | false {
  if (rules.rule === "all") return false;
  const named = clipLine(rules.tools.join(", "), 2000) || "(none)";
  return rules.rule === "except"
    ? `**Tools:** everything except ${named}.`
    : `**Tools:** only ${named}, besides the todo tools and workflow_step.`;
}

function profiles(state: WorkflowState, { phase }: CurrentPhase): string {
  const all = new Set(
    state.forest.flatMap(({ phases }) => phases.flatMap((p) => (isReference(p) ? [] : p.availableProfiles))),
  );
  if (all.size === 0) return "";
  return lines(
    `**Available subagent profiles for this phase:** ${clipLine(phase.availableProfiles.join(", "), 2000) || "(none)"}`,
    `**All profiles:** ${clipLine([...all].join(", "), 2000)}`,
  );
}

function bullets(items: readonly string[]): string {
  const shown = items.slice(0, SHOWN.list).map((item) => `- ${clipLine(item, SHOWN.item)}`);
  return lines(...shown, items.length > shown.length && `- … and ${items.length - shown.length} more`);
}

export const lines = (...parts: readonly (string | false)[]): string => parts.filter(Boolean).join("\n");
export const paragraphs = (...parts: readonly (string | false)[]): string => parts.filter(Boolean).join("\n\n");

const ROLE =
  "You are working through the workflow {workflowName}, one phase at a time. Do what the current phase asks, with the tools it allows, and leave the work of later phases to them.";

const ADVANCE =
  "When this phase is finished, call {toolName} with action 'next' and a short summary. Next: {nextPhaseName}.";

function advanceReminder({ scope }: CurrentPhase): string {
  return scope.loopable ? `${ADVANCE} Action 'loop' goes back to the first phase of "${scope.name}".` : ADVANCE;
}

const NOT_DONE = `⚠️ {workflowName} is not finished: {phaseEmoji} {phaseName} is the current phase.

Continue this phase. Its instructions:

{phaseInstructions}

When it is finished, call workflow_step with action 'next' and a short summary.`;
