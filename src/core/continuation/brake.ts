import type { StopReason } from "../reason/index.ts";
import {
  type Budget,
  type BudgetUse,
  budgetUse,
  type Ledger,
  type Run,
  type TodoLedger,
  type Turn,
} from "../run/index.ts";
import { isFinished } from "../todo/index.ts";
import type { Limits } from "./limits.ts";

/** Why the turn that runs is ended, and how: after the tool that runs, or at once. */
export interface Brake {
  readonly reason: StopReason;
  readonly detail?: string;
  readonly how: "after_tool" | "now";
}

/**
 * Whether the turn that runs has to end. Asked after everything that happens inside a turn, and when `brakeDeadline` has come. The
 * order of the lines is the policy. An answer that calls nothing ends the turn by itself: then the boundary decides.
 */
export function brake({ ledger, plan }: Run, limits: Limits, now: number): Brake | undefined {
  const { turn } = ledger;
  if (!turn || turn.pace.phase === "settling") return undefined;
  if (turn.braked) return overdue(turn, limits, now);
  const how = isModelsTurn(turn) ? "now" : "after_tool";
  if (turn.held) return { reason: "held", how };
  if (!limits.enabled || ledger.off) return undefined;
  const given = { ledger, todos: plan.todos, turn, limits, now };
  for (const rule of BRAKES) {
    const spoken = rule(given);
    if (spoken) return { how, ...spoken };
  }
  return undefined;
}

/** The model is at it, and no tool; before anything of it was seen, and where answers are not shown, a tool may run. */
const isModelsTurn = ({ pace }: Turn): boolean =>
  pace.phase === "model" && (pace.answers > 0 || pace.growing !== undefined);

/** The earliest moment at which `brake` speaks although nothing happens; undefined: never. */
export function brakeDeadline({ ledger }: Run, limits: Limits): number | undefined {
  const { turn } = ledger;
  if (!turn || turn.pace.phase === "settling" || !limits.enabled || ledger.off) return undefined;
  if (turn.braked) return overdueAt(turn, limits);
  const ends = [minutesEnd(ledger, turn), windDownEnd(ledger, turn, limits), silenceEnd(ledger, turn, limits)];
  const due = [...ends, todoEnd(ledger, turn, limits), answerEnd(ledger, turn, limits)].filter(
    (at) => at !== undefined,
  );
  return due.length > 0 ? Math.min(...due) : undefined;
}

interface Given {
  readonly ledger: Ledger;
  readonly todos: Run["plan"]["todos"];
  readonly turn: Turn;
  readonly limits: Limits;
  readonly now: number;
}
type Spoken = Omit<Brake, "how"> & { readonly how?: Brake["how"] };

const BRAKES: readonly ((given: Given) => Spoken | false | undefined)[] = [
  windDownOver,
  unpriced,
  budgetOver,
  todoOver,
  sameCall,
  idle,
  still,
  silent,
  endless,
];

/** The tool that we wait for does not end: what was to end after it ends now. On hold, you decide how long that is. */
function overdue(turn: Turn, limits: Limits, now: number): Brake | undefined {
  const at = overdueAt(turn, limits);
  if (!turn.braked || at === undefined || now < at) return undefined;
  const { reason, detail } = turn.braked;
  return { reason, how: "now", detail };
}

const overdueAt = ({ braked, pace }: Turn, { brake: { graceMs } }: Limits): number | undefined =>
  braked?.how === "after_tool" && braked.reason !== "held" && pace.phase === "tools" ? braked.at + graceMs : undefined;

/** A turn that began with its budget spent may say where things stand, and no more. */
function windDownOver({ ledger, turn, limits, now }: Given): Spoken | undefined {
  const over = overdrawn(ledger, turn);
  const end = windDownEnd(ledger, turn, limits);
  if (!over || (turn.pace.answers < limits.brake.windDownAnswers && (end === undefined || now < end))) return undefined;
  return { reason: `budget_${over.name}`, detail: "the last turn did not end in time" };
}

function windDownEnd(ledger: Ledger, turn: Turn, limits: Limits): number | undefined {
  if (!overdrawn(ledger, turn) || waits(ledger)) return undefined;
  return turn.pace.countedUntil + limits.brake.windDownMs - turn.pace.countedMs;
}

/** The budget that was spent when the turn began and was not raised since. */
const overdrawn = (ledger: Ledger, { pace }: Turn): BudgetUse | undefined =>
  pace.overdrawn ? budgetUse(ledger).find(isOver) : undefined;

function unpriced({ ledger, turn }: Given): Spoken | false {
  return (
    turn.pace.unpriced &&
    ledger.budget.cost !== undefined && {
      reason: "budget_cost",
      detail: "the model has no known price, so its cost cannot be limited",
    }
  );
}

function budgetOver({ ledger, turn, now }: Given): Spoken | undefined {
  if (overdrawn(ledger, turn)) return undefined;
  const running = waits(ledger) ? 0 : Math.max(0, now - turn.pace.countedUntil);
  const spent = { ...ledger.spent, activeMs: ledger.spent.activeMs + running };
  const over = budgetUse({ budget: ledger.budget, spent }).find((use) => use.name !== "continuations" && isOver(use));
  return over && { reason: `budget_${over.name}`, detail: usedOf(over) };
}

