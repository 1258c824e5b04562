import { type Forest, type PhaseDefinition, type WorkflowDefinition, workflowOf } from "./definition.ts";
import { type Path, phaseAt } from "./path.ts";

/** The workflow of a run, as its events tell it. */
export interface WorkflowState {
  readonly status: "active" | "finished" | "cancelled";
  readonly workflowKey: string;
  readonly forest: Forest;
  readonly fingerprint: string;
  readonly description: string;
  readonly taskId: string;
  readonly startedAt: number;
  readonly path: Path;
  /** Moves made since the start, loops included. */
  readonly moves: number;
  readonly summaries: readonly PhaseSummary[];
  /** Places entered so far: a place entered for the first time is progress, a looped re-entry is not. */
  readonly visited: readonly string[];
  /** The turn in which one more `cancel` is final. */
  readonly cancelRequestedIn?: string;
}

export interface PhaseSummary {
  readonly phaseName: string;
  readonly text: string;
}

/** Where an active run stands, resolved. Every number is of the innermost scope. */
export interface CurrentPhase {
  readonly phase: PhaseDefinition;
  /** The innermost workflow, whose phase this is. */
  readonly scope: WorkflowDefinition;
  /** The workflow that was started; its texts speak for the whole run. */
  readonly root: WorkflowDefinition;
  readonly path: Path;
}

/** Undefined when nothing is active, and when the definitions do not lead to the place: gates are closed then. */
export function currentPhase(state: WorkflowState | undefined): CurrentPhase | undefined {
  if (state?.status !== "active") return undefined;
  const phase = phaseAt(state.forest, state.path);
  const root = workflowOf(state.forest, state.path[0]?.workflowKey ?? "");
  const scope = workflowOf(state.forest, state.path.at(-1)?.workflowKey ?? "");
  return phase && root && scope && { phase, scope, root, path: state.path };
}

/** An unfinished workflow is open work, also when its definition is gone: the user or `cancel` ends it. */
export function isUnfinished(state: WorkflowState | undefined): state is WorkflowState {
  return state?.status === "active";
}

export type Drift = "none" | "changed" | "missing";

/** How the definition this run keeps relates to the one on disk; `current` is undefined when there is none any more. */
export function driftOf(state: WorkflowState, current: string | undefined): Drift {
  if (current === undefined) return "missing";
  return current === state.fingerprint ? "none" : "changed";
}
