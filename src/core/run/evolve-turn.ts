import { budgetSpent, countedTokens } from "./budget.ts";
import type { Decision } from "./decision.ts";
import { type Envelope, type LedgerEvent, NO_USAGE, type Usage } from "./event.ts";
import { workSeenIn } from "./evolve-todo-ledgers.ts";
import { acted, answered, type Braked, beyond, cutOff, grown, newPace, resulted, toolsRun } from "./pace.ts";
import { takenUp } from "./progress.ts";
import type { Boundary, Ledger, Turn } from "./run.ts";
import { hasSeenCall, withCall, withState } from "./seen.ts";

/** Turns, boundaries, decisions and nudges, with the counters that end a run which gets nowhere. */
export function evolveTurn(ledger: Ledger, { event, at }: Envelope): Ledger {
  switch (event.type) {
    case "turn.started":
      return started(ledger, event, at);
    case "turn.ended":
      return ended(ledger, event, at);
    case "turn.resumed":
      return resumed(ledger, event, at);
    case "usage.spent":
      return {
        ...ledger,
        spent: withUsage(ledger.spent, event.usage),
        todoLedgers:
          event.todo === undefined
            ? ledger.todoLedgers
            : charged(ledger.todoLedgers, event.todo, { usage: event.usage, activeMs: 0 }, undefined),
      };
    case "answer.seen":
      return answerSeen(ledger, event, at);
    case "answer.growing":
      return answerGrowing(ledger, event, at);
    case "tool.began":
      return ledger.turn?.id === event.turn
        ? { ...ledger, turn: { ...ledger.turn, pace: toolsRun(ledger.turn.pace, at) } }
        : ledger;
    case "result.seen":
      return resultSeen(ledger, event, at);
    case "turn.braked":
      return ledger.turn?.id === event.turn
        ? { ...ledger, turn: { ...ledger.turn, braked: brakedBy(event, at) } }
        : ledger;
    case "turn.cut":
      return cut(ledger, event, at);
    case "workspace.observed":
      return {
        ...ledger,
        workspace: event.workspace,
        seen: withState(ledger.seen, event.workspace),
      };
    case "activity.seen":
      return active(ledger, event, at);
    case "decision.made":
      return decided(ledger, event, at);
    case "wait.parked":
      return atBoundary(ledger, event.boundary, {
        status: "parked",
        forHuman: event.forHuman === true,
        undecided: ledger.boundary?.status === "open" || ledger.boundary?.undecided === true,
      });
    case "nudge.intended":
      return {
        ...atBoundary(ledger, event.boundary, { status: "nudged" }),
        nudge: { id: event.nudge, boundary: event.boundary, kind: event.kind, status: "intended" },
        lastNudgeAt: at,
        ...(ledger.dropped && { dropped: { ...ledger.dropped, told: true } }),
      };
    case "nudge.delivered":
      return ledger.nudge?.id === event.nudge ? { ...ledger, nudge: { ...ledger.nudge, status: "delivered" } } : ledger;
    case "nudge.failed":
      return nudgeFailed(ledger, event.nudge, event.message, at);
    case "nudge.withdrawn": {
      if (ledger.nudge?.id !== event.nudge) return ledger;
      const { nudge, ...rest } = ledger;
      return atBoundary(rest, nudge.boundary, { status: "open" });
    }
    default:
      return ledger;
  }
}

type Event<T extends LedgerEvent["type"]> = LedgerEvent & { type: T };
const REMEMBERED_TURNS = 32;

function started(
  { boundary: _over, ...ledger }: Ledger,
  { turn, cause, todo }: Event<"turn.started">,
  at: number,
): Ledger {
  const { nudge, ...rest } = ledger;
  const granted = nudge?.kind; // taken up, or overtaken by another turn and still on its way
  const fresh: Turn = {
    id: turn,
    cause,
    startedAt: at,
    acted: false,
    moved: false,
    progressed: false,
    pace: newPace(at, budgetSpent(ledger) !== undefined),
    ...(todo !== undefined && { todo }),
    ...(granted !== undefined && { answers: granted }),
  };
  return {
    ...rest,
    endedTurns: superseded(ledger, turn),
    turn: fresh,
    ...(ledger.interrupt && cause === "human" && { interrupt: { turn } }),
    woundDown: ledger.woundDown || granted === "wind_down",
    spent: cause === "nudge" ? { ...ledger.spent, continuations: ledger.spent.continuations + 1 } : ledger.spent,
  };
}

