import { mayRun, type OwnedCheck } from "../continuation/index.ts";
import { hasSeenState, type Receipt, type Round } from "../run/index.ts";
import { openTodos } from "../todo/index.ts";
import {
  currentPhase,
  forbidsWriting,
  type PhaseChecks,
  type PhaseDefinition,
  type PhaseExit,
  proposeWorkflow,
  refusal,
  type WorkflowCommand,
  type WorkflowProposal,
  type WorkflowRefusal,
  type WorkflowState,
} from "../workflow/index.ts";
import type { Draft } from "./draft.ts";
import { guardWhatHasNone } from "./handle-list.ts";
import { belongsTo, writePhaseTodos } from "./phase-todos.ts";
import { done, type NoticeTopic, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";
import type { TriggerIn } from "./trigger-table.ts";

type Step = Trigger & { type: "workflow.step" };

/** The run's workflow: a phase is left only when its todos are finished, its checks passed and its tripwire is whole. */
export function handleWorkflow(draft: Draft, trigger: TriggerIn<"workflow">): Reply {
  if (trigger.type === "workflow.step" && trigger.by === "subagent" && trigger.action !== "status")
    return refused(refusal("subagent_step", {}));
  lookAt(draft, trigger.workspace);
  const reply =
    trigger.type === "workflow.start"
      ? take(draft, "human", { ...trigger.start, type: "start", now: draft.context.now })
      : step(draft, trigger);
  guardWhatHasNone(draft, trigger.guard);
  return reply;
}

function step(draft: Draft, trigger: Step): Reply {
  const workflow = draft.run.plan.workflow;
  const phase = currentPhase(workflow)?.phase;
  const exit = exitOf(draft, phase, { status: "not_run" });
  const checks = trigger.action === "next" && phase ? phaseChecks(phase) : [];
  const isReady = exit.tripwire === "clear" && exit.phaseTodosOpen === 0;
  if (!workflow || checks.length === 0 || !isReady) return take(draft, trigger.by, commandOf(draft, trigger, exit));
  return runChecks(draft, trigger, stayOf(workflow), checks);
}

/** The checks of the phase that is to be left have run. */
export function leavePhase(draft: Draft, { by, leaving }: Round, receipts: readonly Receipt[]): Reply {
  const workflow = draft.run.plan.workflow;
  if (!workflow || leaving?.stay !== stayOf(workflow)) return refused(refusal("phase_moved", {}));
  const failed = receipts.find(({ status }) => status !== "passed");
  const checks: PhaseChecks = failed
    ? { status: "failed", command: failed.command, output: failed.tail }
    : { status: "passed" };
  const exit = exitOf(draft, currentPhase(workflow)?.phase, checks);
  return take(draft, by, { type: "next", exit, ...withSummary(leaving.summary) });
}

function runChecks(draft: Draft, { by, summary }: Step, stay: string, checks: readonly OwnedCheck[]): Reply {
  if (draft.run.ledger.verifying)
    return refused({ code: "phase_checks_running", message: "Checks are running already. Wait for their result." });
  const round = `r${draft.run.ledger.rounds + 1}`;
  draft.add(by, {
    type: "round.began",
    round,
    purpose: "phase",
    ids: [],
    until: draft.context.now + draft.context.limits.deadlineMs.checks,
    leaving: { stay, ...withSummary(summary) },
  });
  draft.perform({ type: "round.run", round, checks });
  return { type: "checking", round };
}

function take(draft: Draft, by: Round["by"], command: WorkflowCommand): Reply {
  const before = draft.run.plan.workflow?.path;
  const proposal: WorkflowProposal = proposeWorkflow(draft.run.plan.workflow, command);
  for (const event of proposal.events) draft.add(by, event);
  if (!proposal.ok) return refused(proposal.refusal);
  if (proposal.notice) draft.perform({ type: "human.tell", notice: proposal.notice, topic: topicOf(command) });
  if (draft.run.plan.workflow?.path !== before) writePhaseTodos(draft);
  if (by === "human" && command.type === "cancel") endIfNothingIsLeft(draft);
  return { ...done(proposal.result.text), details: proposal.result.details };
}

/** Only the end of a workflow is told, and it comes in two ways. */
const topicOf = ({ type }: WorkflowCommand): NoticeTopic =>
  type === "cancel" ? "workflow_cancelled" : "workflow_finished";

/** The user cancelled all there was: that is no finished run, and nothing is left to be judged. */
function endIfNothingIsLeft(draft: Draft): void {
  const { goal, plan } = draft.run;
  if (plan.todos.length === 0 && goal === undefined) draft.add("human", { type: "run.ended", reason: "cleared" });
}

function commandOf(draft: Draft, { action, summary, by }: Step, exit: PhaseExit): WorkflowCommand {
  const said = withSummary(summary);
  switch (action) {
    case "next":
      return { type: "next", exit, ...said };
    case "loop":
      return { type: "loop", tripwire: exit.tripwire, ...said };
    case "cancel":
      if (by === "human") return { type: "cancel", by: "human", ...said };
      return {
        type: "cancel",
        by: "model",
        turn: draft.run.ledger.turn?.id ?? `b${draft.run.ledger.boundaries}`,
        ...said,
      };
    case "status":
      return { type: "status" };
  }
}

/** A state of the workspace never seen before is work of the running turn, and a phase that is entered now begins from it. */
function lookAt(draft: Draft, workspace: string | undefined): void {
  if (workspace === undefined) return;
  const { seen, turn, workspace: known } = draft.run.ledger;
  if (turn && !hasSeenState(seen, workspace))
    draft.add("host", { type: "activity.seen", turn: turn.id, state: workspace });
  if (workspace !== known) draft.add("host", { type: "workspace.observed", workspace });
}

function exitOf({ run, context }: Draft, phase: PhaseDefinition | undefined, checks: PhaseChecks): PhaseExit {
  const { phaseWorkspace, workspace } = run.ledger;
  const changed = phaseWorkspace !== undefined && workspace !== phaseWorkspace;
  return {
    phaseTodosOpen: phase ? openTodos(run.plan.todos).filter((todo) => belongsTo(phase, todo)).length : 0,
    checks,
    tripwire: phase && changed && forbidsWriting(phase, context.writers ?? []) ? "tripped" : "clear",
  };
}

/** One stay in a phase: every move begins another. */
const stayOf = ({ taskId, moves }: WorkflowState): string => `${taskId} ${moves}`;

const phaseChecks = (phase: PhaseDefinition): readonly OwnedCheck[] =>
  phase.checks.filter(mayRun).map((check) => ({ owner: `phase:${phase.id}`, check }));

const withSummary = (summary: string | undefined) => (summary === undefined ? {} : { summary });

const refused = (why: WorkflowRefusal | { readonly code: string; readonly message: string }): Reply => ({
  type: "refused",
  refusal: why,
});
