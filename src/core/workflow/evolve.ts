import { clipText } from "../text/index.ts";
import type { WorkflowEvent } from "./event.ts";
import { MAX_STEPS, type Path, phaseAt, placeOf } from "./path.ts";
import { readForest, readPath, readText, readTime } from "./read-forest.ts";
import type { PhaseSummary, WorkflowState } from "./state.ts";

export const SUMMARY_LIMITS = { characters: 2000, kept: 100 } as const;

/** Total: whatever log an event came from, it is taken up as far as it makes sense, and never throws. */
export function evolveWorkflow(state: WorkflowState | undefined, event: WorkflowEvent): WorkflowState | undefined {
  switch (event?.type) {
    case "workflow.started":
      return started(event);
    case "phase.entered":
    case "workflow.looped":
      return moved(state, event);
    case "workflow.finished":
      return ended(state, "finished", event.summary);
    case "workflow.cancelled":
      return ended(state, "cancelled", event.summary);
    case "workflow.cancel_requested":
      return state?.status === "active" ? { ...state, cancelRequestedIn: readText(event.turn) } : state;
    case "workflow.cancel_withdrawn":
      return state && unconfirmed(state);
  }
  event satisfies never; // what another version wrote changes nothing
  return state;
}

/** The event enters a place where this run has never been. */
export function isNewPhase(before: WorkflowState | undefined, event: WorkflowEvent): boolean {
  const known = event.type === "workflow.started" ? 0 : (before?.visited.length ?? 0);
  return (evolveWorkflow(before, event)?.visited.length ?? 0) > known;
}

function started(event: Extract<WorkflowEvent, { type: "workflow.started" }>): WorkflowState {
  const path = readPath(event.path);
  return {
    status: "active",
    workflowKey: readText(event.workflowKey),
    forest: readForest(event.forest),
    fingerprint: readText(event.fingerprint),
    description: readText(event.description),
    taskId: readText(event.taskId),
    startedAt: readTime(event.startedAt),
    path,
    moves: 0,
    summaries: [],
    visited: visit([], path),
  };
}

/** A move without its start (that row was damaged) leaves a workflow with no definition: closed gates, not none. */
function moved(
  state: WorkflowState | undefined,
  event: Extract<WorkflowEvent, { type: "phase.entered" | "workflow.looped" }>,
): WorkflowState | undefined {
  if (state && state.status !== "active") return state;
  const before = state ?? withoutStart(event);
  const path = readPath(event.path);
  return {
    ...unconfirmed(before),
    path,
    moves: before.moves + 1,
    summaries: summarised(before, event.summary),
    visited: visit(before.visited, path),
  };
}

function withoutStart(event: { readonly path: Path }): WorkflowState {
  return started({
    type: "workflow.started",
    workflowKey: readPath(event.path)[0]?.workflowKey ?? "",
    forest: [],
    fingerprint: "",
    description: "",
    taskId: "",
    startedAt: 0,
    path: [],
  });
}

function ended(
  state: WorkflowState | undefined,
  status: "finished" | "cancelled",
  summary: unknown,
): WorkflowState | undefined {
  if (state?.status !== "active") return state;
  return { ...unconfirmed(state), status, summaries: summarised(state, summary) };
}

function unconfirmed({ cancelRequestedIn: _forgotten, ...state }: WorkflowState): WorkflowState {
  return state;
}

function visit(visited: readonly string[], path: Path): readonly string[] {
  const place = placeOf(path);
  if (place === "" || visited.includes(place) || visited.length >= MAX_STEPS) return visited;
  return [...visited, place];
}

function summarised({ forest, path, summaries }: WorkflowState, summary: unknown): readonly PhaseSummary[] {
  const text = clipText(readText(summary).trim(), SUMMARY_LIMITS.characters);
  if (text === "") return summaries;
  const phaseName = phaseAt(forest, path)?.name ?? path.at(-1)?.phaseId ?? "";
  return [...summaries, { phaseName, text }].slice(-SUMMARY_LIMITS.kept);
}