/** A turn that another one overtook is over; one that goes on after all is not. */
function superseded({ turn: running, endedTurns }: Ledger, turn: string): readonly string[] {
  const others = endedTurns.filter((id) => id !== turn);
  return running && running.id !== turn ? withNewest(others, running.id) : others;
}

function ended(ledger: Ledger, event: Event<"turn.ended">, at: number): Ledger {
  const { turn, ...rest } = ledger;
  const failed = event.outcome === "failed";
  const { usage, activeMs } = event;
  return {
    ...rest,
    calls: [],
    cutCalls: failed ? ledger.cutCalls : [],
    endedTurns: withNewest(withNewest(ledger.endedTurns, event.turn), event.end ?? event.turn),
    boundaries: ledger.boundaries + 1,
    boundary: {
      id: event.boundary,
      at,
      question: event.question,
      ...(event.asks && { asks: event.asks }),
      round: "none",
      status: "open",
      ...(event.failure && { failure: event.failure }),
      ...(turn?.braked && !event.failure && { braked: turn.braked }),
      ...(turn && { ended: { turn, since: ledger.since, asked: ledger.asked } }),
    },
    ...(event.workspace !== undefined && { workspace: event.workspace }),
    since: failed || turn?.cause !== "nudge" ? ledger.since : counted(ledger.since, turn),
    listAsked: ledger.listAsked || (!failed && turn?.answers === "write_list"),
    asked: askedAfter(ledger, event),
    failures: failed
      ? {
          tries: ledger.failures.tries + 1,
          windows: ledger.failures.windows + (event.failure?.kind === "rate_limit" ? 1 : 0),
        }
      : { tries: 0, windows: 0 },
    todoLedgers: event.todo === undefined ? ledger.todoLedgers : charged(ledger.todoLedgers, event.todo, event, turn),
    spent: {
      ...withUsage(ledger.spent, usage),
      // Its time was counted on the way, waits for a person aside; logs of older versions tell all of it here.
      activeMs: ledger.spent.activeMs + Math.max(0, activeMs - (turn?.pace.countedMs ?? 0)),
    },
  };
}

/** Counters that something else set back meanwhile stay there: the human spoke, or a check passed. */
function askedAfter({ asked, turn }: Ledger, { question, asks }: Event<"turn.ended">): number {
  if (!question) return 0;
  return (turn?.progressed ? 0 : asked) + (asks?.kind === "act" ? 2 : 1);
}

function resumed({ boundary, ...ledger }: Ledger, { turn, of }: Event<"turn.resumed">, at: number): Ledger {
  const { ended } = boundary ?? {};
  if (ledger.turn || ended?.turn.id !== of) return boundary ? { ...ledger, boundary } : ledger;
  const { since, interrupt } = ledger;
  return {
    ...ledger,
    turn: { ...ended.turn, id: turn, startedAt: at, pace: newPace(at, ended.turn.pace.overdrawn) },
    since: {
      nudged: Math.min(since.nudged, ended.since.nudged),
      idle: Math.min(since.idle, ended.since.idle),
      still: Math.min(since.still, ended.since.still),
    },
    asked: Math.min(ledger.asked, ended.asked),
    todoLedgers: uncounted(ledger.todoLedgers, ended.turn),
    ...(interrupt?.turn === of && { interrupt: { turn } }),
  };
}

/** Its continuation is counted when it ends. */
function uncounted(ledgers: Ledger["todoLedgers"], { todo, cause }: Turn): Ledger["todoLedgers"] {
  const entry = todo === undefined ? undefined : ledgers[todo];
  if (todo === undefined || !entry || cause !== "nudge") return ledgers;
  return { ...ledgers, [todo]: { ...entry, continuations: Math.max(0, entry.continuations - 1) } };
}

