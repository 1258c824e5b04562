import type { Persona } from "../../src/testing/index.ts";

type Step = Exclude<ReturnType<ReturnType<Persona["plays"]>["next"]>["value"], void>;

/** A persona that can be finished is finished by its script when it is not stopped. */
export const canFinish = (persona: Persona): boolean => persona.ends.reason === "all_done";

/** How often a model has to be asked, each answer of its script being one request. No limit of any system is in it. */
export interface Due {
  /** Answers that every system needs; only where the script comes to an end. */
  readonly fewest?: number;
  /** Answers that end a turn, or fail, although the work is not done: each costs one more request. */
  readonly earlyStops?: number;
  /** More than this is too often. None where a provider never recovers: how often a host tries again is its own. */
  readonly most?: number;
  /** How often it may be sent on. None where only the requests are limited. */
  readonly nudges?: number;
}

/** A model that gets nowhere has had every chance by then; a third of what ends a play. */
export const PATIENCE = 50;
/** One that asks the user something may be told twice to find its own answer. */
const QUESTION_NUDGES = 2;

export function requestsDue(persona: Persona): Due {
  const steps = stepsOf(persona);
  if (canFinish(persona)) return toFinish([...steps]);
  const first = [...upTo(steps, PATIENCE)];
  const abort = first.findIndex(({ meanwhile }) => meanwhile === "human aborts");
  if (abort >= 0) return { most: abort + 1, nudges: 0 };
  if (first.some(({ fails }) => fails)) return {};
  if (persona.ends.reason !== "question") return { most: PATIENCE };
  return { most: first.findIndex(endsTurn) + 1 + QUESTION_NUDGES, nudges: QUESTION_NUDGES };
}

function toFinish(steps: readonly Step[]): Due {
  const earlyStops = steps.slice(0, -1).filter(endsTurn).length;
  return { fewest: steps.length - earlyStops, earlyStops, most: steps.length, nudges: earlyStops };
}

const endsTurn = ({ calls = [], fails, meanwhile }: Step): boolean =>
  fails !== undefined || meanwhile === "human aborts" || calls.length === 0;

function* upTo<T>(all: Iterable<T>, count: number): Generator<T, void> {
  let left = count;
  for (const each of all) {
    if (left-- === 0) return;
    yield each;
  }
}

function* stepsOf(persona: Persona): Generator<Step, void> {
  const plays = persona.plays();
  for (;;) {
    const { done, value } = plays.next({ user: "", results: [], turn: 1 });
    if (done) return;
    yield value;
  }
}
