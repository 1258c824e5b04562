import { mayRun, type OwnedCheck } from "../continuation/index.ts";
import { oneLine, openTodos, proposeWrite, type TodoEvent } from "../todo/index.ts";
import {
  currentPhase,
  forbidsWriting,
  type PhaseChecks,
  type PhaseDefinition,
  type PhaseExit,
  proposeWorkflow,
  type StepAction,
  type WorkflowCommand,
  type WorkflowProposal,
} from "../workflow/index.ts";
import type { Draft } from "./draft.ts";
import { done, type Reply } from "./reaction.ts";
import type { Receipt, Round } from "./run.ts";
import type { Trigger } from "./trigger.ts";

/** The run's workflow: a phase is left only when its todos are finished, its checks passed and its tripwire is whole. */
export function handleWorkflow(draft: Draft, trigger: Trigger & { type: "workflow.start" | "workflow.step" }): Reply {
  if (trigger.type === "workflow.start")
    return take(draft, "human", { ...trigger.start, type: "start", now: draft.context.now });
  const { action, by, summary, workspace } = trigger;
  const phase = currentPhase(draft.run.plan.workflow)?.phase;
  const exit = exitOf(draft, phase, { status: "not_run" }, workspace);
  const checks = action === "next" && phase ? phaseChecks(phase) : [];
  const isReady = exit.tripwire !== "tripped" && exit.phaseTodosOpen === 0;
  if (checks.length === 0 || !isReady) return take(draft, by, commandOf(draft, action, summary, exit, by));
  if (draft.run.ledger.verifying)
    return refused("phase_checks_running", "Checks are running already. Wait for their result.");
  const round = `r${draft.run.ledger.rounds + 1}`;
  draft.add(by, {
    type: "round.began",
    round,
    purpose: "phase",
    ids: summary ? [summary] : [],
    until: draft.context.now + draft.context.limits.deadlineMs.checks,
  });
  draft.perform({ type: "round.run", round, checks });
  return { type: "checking", round };
}

/** The checks of the phase that is to be left have run. */
export function leavePhase(draft: Draft, { ids, by }: Round, receipts: readonly Receipt[]): Reply {
  const failed = receipts.find(({ status }) => status !== "passed");
  const checks: PhaseChecks = failed
    ? { status: "failed", command: failed.command, output: failed.tail }
    : { status: "passed" };
  const exit = exitOf(draft, currentPhase(draft.run.plan.workflow)?.phase, checks, undefined);
  return take(draft, by, { type: "next", exit, ...(ids[0] !== undefined && { summary: ids[0] }) });
}

function take(draft: Draft, by: Round["by"], command: WorkflowCommand): Reply {
  const before = draft.run.plan.workflow?.path;
  const proposal: WorkflowProposal = proposeWorkflow(draft.run.plan.workflow, command);
  for (const event of proposal.events) draft.add(by, event);
  if (!proposal.ok) return refused(proposal.refusal.code, proposal.refusal.message);
  if (proposal.notice) draft.perform({ type: "human.tell", notice: proposal.notice });
  if (draft.run.plan.workflow?.path !== before) writePhaseTodos(draft);
  return { ...done(proposal.result.text), details: proposal.result.details };
}

function commandOf(
  draft: Draft,
  action: StepAction,
  summary: string | undefined,
  exit: PhaseExit,
  by: Round["by"],
): WorkflowCommand {
  const said = summary === undefined ? {} : { summary };
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

function exitOf(
  { run, context }: Draft,
  phase: PhaseDefinition | undefined,
  checks: PhaseChecks,
  workspace: string | undefined,
): PhaseExit {
  const { phaseWorkspace } = run.ledger;
  const changed = workspace !== undefined && phaseWorkspace !== undefined && workspace !== phaseWorkspace;
  return {
    phaseTodosOpen: phase ? openTodos(run.plan.todos).filter(({ covers }) => covers.includes(markOf(phase))).length : 0,
    checks,
    tripwire: phase && changed && forbidsWriting(phase, context.writers ?? []) ? "tripped" : "clear",
  };
}

const phaseChecks = (phase: PhaseDefinition): readonly OwnedCheck[] =>
  phase.checks.filter(mayRun).map((check) => ({ owner: `phase:${phase.id}`, check }));

/** How a todo that a phase put on the list is known again. */
const markOf = (phase: PhaseDefinition): string => `phase:${phase.id}`;

function writePhaseTodos(draft: Draft): void {
  const phase = currentPhase(draft.run.plan.workflow)?.phase;
  if (!phase || phase.todos.length === 0) return;
  const { todos } = draft.run.plan;
  const fresh = phase.todos.filter(({ text }) => !todos.some((todo) => todo.text === oneLine(text)));
  const proposal = proposeWrite(todos, {
    mode: "append",
    todos: fresh.map(({ text, priority, askFirst }) => ({ text, priority, askFirst, covers: [markOf(phase)] })),
    by: "plan",
    firstId: draft.run.ledger.nextTodoId,
  });
  if (!proposal.ok) return; // a full list; the phase itself stays open work
  for (const event of proposal.events) draft.add("plan", withChecks(event, fresh));
}

function withChecks(event: TodoEvent, todos: PhaseDefinition["todos"]): TodoEvent {
  if (event.type !== "todos.written") return event;
  return { ...event, items: event.items.map((item, index) => ({ ...item, checks: todos[index]?.checks ?? [] })) };
}

const refused = (code: string, message: string): Reply => ({ type: "refused", refusal: { code, message } });
