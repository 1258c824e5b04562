import type { Run } from "../../core/run/index.ts";

/** How often a host was started since its run last got anywhere. One of its processes lives at a time. */
export interface Patience {
  readonly started: number;
  /** The most todos that were settled, and the conversations that began. */
  readonly settled: number;
  readonly conversations: number;
}

export const PATIENT: Patience = { started: 0, settled: 0, conversations: 0 };

/** A host that never gets to a run, or nowhere in one, is bounded by this; a long list in fresh conversations is not. */
export const MOST_PROCESSES = 200;

/** After a process ended. Only a todo that was settled, or a conversation that follows one, counts: neither can be repeated without work. */
export function afterProcess(before: Patience, run: Run | undefined): Patience {
  const settled = run?.plan.todos.filter(({ status }) => status === "completed" || status === "abandoned").length ?? 0;
  const conversations = run?.ledger.conversation.number ?? 0;
  const isFurther = settled > before.settled || conversations > before.conversations;
  return {
    started: isFurther ? 0 : before.started + 1,
    settled: Math.max(settled, before.settled),
    conversations: Math.max(conversations, before.conversations),
  };
}

export const isSpent = ({ started }: Patience): boolean => started >= MOST_PROCESSES;
