import type { Persona } from "../../src/testing/index.ts";

type Step = Exclude<ReturnType<ReturnType<Persona["plays"]>["next"]>["value"], void>;

/** A persona that can be finished is finished by its script when nobody stops it. */
export const canFinish = (persona: Persona): boolean => persona.ends.reason === "all_done";

/** How often a model has to be asked, each answer of its script being one request. */
export interface Due {
  /** Answers that are needed whoever asks; only where the script comes to an end. */
  readonly fewest?: number;
  /** Answers that end a turn, or fail, although the work is not done: each costs one more request. */
  readonly earlyStops?: number;
  /** More than this is too often. None where a provider fails for ever: how often a host tries again is its own. */
  readonly most?: number;
}

export function requestsDue(persona: Persona): Due {
  return canFinish(persona) ? toFinish(persona) : toStop(persona);
}

function toFinish(persona: Persona): Due {
  const steps = [...stepsOf(persona)];
  const earlyStops = steps.slice(0, -1).filter(endsTurn).length;
  return { fewest: steps.length - earlyStops, earlyStops, most: steps.length };
}

/** The answers of as many turns as a persona calls for: that of the human, and those of its nudges. */
function toStop(persona: Persona): Due {
  let turns = persona.ends.nudges.atMost + 1;
  let most = 0;
  for (const step of stepsOf(persona)) {
    if (step.fails) return {};
    most++;
    if (endsTurn(step) && --turns === 0) break;
  }
  return { most };
}

const endsTurn = ({ calls = [], fails, meanwhile }: Step): boolean =>
  fails !== undefined || meanwhile === "human aborts" || calls.length === 0;

function* stepsOf(persona: Persona): Generator<Step, void> {
  const plays = persona.plays();
  for (;;) {
    const { done, value } = plays.next({ user: "", results: [], turn: 1 });
    if (done) return;
    yield value;
  }
}
