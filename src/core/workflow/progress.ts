import { clipLine } from "../text/index.ts";
import { isReference, workflowOf } from "./definition.ts";
import { type Path, phaseAt, placeOf, steps } from "./path.ts";
import { type CurrentPhase, currentPhase, type WorkflowState } from "./state.ts";

export const NAME_MAX = 100;

/** Where a run stands among all its concrete phases, subworkflows flattened. */
export interface Progress {
  /** Counts from 1. */
  readonly step: number;
  readonly of: number;
  readonly steps: readonly Path[];
  /** Names of the neighbours in the run, across scopes: `DONE` stands only where the run really ends. */
  readonly previous: string;
  readonly next: string;
}

export function progressOf(state: WorkflowState, { path }: CurrentPhase): Progress {
  const all = steps(state.forest, path[0]?.workflowKey ?? "");
  const here = placeOf(path);
  const index = all.findIndex((step) => placeOf(step) === here);
  return {
    step: index + 1,
    of: all.length,
    steps: all,
    previous: nameAt(state, all[index - 1]) ?? "(start)",
    next: nameAt(state, all[index + 1]) ?? "DONE",
  };
}

/** `Release > Review`: the names of the nested workflows, outermost first. */
export function scopeNames(state: WorkflowState): string {
  return state.path.map(({ workflowKey }) => workflowName(state, workflowKey)).join(" > ");
}

/** `[2/3] > [1/2]`: one bracket per nested workflow, each counted in its own scope. */
export function breadcrumb(state: WorkflowState): string {
  return state.path.map((segment) => scopeCount(state, segment)).join(" > ");
}

/**
 * `Release > Review [2/3] > 🔍 Static analysis [1/2]`; undefined when there is nothing to show. Where there is little room, names
 * are cut short and the counts stay.
 */
export function statusLine(state: WorkflowState | undefined, room = Number.POSITIVE_INFINITY): string | undefined {
  const current = currentPhase(state);
  if (!state || !current) return undefined;
  const line = (most: number) => {
    const entries = state.path.map(
      (segment) => `${clipLine(entryName(state, segment), most)} ${scopeCount(state, segment)}`,
    );
    return [clipLine(current.root.name, most), ...entries].join(" > ");
  };
  // Long names are cut first: what fits beside them stays whole.
  for (let most = NAME_MAX; most > SHORTEST_NAME; most--) if (line(most).length <= room) return line(most);
  return line(SHORTEST_NAME);
}

const SHORTEST_NAME = 6;

export function phaseLabel({ emoji, name }: { readonly emoji: string; readonly name: string }): string {
  return clipLine(`${emoji} ${name}`, NAME_MAX);
}

function scopeCount(state: WorkflowState, { workflowKey, phaseIndex }: Path[number]): string {
  return `[${phaseIndex + 1}/${workflowOf(state.forest, workflowKey)?.phases.length ?? 0}]`;
}

function entryName(state: WorkflowState, { workflowKey, phaseIndex, phaseId }: Path[number]): string {
  const entry = workflowOf(state.forest, workflowKey)?.phases[phaseIndex];
  if (!entry) return clipLine(phaseId, NAME_MAX);
  return isReference(entry) ? workflowName(state, entry.subworkflow) : phaseLabel(entry);
}

function nameAt(state: WorkflowState, path: Path | undefined): string | undefined {
  const phase = path && phaseAt(state.forest, path);
  return phase && clipLine(phase.name, NAME_MAX);
}

export function workflowName(state: WorkflowState, key: string): string {
  return clipLine(workflowOf(state.forest, key)?.name ?? key, NAME_MAX);
}
