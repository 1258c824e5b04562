import type { News } from "./stop.ts";

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

/** Why a run waits: one row a reason. */
export const WAIT = {
  human: { label: "message delivery", says: "Delivering your message." },
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
/** The code of a reason to wait. */
export type WaitReason = keyof typeof WAIT;

export const waitRow = (reason: string): WaitRow =>
  Object.hasOwn(WAIT, reason)
    ? WAIT[reason as WaitReason]
    : { label: reason, says: `Waiting for something that only a newer tildone knows (${reason}).` };
