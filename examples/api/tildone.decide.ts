// The pure core: a run is the fold of its log, and one function decides
import {
  type Birth,
  type Budget,
  begin,
  type Context,
  contextChange,
  contextText,
  DEFAULTS,
  type Decision,
  decide,
  decisionText,
  type Effect,
  type Envelope,
  EVENTS,
  eventText,
  evolve,
  fold,
  type Ledger,
  type Limits,
  type NudgeKind,
  nudgeText,
  type Plan,
  plainList,
  REFUSALS,
  type Receipt,
  type Refusal,
  type Reply,
  RULES,
  type Rule,
  type Run,
  type RunEvent,
  react,
  STATUSES,
  STOP,
  type StopReason,
  type Todo,
  type TodoStatus,
  type Trigger,
  themedList,
  UNBORN,
  WAIT,
  type WaitReason,
} from "../../src/index.ts";

const limits: Limits = { ...DEFAULTS, countdownMs: 0 };
const context: Context = { now: 1_000, limits, role: "driver" };
const budget: Budget = { tokens: 100_000, minutes: 30 };
const birth: Birth = {
  run: "r1",
  driver: "example",
  origin: { host: "example", session: "s1", cwd: "/project" },
  ...{ goal: "fix the parser", budget, checks: [], requirements: [], seesCalls: true },
};

/** A log in memory: what `react` gives is appended, what it answers is printed. */
const log: Envelope[] = [];
export function tell(run: Run, trigger: Trigger): Run {
  const reaction = run === UNBORN ? begin(birth, UNBORN, trigger, context) : react(run, trigger, context);
  for (const event of reaction.events) log.push({ ...event, seq: log.length + 1 });
  reaction.effects.forEach(perform);
  console.log(answer(reaction.reply));
  return reaction.run;
}

const todos = [{ text: "write the grammar" }, { text: "document it" }];
const begun = tell(UNBORN, { type: "todos.write", by: "model", write: { mode: "replace", todos } });
const turn = tell(begun, { type: "turn.started", turn: "t1", cause: "human" });
const stopped = tell(turn, { type: "turn.ended", turn: "t1", outcome: "completed" });

/** The log alone says everything: both are the same run. */
export const rebuilt: Run = fold(log);
export const stepwise: Run = log.reduce((run, envelope) => evolve(run, envelope), UNBORN);

const plan: Plan = rebuilt.plan;
const ledger: Ledger = rebuilt.ledger;
const receipts: readonly Receipt[] = Object.values(ledger.receipts);
const statuses: readonly TodoStatus[] = plan.todos.map((todo: Todo) => todo.status);
console.log(plainList(plan.todos.map((todo) => ({ ...todo, proof: "open" as const }))));
console.log(
  themedList(plan.todos).length,
  receipts.length,
  statuses.map((status) => STATUSES[status].finished),
);

/** The rules in their order; a rule of your own can stand before them. */
const onlyMornings: Rule = { name: "only in the morning", says: () => undefined };
const decision: Decision = decide(stopped, limits, 2_000, [onlyMornings, ...RULES]);
console.log(decisionText(decision), explain(decision));

const kind: NudgeKind = "todo";
console.log(nudgeText(stopped, kind), contextText(stopped), contextChange(stopped, begun.plan.todos));

function explain(made: Decision): string {
  if (made.type === "continue") return `continues with ${made.step.type}`;
  if (made.type === "wait") return WAIT[made.reason satisfies WaitReason].says;
  return STOP[made.reason satisfies StopReason].says;
}

function perform(effect: Effect): void {
  if (effect.type === "nudge.send") console.log(`would send: ${effect.nudge.text}`);
}

function answer(reply: Reply): string {
  if (reply.type !== "refused") return reply.type;
  const { code, message } = reply.refusal as Refusal;
  return `${code}: ${message} (${REFUSALS[code]})`;
}

export const sentences = (events: readonly RunEvent[], run: Run): readonly string[] =>
  events.map((event) => `${EVENTS[event.type]}: ${eventText(event, run)}`);
