// Workflows for tests: a forest is written as a table of keys and entries, and runs are driven through the real doors.

import {
  evolveWorkflow,
  type Forest,
  type PhaseDefinition,
  type PhaseEntry,
  type PhaseExit,
  proposeWorkflow,
  type StartCommand,
  type WorkflowCommand,
  type WorkflowDefinition,
  type WorkflowEvent,
  type WorkflowState,
} from "../../src/core/workflow/index.ts";
import fc from "./properties.ts";

export function aPhase(id: string, given: Partial<PhaseDefinition> = {}): PhaseDefinition {
  return {
    id,
    name: id[0]!.toUpperCase() + id.slice(1),
    emoji: "🔧",
    instructions: `Do ${id}.`,
    tools: { rule: "all" },
    availableProfiles: [],
    checks: [],
    todos: [],
    ...given,
  };
}

/** Entries are phases, or `>key` for a subworkflow, or an id for a plain phase. */
export function aWorkflow(
  key: string,
  entries: readonly (string | PhaseDefinition)[],
  given: Partial<WorkflowDefinition> = {},
): WorkflowDefinition {
  const phases = entries.map((entry): PhaseEntry => {
    if (typeof entry !== "string") return entry;
    return entry.startsWith(">") ? { subworkflow: entry.slice(1) } : aPhase(entry);
  });
  return {
    key,
    name: `The ${key}`,
    commandName: key,
    show: "user",
    initialMessage: "Start {workflowName}: {description}",
    loopable: true,
    sessionNamePrefix: "Workflow: ",
    sessionNameMaxLength: 50,
    phases,
    ...given,
  };
}

export const CLEAR: PhaseExit = { phaseTodosOpen: 0, checks: { status: "passed" }, tripwire: "clear" };
export const NEXT: WorkflowCommand = { type: "next", exit: CLEAR };
export const LOOP: WorkflowCommand = { type: "loop", tripwire: "clear" };
export const STATUS: WorkflowCommand = { type: "status" };
export const cancelIn = (turn: string): WorkflowCommand => ({ type: "cancel", by: "model", turn });

export function startOf(forest: Forest, description = "Ship it"): WorkflowCommand {
  return {
    type: "start",
    workflowKey: forest[0]!.key,
    forest,
    fingerprint: "print-1",
    description,
    taskId: "wf-1",
    now: 1_700_000_000_000,
    whenActive: "refuse",
  };
}

/** A run with everything it said, so that a test reads as a conversation. */
export class Run {
  state: WorkflowState | undefined;
  events: WorkflowEvent[] = [];

  constructor(forest: Forest, description?: string) {
    if (forest.length > 0) this.do(startOf(forest, description));
  }

  /** The text the tool answers, or the refusal's code and message. */
  do(command: WorkflowCommand): string {
    const proposal = proposeWorkflow(this.state, command);
    for (const event of proposal.events) this.append(event);
    return proposal.ok ? proposal.result.text : `${proposal.refusal.code}: ${proposal.refusal.message}`;
  }

  append(event: WorkflowEvent): void {
    this.events.push(event);
    this.state = evolveWorkflow(this.state, event);
  }

  /** `release>review/lint`: where it stands, by keys and the phase's id. */
  get at(): string {
    if (this.state?.status !== "active") return this.state?.status ?? "none";
    const path = this.state.path;
    return `${path.map(({ workflowKey }) => workflowKey).join(">")}/${path.at(-1)?.phaseId}`;
  }
}

/** Acyclic forests: each workflow refers only to later ones, every one reachable or not. */
export const forests: fc.Arbitrary<Forest> = fc.integer({ min: 1, max: 5 }).chain((count) =>
  fc
    .tuple(
      ...Array.from({ length: count }, (_, index) =>
        fc.record({
          loopable: fc.boolean(),
          entries: fc.array(fc.oneof(fc.constant("phase"), fc.integer({ min: index + 1, max: count })), {
            minLength: 1,
            maxLength: 4,
          }),
        }),
      ),
    )
    .map((workflows) =>
      workflows.map(({ loopable, entries }, index) =>
        aWorkflow(
          `w${index}`,
          entries.map((entry, position) =>
            typeof entry === "string" || entry === count ? `p${position}` : `>w${entry}`,
          ),
          { loopable },
        ),
      ),
    ),
);

/** The state of a run that has just started what the loader found. */
export function proposed(start: Pick<StartCommand, "workflowKey" | "forest" | "fingerprint">): WorkflowState {
  const run = new Run([]);
  run.do({ ...(startOf(start.forest) as StartCommand), ...start });
  if (!run.state) throw new Error("the start was refused");
  return run.state;
}
