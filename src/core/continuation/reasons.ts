/** Every reason not to go on. Types, docs, exit codes and the words a human reads all come from these tables. */

export const STOP = {
  disabled: { exit: 5, says: "Continuation is switched off for this host, agent or run." },
  held: { exit: 5, says: "The human holds the run; only unhold lets it go on." },
  interrupted: {
    exit: 5,
    says: "The human interrupted; it goes on when the agent takes the work up again on the human's word, or with unhold.",
  },
  no_todos: { exit: 5, says: "There is no list and nothing else to work on." },
  read_only: { exit: 5, says: "The host is in plan or read-only mode." },
  all_done: { exit: 0, says: "Everything is finished and every check passed." },
  done_unproven: { exit: 5, says: "Everything is finished, but nothing proves it." },
  done_with_doubt: {
    exit: 5,
    says: "Everything is finished, but part of it is abandoned, suspect or done without any work seen; accept it or undo it.",
  },
  budget_tokens: { exit: 4, says: "The token budget is spent; extend it to go on." },
  budget_cost: { exit: 4, says: "The cost budget is spent; extend it to go on." },
  budget_minutes: { exit: 4, says: "The budget of active minutes is spent; extend it to go on." },
  budget_continuations: { exit: 4, says: "The budget of continuations is spent; extend it to go on." },
  rate_limited: { exit: 6, says: "The provider's limit was hit again after every wait that was allowed." },
  provider_error: { exit: 6, says: "The provider failed and retrying did not help." },
  context_full: { exit: 6, says: "The context is full and cannot be compacted." },
  host_limit: { exit: 6, says: "The host's own limit ended the turn." },
  refused: { exit: 5, says: "The model refused." },
  blocked: { exit: 5, says: "No open item is free: each is blocked or needs something that is not completed." },
  awaiting_release: { exit: 5, says: "The next item waits for the human's release." },
  question: { exit: 5, says: "The agent asked twice in a row without the question tool; it needs an answer." },
  no_progress: { exit: 3, says: "The agent was sent on again and again and nothing came of it." },
  approval: { exit: 5, says: "An approval is pending and nobody answered." },
} as const satisfies Record<string, { exit: number; says: string }>;
export type StopReason = keyof typeof STOP;

export const WAIT = {
  human: "The human's words are on their way to the agent.",
  question: "The agent asked the human a question.",
  approval: "A call waits for the human's approval.",
  recovering: "The host recovers the session.",
  compacting: "The host compacts the context.",
  verifying: "Checks are running.",
  background: "An agent or a command of this run works in the background.",
  rate_limited: "The provider asked to wait.",
  backoff: "The provider is overloaded or out of reach; trying again soon.",
} as const satisfies Record<string, string>;
export type WaitReason = keyof typeof WAIT;

/** The reasons with which a run is over: its next list is a new run. */
export const FINISHED: readonly StopReason[] = ["all_done", "done_unproven"];