/** The todo that the turn began with used up what it alone may use: it is set aside, and the run continues with the others. */
function todoOver({ ledger, todos, turn, limits, now }: Given): Spoken | undefined {
  const todo = todos.find(({ id }) => id === turn.todo);
  const entry = todo && ledger.todoLedgers[todo.id];
  if (!todo || !entry || isFinished(todo)) return undefined;
  const running = waits(ledger) ? 0 : Math.max(0, now - turn.pace.countedUntil);
  const activeMs = entry.activeMs + turn.pace.countedMs + running;
  const over = overOf({ ...entry, activeMs, continuations: 0 }, limits.perTodo);
  return over && { reason: "blocked", detail: `[${todos.indexOf(todo)}] has spent its own budget of ${over}` };
}

/** Which of its limits one todo has reached. */
export function overOf(
  { tokens, cost, activeMs, continuations }: Pick<TodoLedger, "tokens" | "cost" | "activeMs" | "continuations">,
  limits: Budget,
): keyof Budget | undefined {
  const used = { tokens, cost, minutes: activeMs / MINUTE, continuations };
  return (Object.keys(used) as (keyof Budget)[]).find(
    (name) => used[name] >= (limits[name] ?? Number.POSITIVE_INFINITY),
  );
}

const isOver = ({ used, limit }: BudgetUse): boolean => used >= limit;

const usedOf = ({ name, used, limit }: BudgetUse): string =>
  name === "tokens"
    ? `${grouped(used)} of ${grouped(limit)} tokens used`
    : `${used.toFixed(2)} of ${limit} ${UNITS[name]}used`;

const UNITS: Readonly<Record<BudgetUse["name"], string>> = {
  tokens: "",
  cost: "",
  minutes: "minutes ",
  continuations: "",
};

const grouped = (amount: number): string => String(Math.round(amount)).replace(/\B(?=(\d{3})+$)/g, ",");

function minutesEnd(ledger: Ledger, turn: Turn): number | undefined {
  const { minutes } = ledger.budget;
  if (minutes === undefined || overdrawn(ledger, turn) || waits(ledger)) return undefined;
  return Math.ceil(turn.pace.countedUntil + minutes * MINUTE - ledger.spent.activeMs);
}

function todoEnd(ledger: Ledger, turn: Turn, { perTodo }: Limits): number | undefined {
  const entry = turn.todo === undefined ? undefined : ledger.todoLedgers[turn.todo];
  if (!entry || perTodo.minutes === undefined || waits(ledger)) return undefined;
  return Math.ceil(turn.pace.countedUntil + perTodo.minutes * MINUTE - entry.activeMs - turn.pace.countedMs);
}

function sameCall({ turn: { pace }, limits }: Given): Spoken | false | undefined {
  return (
    pace.same &&
    pace.same.times >= limits.brake.sameCalls && {
      reason: "no_progress",
      detail: `${pace.same.tool ?? "the same tool"} was called ${pace.same.times} times in a row with the same result`,
    }
  );
}

function idle({ turn: { pace }, limits }: Given): Spoken | false {
  return (
    pace.idle > limits.brake.idleAnswers && {
      reason: "no_progress",
      detail: `${pace.idle} answers in a row brought nothing new`,
    }
  );
}

function still({ turn: { pace }, limits }: Given): Spoken | false {
  return (
    pace.looked &&
    pace.still > limits.brake.stillAnswers && {
      reason: "no_progress",
      detail: `${pace.still} answers in a row changed no file and finished no todo`,
    }
  );
}

function silent({ ledger, turn, limits, now }: Given): Spoken | false {
  const end = silenceEnd(ledger, turn, limits);
  return (
    end !== undefined &&
    now >= end && {
      reason: "provider_error",
      how: "now",
      detail: `the model sent nothing for ${minutes(limits.brake.silenceMs)}`,
    }
  );
}

/** While a tool runs, the model has nothing to say; a compaction has a deadline of its own. */
function silenceEnd(ledger: Ledger, { pace }: Turn, limits: Limits): number | undefined {
  if (pace.phase !== "model" || waits(ledger)) return undefined;
  const { compacting, recovering } = ledger;
  const { heardAt } = pace;
  return Math.max(heardAt, compacting?.until ?? heardAt, recovering?.until ?? heardAt) + limits.brake.silenceMs;
}

function endless({ ledger, turn, limits, now }: Given): Spoken | false {
  const end = answerEnd(ledger, turn, limits);
  return (
    end !== undefined &&
    now >= end && {
      reason: "no_progress",
      detail: `one answer did not end within ${minutes(limits.brake.answerMs)}`,
    }
  );
}

function answerEnd(ledger: Ledger, { pace }: Turn, limits: Limits): number | undefined {
  if (pace.phase !== "model" || pace.growing === undefined || waits(ledger)) return undefined;
  return pace.phaseSince + limits.brake.answerMs;
}

const waits = ({ approvals, questions }: Ledger): boolean => approvals.length + questions.length > 0;

const minutes = (ms: number): string =>
  ms < 2 * MINUTE ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / MINUTE)} min`;

const MINUTE = 60_000;
