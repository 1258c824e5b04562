import { type Birth, begin, type Context, type Reaction, react, type Trigger } from "../core/react/index.ts";
import { type Envelope, evolve, FOLD_VERSION, type NewEvent, type Run, UNBORN } from "../core/run/index.ts";
import { cardOf } from "./card.ts";
import type { Log } from "./ports.ts";

/** A run as one process knows it: the fold up to `seq`. Reads only what is new. */
export interface Known {
  readonly run: Run;
  readonly seq: number;
}

/** How many events may follow the last kept fold before it is kept anew. */
export const KEEP_EVERY = 256;
/** The same for processes that live for one event: each of them folds what follows. */
export const KEEP_OFTEN = 64;

/** A run from the log, by its id. */
export function openRun(log: Log, id: string, keepEvery = KEEP_EVERY): Known {
  const kept = log.loadSnapshot(id);
  const isGood = kept?.version === FOLD_VERSION && isRun(kept.state, UNBORN) && kept.seq <= log.last(id);
  const from: Known = isGood ? { run: kept.state as Run, seq: kept.seq } : { run: UNBORN, seq: 0 };
  const known = foldOn(log, id, from);
  if (known.seq - from.seq > keepEvery) keep(log, id, known); // a long way is not gone twice
  return known;
}

/** A kept fold is a row like any other and may be damaged: what a run always has, it must have, too. */
function isRun(kept: unknown, model: unknown): boolean {
  if (typeof kept !== typeof model || Array.isArray(kept) !== Array.isArray(model)) return false;
  if (Array.isArray(model) || typeof model !== "object" || model === null) return true;
  if (kept === null) return false;
  return Object.entries(model).every(([key, value]) => isRun((kept as Record<string, unknown>)[key], value));
}

const PAGE = 1024;

/** Page by page, so that a long log never stands in memory as a whole. */
function foldOn(log: Log, id: string, from: Known): Known {
  let known = from;
  for (let tail = log.read(id, known.seq, PAGE); tail.last > known.seq; tail = log.read(id, known.seq, PAGE))
    known = { run: foldStored(known.run, tail.events), seq: tail.last };
  return known;
}

/** A kept fold only saves time: one that cannot be kept must not undo what is already in the log, nor what follows from it. */
function keep(log: Log, id: string, { run, seq }: Known): void {
  try {
    log.saveSnapshot(id, { seq, version: FOLD_VERSION, state: run });
  } catch {
    // A disk that fails says so at the next write that matters.
  }
}

/** A run with more events of its log; those that cannot be applied are left out. */
export function foldStored(run: Run, events: readonly Envelope[]): Run {
  return events.reduce(evolve, run);
}

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
