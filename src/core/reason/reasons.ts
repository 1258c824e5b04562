/**
 * Every reason not to continue. Types, docs, exit codes and what you read on every screen come from these tables.
 * `says`: what happened and why. `next`: what you do about it, with a command that works from any terminal.
 */

export const STOP = {
  disabled: {
    exit: 5,
    says: "Continuing is switched off for this host, agent or run.",
    next: "`/tildone on` switches it on for this run; `tildone config` shows what else switched it off.",
  },
  held: { exit: 5, says: "On hold.", next: "`tildone unhold` continues." },
  interrupted: {
    exit: 5,
    says: "Stopped by you.",
    next: "Send a message or run `tildone unhold` to continue.",
  },
  no_todos: {
    exit: 5,
    says: "The agent never wrote a todo list.",
    next: "Send it a message that says what to do.",
  },
  read_only: {
    exit: 5,
    says: "The host is in plan or read-only mode.",
    next: "Leave that mode and send a message to continue.",
  },
  all_done: { exit: 0, says: "Done and proven: every required check passed.", next: "" },
  done_unproven: {
    exit: 5,
    says: "Finished, but not all of it is proven by a check.",
    next: "`tildone report` shows what is not; `tildone accept` signs it off.",
  },
  done_with_doubt: {
    exit: 5,
    says: "Finished, but part of it needs your review.",
    next: "`tildone report` shows why; `tildone accept` signs it off.",
  },
  done_accepted: { exit: 0, says: "Finished, and you accepted what no check proves.", next: "" },
  budget_tokens: {
    exit: 4,
    says: "The token budget is spent.",
    next: "`tildone extend --tokens 100000` raises it; then send a message.",
  },
  budget_cost: {
    exit: 4,
    says: "The cost budget is spent.",
    next: "`tildone extend --cost 1` raises it; then send a message.",
  },
  budget_minutes: {
    exit: 4,
    says: "The time budget is spent.",
    next: "`tildone extend --minutes 30` raises it; then send a message.",
  },
  budget_continuations: {
    exit: 4,
    says: "The agent was told to continue as often as the budget allows.",
    next: "`tildone extend --continuations 20` raises it; then send a message.",
  },
  rate_limited: {
    exit: 6,
    says: "The provider's rate limit was hit again after every wait.",
    next: "Try later with `tildone unhold`.",
  },
  provider_error: {
    exit: 6,
    says: "The model provider failed.",
    next: "Fix what it names, then `tildone unhold` tries again.",
  },
  context_full: {
    exit: 6,
    says: "The context is full and could not be compacted.",
    next: "Compact the session in the host (`/compact`), then send a message.",
  },
  host_limit: {
    exit: 6,
    says: "A limit of the host ended the turn.",
    next: "Raise it in the host, then send a message to continue.",
  },
  refused: { exit: 5, says: "The model refused the task.", next: "Send a message that words it differently." },
  blocked: {
    exit: 5,
    says: "Every open todo is blocked.",
    next: '`tildone say "..."` gives the agent what it needs; `tildone todo unblock <index>` frees a todo.',
  },
  awaiting_release: {
    exit: 5,
    says: "The next todo waits for your release.",
    next: "`tildone todo release <index>` lets the agent begin it.",
  },
  question: {
    exit: 5,
    says: "The agent asked you a question and needs your answer.",
    next: '`tildone say "your answer"` continues.',
  },
  no_progress: {
    exit: 3,
    says: "The agent made no progress.",
    next: 'Give it a hint: `tildone say "try ..."`.',
  },
} as const satisfies Record<string, { exit: number; says: string; next: string }>;
export type StopReason = keyof typeof STOP;

export const WAIT = {
  human: "Delivering your message.",
  question: "The agent asked you a question and waits for your answer.",
  approval: "A tool call waits for your approval: `tildone approvals` shows it.",
  recovering: "The host is recovering the session.",
  compacting: "The host is compacting the context.",
  verifying: "Checks are running.",
  background: "Waiting for a subagent or a command in the background.",
  rate_limited: "The provider asked to wait before the next request.",
  backoff: "The provider is overloaded or cannot be reached; retrying soon.",
} as const satisfies Record<string, string>;
export type WaitReason = keyof typeof WAIT;

/** The reasons with which a run is over: its next list is a new run. */
export const FINISHED: readonly StopReason[] = ["all_done", "done_unproven", "done_accepted"];
