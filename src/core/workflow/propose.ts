import { clipLine } from "../text/index.ts";
import type { Forest } from "./definition.ts";
import { workflowOf } from "./definition.ts";
import type { WorkflowEvent } from "./event.ts";
import { evolveWorkflow } from "./evolve.ts";
import { cancelNotice, completionNotice } from "./notice.ts";
import { enter, following, restarted } from "./path.ts";
import { type PhaseExit, whyNotLeft } from "./phase-exit.ts";
import { refusal, type WorkflowRefusal } from "./refusal.ts";
import { currentPhase, type WorkflowState } from "./state.ts";
import {
  cancelledResult,
  cancelRequestedResult,
  loopResult,
  nextResult,
  type StepResult,
  startedResult,
  statusResult,
} from "./step-result.ts";

export type WorkflowCommand =
  | StartCommand
  | { readonly type: "next"; readonly summary?: string; readonly exit: PhaseExit }
  | { readonly type: "loop"; readonly summary?: string; readonly tripwire: PhaseExit["tripwire"] }
  /** The model confirms by asking again in the same turn; the user's word is final at once. */
  | { readonly type: "cancel"; readonly by: "model"; readonly turn: string; readonly summary?: string }
  | { readonly type: "cancel"; readonly by: "human"; readonly summary?: string }
  | { readonly type: "status" };

export interface StartCommand {
  readonly type: "start";
  readonly workflowKey: string;
  readonly forest: Forest;
  readonly fingerprint: string;
  readonly description: string;
  readonly taskId: string;
  readonly now: number;
  readonly whenActive: "refuse" | "replace";
}

/**
 * Refused or not, `events` are to be appended: an action that is refused still forgets a cancel that was asked for.
 * `notice` is for the user, once.
 */
export type WorkflowProposal =
  | {
      readonly ok: true;
      readonly events: readonly WorkflowEvent[];
      readonly result: StepResult;
      readonly notice?: string;
    }
  | { readonly ok: false; readonly events: readonly WorkflowEvent[]; readonly refusal: WorkflowRefusal };

export const DESCRIPTION_MAX = 20_000;

export function proposeWorkflow(state: WorkflowState | undefined, command: WorkflowCommand): WorkflowProposal {
  switch (command.type) {
    case "start":
      return start(state, command);
    case "next":
      return state?.status === "active" ? next(state, command.exit, command.summary) : noWorkflow("next");
    case "loop":
      return state?.status === "active" ? loop(state, command.tripwire, command.summary) : noWorkflow("loop");
    case "cancel":
      return state?.status === "active" ? cancel(state, command) : noWorkflow("cancel");
    case "status":
      return { ok: true, events: withdrawal(state), result: statusResult(state) };
  }
}

function start(state: WorkflowState | undefined, command: StartCommand): WorkflowProposal {
  const { workflowKey, forest, fingerprint, taskId, now } = command;
  const description = command.description.trim();
  const root = workflowOf(forest, workflowKey);
  const first = enter(forest, [], workflowKey);
  if (!root || first.status !== "at") return refused(state, refusal("definition_missing", { workflow: workflowKey }));
  if (root.show === "workflows") return refused(state, refusal("internal_workflow", { workflow: root.name }));
  if (description === "") return refused(state, refusal("no_description", { command: root.commandName }));
  if (description.length > DESCRIPTION_MAX)
    return refused(
      state,
      refusal("description_too_long", { length: `${description.length}`, limit: `${DESCRIPTION_MAX}` }),
    );
  const active = state?.status === "active";
  if (active && command.whenActive === "refuse")
    return refused(state, refusal("already_active", { task: clipLine(state.description, 200) }));
  const begun: WorkflowEvent = {
    type: "workflow.started",
    workflowKey,
    forest,
    fingerprint,
    description,
    taskId,
    startedAt: now,
    path: first.path,
  };
  const events: readonly WorkflowEvent[] = active ? [{ type: "workflow.cancelled" }, begun] : [begun];
  return { ok: true, events, result: startedResult(after(state, events)) };
}

function next(state: WorkflowState, exit: PhaseExit, summary: string | undefined): WorkflowProposal {
  const current = currentPhase(state);
  const move = following(state.forest, state.path);
  if (!current || move.status === "broken")
    return refused(state, refusal("definition_missing", { workflow: state.workflowKey }));
  const reason = whyNotLeft(current.phase, exit);
  if (reason) return refused(state, reason);
  if (move.status === "end") {
    const events = [{ type: "workflow.finished", ...withSummary(summary) }] as const;
    const done = after(state, events);
    return { ok: true, events, result: nextResult(state, done), notice: completionNotice(done) };
  }
  const events = [{ type: "phase.entered", path: move.path, ...withSummary(summary) }] as const;
  return { ok: true, events, result: nextResult(state, after(state, events)) };
}

function loop(state: WorkflowState, tripwire: PhaseExit["tripwire"], summary: string | undefined): WorkflowProposal {
  const current = currentPhase(state);
  const move = restarted(state.forest, state.path);
  if (!current || move.status !== "at")
    return refused(state, refusal("definition_missing", { workflow: state.workflowKey }));
  if (!current.scope.loopable) return refused(state, refusal("loop_disabled", { workflow: current.scope.name }));
  if (tripwire === "tripped") return refused(state, refusal("read_only_phase_changed", { phase: current.phase.name }));
  const events = [{ type: "workflow.looped", path: move.path, ...withSummary(summary) }] as const;
  return { ok: true, events, result: loopResult(after(state, events)) };
}

/** Needs no definition: what cannot be read can always be ended. */
function cancel(state: WorkflowState, command: Extract<WorkflowCommand, { type: "cancel" }>): WorkflowProposal {
  if (command.by === "model" && state.cancelRequestedIn !== command.turn)
    return {
      ok: true,
      events: [{ type: "workflow.cancel_requested", turn: command.turn }],
      result: cancelRequestedResult(state),
    };
  const events = [{ type: "workflow.cancelled", ...withSummary(command.summary) }] as const;
  return { ok: true, events, result: cancelledResult(state), notice: cancelNotice(state) };
}

function refused(state: WorkflowState | undefined, reason: WorkflowRefusal): WorkflowProposal {
  return { ok: false, events: withdrawal(state), refusal: reason };
}

function noWorkflow(action: string): WorkflowProposal {
  return { ok: false, events: [], refusal: refusal("no_workflow", { action }) };
}

function withdrawal(state: WorkflowState | undefined): readonly WorkflowEvent[] {
  return state?.cancelRequestedIn === undefined ? [] : [{ type: "workflow.cancel_withdrawn" }];
}

function after(state: WorkflowState | undefined, events: readonly WorkflowEvent[]): WorkflowState {
  const folded = events.reduce(evolveWorkflow, state);
  if (!folded) throw new Error("a workflow that was proposed for exists");
  return folded;
}

const withSummary = (summary: string | undefined) => (summary?.trim() ? { summary: summary.trim() } : {});
