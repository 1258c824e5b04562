import type { Check } from "./check.ts";

/** One item of the run's ordered list. The id is stable; tools and humans address it by its index. */
export interface Todo {
  readonly id: TodoId;
  readonly text: string;
  readonly status: TodoStatus;
  readonly priority: Priority;
  /** Todos that must be completed first. */
  readonly needs: readonly TodoId[];
  /** What proves it done; all must pass. The model may add to a check, never weaken it. */
  readonly checks: readonly Check[];
  /** Ids of the requirements it answers. */
  readonly covers: readonly string[];
  /** Globs of protected files that it declares it will change. */
  readonly touches: readonly string[];
  /** The user releases it before it is worked on. */
  readonly askFirst: boolean;
  /** Who put it on the list: what human or plan set, the model does not loosen. */
  readonly by: Author;
  /** Why it is blocked or abandoned. */
  readonly reason?: string;
}

export type TodoId = string;
export type Author = "human" | "plan" | "model";

/** The states of a todo, and which of them are finished. */
export const STATUSES = {
  not_started: { finished: false },
  in_progress: { finished: false },
  blocked: { finished: false },
  completed: { finished: true },
  abandoned: { finished: true },
} as const satisfies Record<string, { finished: boolean }>;
/** The state of a todo. */
export type TodoStatus = keyof typeof STATUSES;

export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

export const isFinished = (todo: Todo): boolean => STATUSES[todo.status].finished;
