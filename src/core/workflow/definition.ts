import type { Check, Priority } from "../todo/index.ts";

/** A workflow as its author wrote it, every default filled in. Plain JSON: it is stored whole in the run's log. */
export interface WorkflowDefinition {
  readonly key: string;
  readonly name: string;
  /** What you type to start it; empty when it is only a part of others. */
  readonly commandName: string;
  readonly show: "user" | "workflows";
  readonly initialMessage: string;
  readonly loopable: boolean;
  readonly sessionNamePrefix: string;
  readonly sessionNameMaxLength: number;
  readonly roleInstruction?: string;
  readonly advanceReminder?: string;
  readonly blockReasonTemplate?: string;
  readonly notDoneReminder?: string;
  readonly completionMessage?: string;
  readonly phases: readonly PhaseEntry[];
}

/** What a session is called when the author says nothing. */
export const SESSION_NAME = { sessionNamePrefix: "Workflow: ", sessionNameMaxLength: 50 } as const;

/** A workflow and everything it refers to, itself first. A list and not a record: a key may be called `constructor`. */
export type Forest = readonly WorkflowDefinition[];

export type PhaseEntry = PhaseDefinition | SubworkflowReference;

export interface SubworkflowReference {
  readonly subworkflow: string;
}

/** Whether a todo begins in the conversation of the one before it. */
export const CONTEXT_MODES = ["same", "fresh", "auto"] as const;
export type ContextMode = (typeof CONTEXT_MODES)[number];

export interface PhaseDefinition {
  readonly id: string;
  readonly name: string;
  readonly emoji: string;
  readonly instructions: string;
  readonly tools: ToolRules;
  readonly availableProfiles: readonly string[];
  /** Whether its todos begin in new conversations; absent: what holds for the run. */
  readonly context?: ContextMode;
  /** Must pass before `next` leaves the phase. */
  readonly checks: readonly Check[];
  /** Put on the list when the phase is entered; must be finished before `next` leaves it. */
  readonly todos: readonly PhaseTodo[];
}

export interface PhaseTodo {
  readonly text: string;
  readonly priority: Priority;
  readonly checks: readonly Check[];
  readonly askFirst: boolean;
}

/** `tools` of `except` and `only` are tool names, names with `*`, and capability groups. */
export type ToolRules =
  | { readonly rule: "all" }
  | { readonly rule: "except"; readonly tools: readonly string[] }
  | { readonly rule: "only"; readonly tools: readonly string[] };

/** What an author may write in tool rules; each host says which of its tools belong to which group. */
export const TOOL_GROUPS = ["@read", "@write", "@shell", "@network"] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export const isReference = (entry: PhaseEntry): entry is SubworkflowReference => "subworkflow" in entry;

export function workflowOf(forest: Forest, key: string): WorkflowDefinition | undefined {
  return forest.find((workflow) => workflow.key === key);
}