function withUsage(spent: Ledger["spent"], usage: Usage): Ledger["spent"] {
  return {
    ...spent,
    input: spent.input + usage.input,
    output: spent.output + usage.output,
    cacheRead: spent.cacheRead + usage.cacheRead,
    cacheWrite: spent.cacheWrite + usage.cacheWrite,
    cost: spent.cost + usage.cost,
  };
}

function cut({ turn: gone, nudge, ...ledger }: Ledger, { turn, boundary }: Event<"turn.cut">, at: number): Ledger {
  return {
    ...ledger,
    woundDown: ledger.woundDown || nudge?.kind === "wind_down",
    calls: [],
    endedTurns: withNewest(ledger.endedTurns, turn),
    boundaries: ledger.boundaries + 1,
    boundary: {
      id: boundary,
      at,
      question: false,
      round: "none",
      status: "open",
      ...(gone?.braked && { braked: gone.braked }),
    },
  };
}

function charged(
  ledgers: Ledger["todoLedgers"],
  id: string,
  { usage, activeMs }: Pick<Event<"turn.ended">, "usage" | "activeMs">,
  turn: Turn | undefined,
) {
  const entry = ledgers[id];
  if (!entry) return ledgers;
  return {
    ...ledgers,
    [id]: {
      ...entry,
      tokens: entry.tokens + countedTokens(usage),
      cost: entry.cost + usage.cost,
      activeMs: entry.activeMs + activeMs,
      continuations: entry.continuations + (turn?.cause === "nudge" ? 1 : 0),
    },
  };
}

/** Only nudged turns count. A turn that made progress has set the counters to zero already. */
function counted(since: Ledger["since"], turn: Turn): Ledger["since"] {
  if (turn.progressed) return { nudged: 0, idle: 0, still: 0 };
  return {
    nudged: since.nudged + 1,
    idle: turn.acted || turn.moved ? 0 : since.idle + 1,
    still: turn.moved ? 0 : since.still + 1,
  };
}

/**
 * Activity of the running turn counts; a late echo of another turn is remembered as seen and nothing more. A run that was
 * born in the middle of a turn does not know that turn, but while there is no boundary somebody works.
 */
function active(ledger: Ledger, { turn, call, state, looked }: Event<"activity.seen">, at?: number): Ledger {
  const seen = withState(withCall(ledger.seen, call), state);
  const { turn: current } = ledger;
  if (!current) return { ...ledger, seen, activity: ledger.activity + (ledger.boundary ? 0 : 1) };
  if (turn !== undefined && turn !== current.id) return { ...ledger, seen };
  const moved = current.moved || state !== undefined;
  const isResult = call !== undefined && at !== undefined;
  const done = isResult ? resulted(current.pace, at, { call }) : current.pace;
  const pace = acted(looked ? { ...done, looked } : done, state !== undefined);
  const todoLedgers = state === undefined ? ledger.todoLedgers : workSeenIn(current.id, ledger.todoLedgers);
  const turnNow = { ...current, acted: true, moved, pace };
  return takenUp({ ...ledger, seen, activity: ledger.activity + 1, turn: turnNow, todoLedgers });
}

/** Calls of our own scheduler: each that was never seen is activity. Their results are told one by one besides. */
export function seenCalls(ledger: Ledger, digests: readonly string[]): Ledger {
  const fresh = digests.filter((digest) => !hasSeenCall(ledger.seen, digest));
  return fresh.reduce((next, call) => active(next, { type: "activity.seen", call }), ledger);
}

