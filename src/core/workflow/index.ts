export { contextBlock, notDoneNudge } from "./context.ts";
export {
  CONTEXT_MODES,
  type ContextMode,
  type Forest,
  isReference,
  type PhaseDefinition,
  type PhaseEntry,
  type PhaseTodo,
  SESSION_NAME,
  type SubworkflowReference,
  TOOL_GROUPS,
  type ToolGroup,
  type ToolRules,
  type WorkflowDefinition,
} from "./definition.ts";
export type { WorkflowEvent } from "./event.ts";
export { evolveWorkflow, isNewPhase } from "./evolve.ts";
export { allowedTools, forbidsWriting, type Gate, gate, type ToolKind } from "./gate.ts";
export { NEVER_GATED } from "./never-gated.ts";
export { driftNotice, initialMessage, sessionName } from "./notice.ts";
export { MAX_STEPS, type Path, type Segment } from "./path.ts";
export type { PhaseChecks, PhaseExit } from "./phase-exit.ts";
export { breadcrumb, statusLine } from "./progress.ts";
export { proposeWorkflow, type StartCommand, type WorkflowCommand, type WorkflowProposal } from "./propose.ts";
export { refusal, type WorkflowRefusal, type WorkflowRefusalCode } from "./refusal.ts";
export {
  type CurrentPhase,
  currentPhase,
  type Drift,
  driftOf,
  isUnfinished,
  type PhaseSummary,
  type WorkflowState,
} from "./state.ts";
export { STEP_ACTIONS, type StepAction } from "./step-action.ts";
export { NO_WORKFLOW, type StepResult } from "./step-result.ts";
export { TEMPLATE_VARIABLES, type TemplateName, unknownVariables } from "./template.ts";
