import type { Reset } from "./resets.ts";

export type News = "done" | "needs_you" | "stopped";

/** Every reason not to continue. Types, docs, exit codes and what you read on every screen come from this table. */
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
  /** Who hears of it: you while you look away (`away`), you at the screen (`screen`), or, while no todo is open, no one (`nobody`). */
  readonly reaches: "away" | "screen" | "nobody";
  /**
   * What you type to continue it after `tildone run` ended (inside a host, `next` says it): `<run>`, `<n>` and `<index>` are filled in
   * when it is printed.
   */
  readonly resume: string;
  /** What that sets back. Only your word does; a process that takes a run over, a supervisor or a worker resets nothing. */
  readonly resets: readonly Reset[];
}

const RESUME_IT = "tildone run --resume <run>";

/** Why a run stops: one row a reason. */
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
    resume: "tildone run --resume <run> --auto-complete-todos",
    resets: ["switch"],
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
    resume: RESUME_IT,
    resets: ["hold"],
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
    resume: RESUME_IT,
    resets: ["interrupt"],
  },
  no_todos: {
    exit: 5,
    label: "nothing to do",
    says: "The agent never wrote a todo list.",
    next: "Send it a message that says what to do.",
    tone: "warning",
    news: "needs_you",
    reaches: "nobody",
    resume: `${RESUME_IT} "what to do"`,
    resets: ["list"],
  },
  read_only: {
    exit: 5,
    label: "read-only",
    says: "The host is in plan or read-only mode.",
    next: "Leave that mode and send a message to continue.",
    tone: "warning",
    news: "needs_you",
    reaches: "away",
    resume: RESUME_IT,
    resets: ["mode"],
  },
  all_done: {
    exit: 0,
    label: "done",
    says: "Done and proven: every required check passed.",
    next: "",
    tone: "success",
    news: "done",
    reaches: "away",
    resume: `${RESUME_IT} "what to do next"`,
    resets: [],
  },
  done_unproven: {
    exit: 5,
    label: "finished, not proven",
    says: "Finished, but not all of it is proven by a check.",
    next: "`tildone report` shows what is not; `tildone accept` signs it off.",
    tone: "warning",
    news: "done",
    reaches: "away",
    resume: `tildone accept <run>   or   ${RESUME_IT} "what to do next"`,
    resets: [],
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
    resume: `tildone accept <run>   or   ${RESUME_IT} "what to fix"`,
    resets: [],
  },
  done_accepted: {
    exit: 0,
    label: "finished, accepted",
    says: "Finished, and you accepted what no check proves.",
    next: "",
    tone: "success",
    news: "done",
    reaches: "away",
    resume: `${RESUME_IT} "what to do next"`,
    resets: [],
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
    resume: `${RESUME_IT} --max-tokens <n>`,
    resets: [],
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
    resume: `${RESUME_IT} --max-cost <n>`,
    resets: [],
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
    resume: `${RESUME_IT} --max-minutes <n>`,
    resets: [],
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
    resume: `tildone extend <run> --continuations <n> && ${RESUME_IT}`,
    resets: [],
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
    resume: RESUME_IT,
    resets: ["failures"],
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
    resume: RESUME_IT,
    resets: ["failures"],
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
    resume: RESUME_IT,
    resets: ["failures"],
  },
  context_full: {
    exit: 6,
    label: "context full",
    says: "The context is full and could not be compacted.",
    next: "Compact the session in the host (`/compact`), then send a message.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
    resume: RESUME_IT,
    resets: ["failures"],
  },
  host_limit: {
    exit: 6,
    label: "limit of the host",
    says: "A limit of the host ended the turn.",
    next: "Raise it in the host, then send a message to continue.",
    tone: "warning",
    news: "stopped",
    reaches: "away",
    resume: RESUME_IT,
    resets: ["failures"],
  },
  refused: {
    exit: 5,
    label: "refused",
    says: "The model refused the task.",
    next: "Send a message that says it differently.",
    tone: "warning",
    news: "needs_you",
    reaches: "away",
    resume: `${RESUME_IT} "say it differently"`,
    resets: ["failures"],
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
    resume: `${RESUME_IT} "what it needs to know"`,
    resets: ["blocked"],
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
    resume: `tildone todo release <index> --run <run> && ${RESUME_IT}`,
    resets: [],
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
    resume: `${RESUME_IT} "your answer"`,
    resets: ["questions"],
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
    resume: `${RESUME_IT} "what to try"`,
    resets: ["progress"],
  },
} as const satisfies Record<string, StopRow>;
/** The code of a reason to stop. */
export type StopReason = keyof typeof STOP;

/** The row of a reason that stands in a log: a newer tildone may have written one that this one does not know. */
export const stopRow = (reason: string): StopRow =>
  Object.hasOwn(STOP, reason)
    ? STOP[reason as StopReason]
    : {
        exit: 5,
        label: "stopped",
        says: `Stopped for a reason that only a newer tildone knows (${reason}).`,
        next: "Update tildone to read more: `git pull && npm ci` in its checkout, or install a newer tarball.",
        tone: "warning",
        news: "needs_you",
        reaches: "away",
        resume: RESUME_IT,
        resets: [],
      };

/** The reasons with which a run is over: its next list is a new run. */
export const FINISHED: readonly StopReason[] = (Object.keys(STOP) as StopReason[]).filter(
  (reason) => STOP[reason].news === "done",
);