/** What was counted by estimate while the answer arrived gives way to what it came to. */
function answerSeen(ledger: Ledger, event: Event<"answer.seen">, at: number): Ledger {
  const { turn } = ledger;
  const { usage, estimated = false, calls, unpriced = false, todo } = event;
  const growing = turn?.id === event.turn ? turn.pace.growing : undefined;
  const spent = addEstimate(withoutEstimate(ledger.spent, growing), usage, estimated);
  const todoLedgers =
    todo === undefined ? ledger.todoLedgers : charged(ledger.todoLedgers, todo, { usage, activeMs: 0 }, undefined);
  if (turn?.id !== event.turn) return { ...ledger, spent, todoLedgers };
  if (event.cut) return { ...ledger, spent, todoLedgers, turn: { ...turn, pace: cutOff(turn.pace, at) } };
  const told = estimated ? NO_USAGE : usage;
  const looked = event.workspace !== undefined;
  const pace = answered(turn.pace, at, { looked, told, unpriced, ...(calls !== undefined && { calls }) });
  // A turn that began before there was a list pays for the first todo that it was charged to.
  const pays = turn.todo ?? todo;
  return { ...ledger, spent, todoLedgers, turn: { ...turn, pace, ...(pays !== undefined && { todo: pays }) } };
}

function answerGrowing(ledger: Ledger, { turn: id, usage }: Event<"answer.growing">, at: number): Ledger {
  const { turn } = ledger;
  if (turn?.id !== id) return ledger;
  const spent = addEstimate(withoutEstimate(ledger.spent, turn.pace.growing), usage, true);
  return { ...ledger, spent, turn: { ...turn, pace: grown(turn.pace, at, usage) } };
}

function resultSeen(ledger: Ledger, { turn: id, call, tool, state }: Event<"result.seen">, at: number): Ledger {
  const { turn } = ledger;
  if (!turn || (id !== undefined && id !== turn.id)) return ledger;
  const result = { call, ...(tool !== undefined && { tool }), ...(state !== undefined && { state }) };
  return { ...ledger, turn: { ...turn, pace: resulted(turn.pace, at, result) } };
}

function addEstimate(spent: Ledger["spent"], usage: Usage, estimated: boolean): Ledger["spent"] {
  return { ...withUsage(spent, usage), estimated: spent.estimated + (estimated ? countedTokens(usage) : 0) };
}

function withoutEstimate(spent: Ledger["spent"], growing: Usage | undefined): Ledger["spent"] {
  if (!growing) return spent;
  return { ...spent, ...beyond(spent, growing), estimated: Math.max(0, spent.estimated - countedTokens(growing)) };
}

const brakedBy = ({ reason, detail, how }: Event<"turn.braked">, at: number): Braked => ({
  reason,
  how,
  at,
  ...(detail !== undefined && { detail }),
});

function decided(ledger: Ledger, { boundary, decision }: Event<"decision.made">, at: number): Ledger {
  return {
    ...atBoundary(ledger, boundary, { ...settlement(decision, at), forHuman: false, undecided: false }),
    decision,
  };
}

function settlement(decision: Decision, at: number): Partial<Boundary> {
  switch (decision.type) {
    case "stop":
      return { status: "stopped", until: undefined };
    case "wait":
      return { status: "waiting", until: decision.until };
    case "continue":
      return { status: "countdown", until: at + decision.after };
  }
}

/** The turn never began: the boundary is open again, and the next try waits like after an overloaded provider. */
function nudgeFailed(ledger: Ledger, id: string, message: string, at: number): Ledger {
  if (ledger.nudge?.id !== id) return ledger;
  const { nudge, ...rest } = ledger;
  const failures = { ...ledger.failures, tries: ledger.failures.tries + 1 };
  return atBoundary({ ...rest, failures }, nudge.boundary, {
    status: "open",
    at,
    failure: { kind: "overload", message },
  });
}

function atBoundary(ledger: Ledger, id: string, change: Partial<Boundary>): Ledger {
  if (ledger.boundary?.id !== id) return ledger;
  return { ...ledger, boundary: { ...ledger.boundary, ...change } };
}

function withNewest(turns: readonly string[], turn: string): readonly string[] {
  return turns.includes(turn) ? turns : [...turns.slice(1 - REMEMBERED_TURNS), turn];
}
