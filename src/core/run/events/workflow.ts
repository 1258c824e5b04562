import { clipLine } from "../../text/index.ts";
import { evolveWorkflow, isNewPhase, type WorkflowEvent } from "../../workflow/index.ts";
import type { Envelope } from "../event.ts";
import { phaseWork } from "../phase-work.ts";
import { progressed, takenUp } from "../progress.ts";
import type { Run } from "../run.ts";
import { forest, maybe, number, path, text } from "./form.ts";
import { TEXT } from "./line.ts";
import type { Rows } from "./row.ts";

/** The position in a workflow. How it moves is `workflow`'s to say. */
export function workflowEvents(): Rows<WorkflowEvent> {
  return {
    "workflow.started": {
      v: 1,
      means: "A workflow began, with the definition this run keeps.",
      line: (event) => `workflow ${event.workflowKey} began: ${clipLine(event.description, TEXT)}`,
      fields: {
        workflowKey: text,
        forest,
        fingerprint: text,
        description: text,
        taskId: text,
        startedAt: number,
        path,
      },
      fold: evolveFlow,
    },
    "phase.entered": {
      v: 1,
      means: "The workflow entered a phase.",
      fields: { path, summary: maybe(text) },
      fold: evolveFlow,
    },
    "workflow.looped": {
      v: 1,
      means: "The workflow went back to its first phase.",
      fields: { path, summary: maybe(text) },
      fold: evolveFlow,
    },
    "workflow.finished": {
      v: 1,
      means: "The workflow is finished.",
      fields: { summary: maybe(text) },
      fold: evolveFlow,
    },
    "workflow.cancel_requested": {
      v: 1,
      means: "The agent asked to cancel the workflow; a second request confirms.",
      fields: { turn: text },
      fold: evolveFlow,
    },
    "workflow.cancel_withdrawn": {
      v: 1,
      means: "Something else was done instead of confirming.",
      fields: {},
      fold: evolveFlow,
    },
    "workflow.cancelled": {
      v: 1,
      means: "The workflow was cancelled.",
      fields: { summary: maybe(text) },
      fold: evolveFlow,
    },
  };
}

function evolveFlow(run: Run, event: WorkflowEvent, { by }: Envelope): Run {
  const { workflow: before, ...plan } = run.plan;
  const workflow = evolveWorkflow(before, event);
  if (workflow === before) return run;
  const taken = by === "model" ? takenUp(run.ledger) : run.ledger;
  const ledger = isNewPhase(before, event) ? progressed(taken) : taken;
  const givenUp = event.type === "workflow.cancelled" && by !== "human";
  const moved = workflow?.path !== before?.path && ledger.workspace !== undefined;
  return {
    ...run,
    plan: { ...plan, ...(workflow && { workflow }) },
    ledger: {
      ...ledger,
      ...(moved && { phaseWorkspace: ledger.workspace }),
      ...(event.type === "workflow.started" && { workflowGivenUp: false }),
      ...(givenUp && { workflowGivenUp: true, accepted: false }),
      ...phaseWork(ledger, before, workflow, by),
    },
  };
}
