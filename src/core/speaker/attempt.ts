/** What only you may say, and what an agent that tries it is told that only you can do. */
export const ATTEMPTS = {
  accept: "accept the work",
  accept_checks: "run proposed checks",
  approve: "approve a call",
  extend: "raise a budget",
  unhold: "release a hold",
  resume: "continue a run",
  clear: "end a run",
  todo_done: "mark a todo as done",
  todo_drop: "drop a todo",
  todo_change: "change a todo",
  todo_release: "release a todo",
  todo_unblock: "unblock a todo",
  undo: "undo work",
  serve: "open the page that answers in your name",
  trust: "trust a project",
  settings: "change your settings",
  remove: "remove a run",
} as const satisfies Record<string, string>;
export type Attempt = keyof typeof ATTEMPTS;

/** How often attempts of one kind were written down, and when last. */
export interface Attempted {
  readonly count: number;
  readonly at: number;
}

/** An agent may try in a loop: of each kind one a minute is written down, and so many in all. */
export const MOST_ATTEMPTS = 20;
const EVERY_MS = 60_000;

export const isWorthRecording = (before: Attempted | undefined, now: number): boolean =>
  before === undefined || (before.count < MOST_ATTEMPTS && Math.abs(now - before.at) >= EVERY_MS);
