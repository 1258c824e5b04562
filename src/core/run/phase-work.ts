import { currentPhase, type WorkflowState } from "../workflow/index.ts";
import type { Actor } from "./event.ts";
import type { Ledger } from "./run.ts";

/**
 * A phase that the agent leaves although nothing was done in it is in doubt, until it is passed again with work. Writing the list
 * is work: it is what a phase of planning is for.
 */
export function phaseWork(
  ledger: Ledger,
  before: WorkflowState | undefined,
  after: WorkflowState | undefined,
  by: Actor,
): Partial<Ledger> {
  const isNew = before === undefined || before.startedAt !== after?.startedAt || before.taskId !== after.taskId;
  const fresh = { phaseActivity: ledger.activity, phasePlanned: false };
  if (isNew) return { ...fresh, idlePhases: [] };
  const left = currentPhase(before)?.phase.name;
  const isLeft = after?.status === "finished" || (after?.status === "active" && after.moves !== before.moves);
  if (left === undefined || !isLeft) return {};
  const others = ledger.idlePhases.filter((name) => name !== left);
  const isIdle = by === "model" && !ledger.phasePlanned && ledger.phaseActivity >= ledger.activity;
  return {
    ...fresh,
    idlePhases: isIdle ? [...others, left] : others,
    ...(isIdle && { accepted: false }),
  };
}
