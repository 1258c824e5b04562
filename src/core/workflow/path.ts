import { type Forest, isReference, type PhaseDefinition, workflowOf } from "./definition.ts";

/** Where a run stands: one segment per nested workflow, the outermost first, the last one on a concrete phase. */
export type Path = readonly Segment[];

export interface Segment {
  readonly workflowKey: string;
  readonly phaseIndex: number;
  /** The phase's id, or the key of the subworkflow entered there: a log that can be read without the definition. */
  readonly phaseId: string;
}

export type Move =
  | { readonly status: "at"; readonly path: Path }
  | { readonly status: "end" }
  | { readonly status: "broken"; readonly workflowKey: string };

/** No run is longer than this; the loader refuses what is, and a damaged log cannot make us count forever. */
export const MAX_STEPS = 1000;

/** The first concrete phase at `index` of a workflow, through as many subworkflows as stand in front of it. */
export function enter(forest: Forest, parents: Path, workflowKey: string, index = 0): Move {
  let path = parents;
  let key = workflowKey;
  let phaseIndex = index;
  for (;;) {
    const entry = workflowOf(forest, key)?.phases[phaseIndex];
    const entersItself = path.some((segment) => segment.workflowKey === key);
    if (entry === undefined || entersItself) return { status: "broken", workflowKey: key };
    if (!isReference(entry)) return at([...path, { workflowKey: key, phaseIndex, phaseId: entry.id }]);
    path = [...path, { workflowKey: key, phaseIndex, phaseId: entry.subworkflow }];
    key = entry.subworkflow;
    phaseIndex = 0;
  }
}

/** The phase after this one: leaves every scope that is exhausted, then enters what comes. */
export function following(forest: Forest, path: Path): Move {
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const { workflowKey, phaseIndex } = path[depth]!;
    const workflow = workflowOf(forest, workflowKey);
    if (!workflow) return { status: "broken", workflowKey };
    if (phaseIndex + 1 < workflow.phases.length)
      return enter(forest, path.slice(0, depth), workflowKey, phaseIndex + 1);
  }
  return { status: "end" };
}

/** The first phase of the innermost scope; what it begins with is entered, not stood upon. */
export function restarted(forest: Forest, path: Path): Move {
  const scope = path.at(-1);
  if (!scope) return { status: "broken", workflowKey: "" };
  return enter(forest, path.slice(0, -1), scope.workflowKey);
}

/** The phase a path stands on; undefined when the definitions do not lead there. */
export function phaseAt(forest: Forest, path: Path): PhaseDefinition | undefined {
  let expected = path[0]?.workflowKey;
  for (const [depth, { workflowKey, phaseIndex, phaseId }] of path.entries()) {
    const entry = workflowKey === expected ? workflowOf(forest, workflowKey)?.phases[phaseIndex] : undefined;
    if (entry === undefined) return undefined;
    if (!isReference(entry)) return depth === path.length - 1 && entry.id === phaseId ? entry : undefined;
    if (entry.subworkflow !== phaseId) return undefined;
    expected = entry.subworkflow;
  }
  return undefined;
}

/** Every concrete phase of a workflow in the order a run visits them, subworkflows flattened. */
export function steps(forest: Forest, workflowKey: string): readonly Path[] {
  const found: Path[] = [];
  let move = enter(forest, [], workflowKey);
  while (move.status === "at" && found.length < MAX_STEPS) {
    found.push(move.path);
    move = following(forest, move.path);
  }
  return found;
}

/** One name per place in the run: the same phase file used twice stands in two places. */
export function placeOf(path: Path): string {
  return path.map(({ workflowKey, phaseIndex }) => `${workflowKey}:${phaseIndex}`).join(">");
}

const at = (path: Path): Move => ({ status: "at", path });
