import { type Birth, begin, type Context, type Reaction, react, type Trigger } from "../core/react/index.ts";
import type { Envelope, NewEvent, Run } from "../core/run/index.ts";
import { cardOf } from "./card.ts";
import { foldStored, KEEP_EVERY, type Known, keep } from "./open-run.ts";
import type { Log } from "./ports.ts";

/** What one write came to: the run after it, and every event that is new to this process. */
export interface Recorded {
  readonly known: Known;
  /** Undefined: there was nothing to react to. */
  readonly reaction: Reaction | undefined;
  readonly events: readonly Envelope[];
}

/** A run may be born into a session only while no other one lives there; that is asked inside the transaction. */
export interface Birthright {
  readonly birth: Birth;
  readonly isTaken: () => boolean;
}

/**
 * Read, react, append: one write transaction. What other processes appended meanwhile is taken in first, so that the
 * reaction is to the run as it is and not as this process remembers it.
 */
export function record(
  log: Log,
  id: string,
  known: Known,
  trigger: Trigger | "look",
  context: Context,
  right?: Birthright,
  keepEvery = KEEP_EVERY,
): Recorded {
  const { value, appended } = log.transact(id, known.seq, (tail) => {
    const current = foldStored(known.run, tail.events);
    const foreign = tail.events;
    const reaction = right?.isTaken() ? undefined : reactionTo(current, trigger, { ...context, foreign }, right?.birth);
    const run = reaction?.run ?? current;
    const append = reaction?.events ?? [];
    return {
      append,
      value: { reaction, run, seq: tail.last, foreign: tail.events },
      ...(append.some(isNews) && { card: cardOf(run, context.now) }),
      ...(append.some(binds) && { bind: run.origin }),
    };
  });
  const now: Known = { run: value.run, seq: appended.at(-1)?.seq ?? value.seq };
  if (Math.floor(known.seq / keepEvery) !== Math.floor(now.seq / keepEvery)) keep(log, id, now);
  return { known: now, reaction: value.reaction, events: [...value.foreign, ...appended] };
}

function reactionTo(run: Run, trigger: Trigger | "look", context: Context, birth?: Birth): Reaction | undefined {
  if (trigger === "look") return run.status === "live" ? react(run, { type: "log.moved" }, context) : undefined;
  return birth && run.status === "unborn" ? begin(birth, run, trigger, context) : react(run, trigger, context);
}

/** What an agent was refused, and what you were told, is no sign of work: the run is as old as it was. */
const isNews = ({ event }: NewEvent): boolean =>
  event.type !== "attempt.refused" && !event.type.startsWith("notification.");

/** Only birth and attaching bind: any other word to a run must not take the session away from the run that has it now. */
const binds = ({ event }: NewEvent): boolean => event.type === "run.began" || event.type === "run.bound";
