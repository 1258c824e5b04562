import type { TodoId } from "../todo/index.ts";
import type { Envelope, RunEvent, Usage } from "./event.ts";
import type { Ledger } from "./run.ts";

/** What the agent has before its eyes beside the files, as far as the log tells: everything since it began with an empty one. */
export interface Conversation {
  /** 1 for the one that the run began in. */
  readonly number: number;
  /** Why it began; absent: the run began, or another session took it over. */
  readonly why?: string;
  /** Why the todo after so many ended ones did not begin in a new one. */
  readonly kept?: { readonly ended: number; readonly why: string };
  /** Todos from this number on were written in it; of older ones the agent knows what the briefing said. Absent: all of them were. */
  readonly firstTodo?: number;
  /** Todos that ended in it, the newest last. */
  readonly ended: readonly TodoId[];
  /** Phases that were entered in it. */
  readonly phases: number;
  /** Answers in it, and what the first and the last request held in tokens, where the host tells. */
  readonly requests: number;
  readonly first?: number;
  readonly last?: number;
  /** How much of the last request was read from the provider's cache. */
  readonly cached: number;
  /** How much activity and how many answers of the turn there were when the last todo or phase ended: later ones belong to the next. */
  readonly since: { readonly activity: number; readonly turn?: string; readonly answers: number };
}

/** What the agent wrote down for later todos. */
export interface Note {
  readonly ids: readonly TodoId[];
  readonly text: string;
}

export const NEW_CONVERSATION: Conversation = {
  number: 1,
  ended: [],
  phases: 0,
  requests: 0,
  cached: 0,
  since: { activity: 0, answers: 0 },
};

/** Longer notes are cut, and of more than these the oldest go. */
export const NOTES = { characters: 400, most: 20 } as const;

/** The conversation after an event. `before` is the ledger that the event met. */
export function conversationAfter(before: Ledger, { event }: Envelope): Conversation {
  const { conversation, nudge } = before;
  switch (event.type) {
    case "todo.completed":
    case "todo.abandoned":
    case "todo.blocked":
      return { ...conversation, ended: withNewest(conversation.ended, event.ids), since: now(before) };
    case "todo.reopened":
      return { ...conversation, ended: conversation.ended.filter((id) => !event.ids.includes(id)) };
    case "phase.entered":
    case "workflow.looped":
      return { ...conversation, phases: conversation.phases + 1, since: now(before) };
    case "answer.seen":
      return event.cut ? conversation : answered(conversation, event);
    case "conversation.kept":
      return { ...conversation, kept: { ended: endsIn(conversation), why: event.why } };
    case "conversation.began":
      return begun(before, event.why);
    case "nudge.delivered":
      return nudge?.id === event.nudge && nudge.fresh !== undefined && nudge.status === "intended"
        ? begun(before, nudge.fresh)
        : conversation;
    default:
      return conversation;
  }
}

/** Todos and phases that ended in it: each is a moment at which the next one could begin in a new conversation. */
export const endsIn = ({ ended, phases }: Conversation): number => ended.length + phases;

const begun = (before: Ledger, why: string): Conversation => ({
  ...NEW_CONVERSATION,
  number: before.conversation.number + 1,
  why,
  firstTodo: before.nextTodoId,
  since: now(before),
});

const now = ({ activity, turn }: Ledger): Conversation["since"] => ({
  activity,
  answers: turn?.pace.answers ?? 0,
  ...(turn && { turn: turn.id }),
});

function answered(conversation: Conversation, { usage }: Extract<RunEvent, { type: "answer.seen" }>): Conversation {
  const size = sizeOf(usage);
  if (size <= 0) return conversation;
  return {
    ...conversation,
    requests: conversation.requests + 1,
    first: conversation.first ?? size,
    last: size,
    cached: usage.cacheRead,
  };
}

/** What a request held: read anew, read from a cache, or written to one. */
const sizeOf = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

const MOST_ENDED = 200;
const withNewest = (known: readonly TodoId[], more: readonly TodoId[]): readonly TodoId[] =>
  [...new Set([...known, ...more])].slice(-MOST_ENDED);
