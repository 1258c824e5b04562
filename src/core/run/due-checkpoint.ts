import type { Outcome } from "../call/index.ts";
import type { TodoId } from "../todo/index.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Envelope } from "./event.ts";

/** What a run knows of its checkpoints. */
export interface Checkpoints {
  readonly taken: number;
  readonly last?: Checkpoint;
  /** What happened since that asks for one: it stays due until a process has taken it. */
  readonly due: DueCheckpoint;
  /** Why none can be taken in this run, and why the last one failed. */
  readonly off?: string;
  readonly failed?: string;
  /** What you took back, and how the todos stood before. */
  readonly undos: readonly { readonly id: string; readonly were: Readonly<Record<TodoId, string>> }[];
}

export interface DueCheckpoint {
  readonly list: boolean;
  readonly phase: boolean;
  /** A call that you approved is about to run. */
  readonly call?: true;
  readonly started: readonly TodoId[];
  readonly ended: readonly TodoId[];
}

export const NOTHING_DUE: DueCheckpoint = { list: false, phase: false, started: [], ended: [] };
export const NO_CHECKPOINTS: Checkpoints = { taken: 0, due: NOTHING_DUE, undos: [] };

/** What is due after an event. */
export function dueAfter(checkpoints: Checkpoints, { event }: Envelope): Checkpoints {
  const { due } = checkpoints;
  switch (event.type) {
    case "run.began":
      return { ...checkpoints, due: { ...due, list: true } };
    case "todo.started":
      return { ...checkpoints, due: { ...due, started: union(due.started, event.ids) } };
    case "todo.reopened":
      if (event.to === "not_started") return checkpoints;
      return { ...checkpoints, due: { ...due, started: union(due.started, event.ids) } };
    case "todo.completed":
    case "todo.abandoned":
    case "todo.blocked":
      return { ...checkpoints, due: { ...due, ended: union(due.ended, event.ids) } };
    case "workflow.started":
    case "phase.entered":
    case "workflow.looped":
    case "workflow.finished":
      return { ...checkpoints, due: { ...due, phase: true } };
    case "approval.answered":
      if (!APPROVED.has(event.outcome)) return checkpoints;
      return { ...checkpoints, due: { ...due, call: true } };
    default:
      return checkpoints;
  }
}

const APPROVED: ReadonlySet<string> = new Set<Outcome>(["once", "always_tool", "always_rule", "edited"]);

/** Whether an event makes a checkpoint due. */
export const asksForCheckpoint = (envelope: Envelope): boolean => dueAfter(NO_CHECKPOINTS, envelope) !== NO_CHECKPOINTS;

export const isDue = ({ list, phase, call, started, ended }: DueCheckpoint): boolean =>
  list || phase || call === true || started.length + ended.length > 0;

const union = (known: readonly TodoId[], more: readonly TodoId[]): readonly TodoId[] => [
  ...new Set([...known, ...more]),
];
