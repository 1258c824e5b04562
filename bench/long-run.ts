import { DEFAULTS } from "../src/core/continuation/index.ts";
import { type Birth, begin, type Context, type Reaction, react, type Trigger } from "../src/core/react/index.ts";
import { type NewEvent, type Run, UNBORN } from "../src/core/run/index.ts";
import { cardOf, type RunCard } from "../src/engine/index.ts";

export const RUN = "0198c0de-long-run";
export const SESSION = ["pi", "0198c0de"] as const;
const BEGAN = 1_790_000_000_000;

/** A run that goes on and on, told by a model that works: a hundred todos, turns of many calls, nudges in between. */
export function longRun(length: number): {
  readonly events: readonly NewEvent[];
  readonly run: Run;
  readonly card: RunCard;
} {
  const events: NewEvent[] = [];
  let now = BEGAN;
  let run: Run = UNBORN;
  take(begin(BIRTH, UNBORN, { type: "todos.write", by: "model", write: { mode: "replace", todos: TODOS } }, context()));
  for (let turn = 1; events.length < length && run.status === "live"; turn++)
    for (const trigger of turnOf(run, turn)) tell(trigger);
  // Ends at a decided boundary: what a process meets that opens the run.
  return { events, run, card: cardOf(run, now) };

  function tell(trigger: Trigger): void {
    now += 1000;
    take(react(run, trigger, context()));
  }

  function take(reaction: Reaction): void {
    events.push(...reaction.events);
    run = reaction.run;
  }

  function context(): Context {
    return { now, limits: DEFAULTS, role: "driver" };
  }
}

const BIRTH: Birth = {
  run: RUN,
  driver: "bench",
  origin: { host: SESSION[0], session: SESSION[1], cwd: "/home/me/project" },
  goal: "Port the whole test suite to the new runner and make it pass.",
  budget: {},
  checks: [],
  requirements: [],
  seesCalls: true,
};

/** So that a hundred todos last for 100,000 events. */
const TURNS_PER_TODO = 60;

function* turnOf(run: Run, turn: number): Generator<Trigger> {
  const id = `turn-${turn}`;
  const current = run.plan.todos.findIndex(({ status }) => status !== "completed");
  yield { type: "turn.started", turn: id, ...(turn % 50 === 1 && { cause: "human" as const }) };
  if (turn % 50 === 1) yield { type: "human.spoke" };
  if (turn % TURNS_PER_TODO === 1)
    yield { type: "todos.edit", by: "model", edit: { action: "start", indices: [current] } };
  for (let call = 0; call < 16; call++)
    yield { type: "call.seen", digest: `${turn}.${call}`.padEnd(64, "0"), turn: id };
  if (turn % TURNS_PER_TODO === 0)
    yield { type: "todos.edit", by: "model", edit: { action: "complete", indices: [current] } };
  const usage = { input: 1200, output: 800, cacheRead: 90_000, cacheWrite: 2000, cost: 0.04 };
  yield { type: "turn.ended", turn: id, outcome: "completed", text: "Done so far.", usage, workspace: `tree-${turn}` };
}

const TODOS = Array.from({ length: 100 }, (_, index) => ({
  text: `Port suite number ${index} to the new runner, keep its cases and their names`,
}));
