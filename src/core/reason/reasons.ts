export type News = "done" | "needs_you" | "stopped";

/** Every reason not to continue. Types, docs, exit codes and what you read on every screen come from these tables. */
export interface StopRow {
  readonly exit: number;
  /** Two or three words for a status line. */
  readonly label: string;
  /** What happened and why. */
  readonly says: string;
  /** What you do about it, with a command that works from any terminal. */
  readonly next: string;
  /** The same where you talk to the agent, and it is not plain. */
  readonly chat?: string;
  readonly tone: "success" | "warning";
  /** What it means to you while you look away. */
  readonly news: News;
  /** Who hears of it: you while you look away, only you at the screen, or nobody while no todo is open. */
  readonly reaches: "away" | "screen" | "nobody";
}

export const STOP = {
  disabled: {
    exit: 5,
    label: "off",
    says: "Continuing is switched off for this host, agent or run.",
    next: "`/tildone on` switches it on for this run; `tildone config` shows what else switched it off.",
    chat: "/tildone on switches it on.",
    tone: "warning",
    news: "needs_you",
    reaches: "nobody",
  },
  held: {
    exit: 5,
    label: "✋ held",
    says: "On hold.",
    next: "`tildone unhold` continues.",
    chat: "/unhold continues.",
    tone: "warning",
    news: "needs_you",
    reaches: "screen",
  },
  interrupted: {
    exit: 5,
    label: "interrupted",
    says: "Stopped by you.",
    next: "Send a message or run `tildone unhold` to continue.",
    chat: "Send a message or /unhold to continue.",
    tone: "warning",
    news: "needs_you",
    reaches: "screen",
  },
  no_todos: {
    exit: 5,
    label: "nothing to do",
    says: "The agent never wrote a todo list.",
    next: "Send it a message that says what to do.",
    tone: "warning",
    news: "needs_you",
    reaches: "nobody",
  },
  read_only: {
    exit: 5,
    label: "read-only",
    says: "The host is in plan or read-only mode.",
    next: "Leave that mode and send a message to continue.",
    tone: "warning",
    news: "needs_you",
    reaches: "away",
  },
  all_done: {
    exit: 0,
    label: "done",
    says: "Done and proven: every required check passed.",
    next: "",
    tone: "success",
    news: "done",
    reaches: "away",
  },
  done_unproven: {
    exit: 5,
    label: "finished, not proven",
    says: "Finished, but not all of it is proven by a check.",
    next: "`tildone report` shows what is not; `tildone accept` signs it off.",
    tone: "warning",
    news: "done",
    reaches: "away",
  },
  done_with_doubt: {
    exit: 5,
    label: "finished with doubt",
    says: "Finished, but part of it needs your review.",
    next: "`tildone report` shows why; `tildone accept` signs it off.",
    chat: "/tildone accept signs it off.",
    tone: "warning",
    news: "needs_you",
    reaches: "away",
  },
  done_accepted: {
    exit: 0,
    label: "finished, accepted",
    says: "Finished, and you accepted what no check proves.",
    next: "",
    tone: "success",
    news: "done",
    reaches: "away",
  },
  budget_tokens: {
    exit: 4,
    label: "token budget spent",
    says: "The token budget is spent.",
    next: "`tildone extend --tokens 100000` raises it; then send a message.",
    chat: "/extend tokens=100000 continues.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
  budget_cost: {
    exit: 4,
    label: "cost budget spent",
    says: "The cost budget is spent.",
    next: "`tildone extend --cost 1` raises it; then send a message.",
    chat: "/extend cost=1 continues.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
  budget_minutes: {
    exit: 4,
    label: "time budget spent",
    says: "The time budget is spent.",
    next: "`tildone extend --minutes 30` raises it; then send a message.",
    chat: "/extend minutes=30 continues.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
  budget_continuations: {
    exit: 4,
    label: "continuations spent",
    says: "The agent was told to continue as often as the budget allows.",
    next: "`tildone extend --continuations 20` raises it; then send a message.",
    chat: "/extend 20 continues.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
  rate_limited: {
    exit: 6,
    label: "rate limited",
    says: "The provider's rate limit was hit again after every wait.",
    next: "Try later with `tildone unhold`.",
    chat: "/unhold tries again.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
  provider_error: {
    exit: 6,
    label: "provider failed",
    says: "The model provider failed.",
    next: "Fix what it names, then `tildone unhold` tries again.",
    chat: "/unhold tries again.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
  host_failed: {
    exit: 6,
    label: "host failed",
    says: "The host failed again after every retry.",
    next: "Fix what it names, then `tildone unhold` tries again.",
    chat: "/unhold tries again.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
  context_full: {
    exit: 6,
    label: "context full",
    says: "The context is full and could not be compacted.",
    next: "Compact the session in the host (`/compact`), then send a message.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
  host_limit: {
    exit: 6,
    label: "limit of the host",
    says: "A limit of the host ended the turn.",
    next: "Raise it in the host, then send a message to continue.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
  refused: {
    exit: 5,
    label: "refused",
    says: "The model refused the task.",
    next: "Send a message that words it differently.",
    tone: "warning",
    news: "needs_you",
    reaches: "away",
  },
  blocked: {
    exit: 5,
    label: "⏸ blocked",
    says: "Every open todo is blocked.",
    next: '`tildone say "..."` gives the agent what it needs; `tildone todo unblock <index>` frees a todo.',
    chat: "Send what it needs, or /todos unblock.",
    tone: "warning",
    news: "needs_you",
    reaches: "away",
  },
  awaiting_release: {
    exit: 5,
    label: "waits for release",
    says: "The next todo waits for your release.",
    next: "`tildone todo release <index>` lets the agent begin it.",
    chat: "/todos release lets the agent begin it.",
    tone: "warning",
    news: "needs_you",
    reaches: "away",
  },
  question: {
    exit: 5,
    label: "asks you",
    says: "The agent asked you a question and needs your answer.",
    next: '`tildone say "your answer"` continues.',
    chat: "Send your answer to continue.",
    tone: "warning",
    news: "needs_you",
    reaches: "away",
  },
  no_progress: {
    exit: 3,
    label: "no progress",
    says: "The agent made no progress.",
    next: 'Give it a hint: `tildone say "try ..."`.',
    chat: "Send a hint, or /extend to let it try again.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
  },
} as const satisfies Record<string, StopRow>;
export type StopReason = keyof typeof STOP;

/** The row of a reason that stands in a log: a newer tildone may have written one that this one does not know. */
export const stopRow = (reason: string): StopRow =>
  Object.hasOwn(STOP, reason)
    ? STOP[reason as StopReason]
    : {
        exit: 5,
        label: "stopped",
        says: `Stopped for a reason that only a newer tildone knows (${reason}).`,
        next: "Update tildone to read more: `npm install -g tildone`.",
        tone: "warning",
        news: "needs_you",
        reaches: "away",
      };

interface WaitRow {
  /** What it waits for, in a status line. */
  readonly label: string;
  readonly says: string;
  /** Where it ends with your answer and not by itself. */
  readonly news?: News;
  /** Its end is the moment of the next try; every other wait may end before. */
  readonly isExact?: true;
  /** What failed, where what it said stands behind it. */
  readonly failed?: string;
}

export const WAIT = {
  human: { label: "your words", says: "Delivering your message." },
  question: {
    label: "your answer",
    says: "The agent asked you a question and waits for your answer.",
    news: "needs_you",
  },
  approval: {
    label: "your approval",
    says: "A tool call waits for your approval: `tildone approvals` shows it.",
    news: "needs_you",
  },
  recovering: { label: "recovery", says: "The host is recovering the session." },
  compacting: { label: "compaction", says: "The host is compacting the context." },
  busy: { label: "busy session", says: "The session is busy; trying again soon." },
  verifying: { label: "checks", says: "Checks are running." },
  background: { label: "background work", says: "Waiting for a subagent or a command in the background." },
  rate_limited: { label: "rate limit", says: "The provider asked to wait before the next request.", isExact: true },
  backoff: {
    label: "provider",
    says: "The provider is overloaded or cannot be reached; retrying soon.",
    isExact: true,
    failed: "The model provider failed.",
  },
  host_failed: {
    label: "host",
    says: "The host failed; trying again soon.",
    isExact: true,
    failed: "The host failed.",
  },
} as const satisfies Record<string, WaitRow>;
export type WaitReason = keyof typeof WAIT;

export const waitRow = (reason: string): WaitRow =>
  Object.hasOwn(WAIT, reason)
    ? WAIT[reason as WaitReason]
    : { label: reason, says: `Waiting for something that only a newer tildone knows (${reason}).` };

/** The reasons with which a run is over: its next list is a new run. */
export const FINISHED: readonly StopReason[] = (Object.keys(STOP) as StopReason[]).filter(
  (reason) => STOP[reason].news === "done",
);
