import {
  type BudgetUse,
  budgetUse,
  checkKey,
  commandLine,
  countedTokens,
  type Decision,
  doubtsOf,
  isFresh,
  mayRun,
  STOP,
  type StopReason,
} from "../continuation/index.ts";
import { countProof, proofOf, type Standing, standingOf } from "../proof/index.ts";
import { type Actor, type Envelope, EVENTS, evolve, type Receipt, type Run, type Spent, UNBORN } from "../run/index.ts";
import { redact } from "../secret/index.ts";
import type { Check, Proof, Todo, TodoStatus } from "../todo/index.ts";
import { cutCallText, decisionText, eventText } from "../words/index.ts";
import { approvalsOf, type ReportedApproval } from "./approvals.ts";
import type { LogState } from "./log-state.ts";
import { type RemovedTodo, type ReportedWord, removedByYou, wordNotAtTerminal } from "./said.ts";
import { spansOf, type Timeline } from "./timeline.ts";

/** What came of a run, as data: every form of the report is drawn from this and from nothing else. */
export interface Report {
  readonly run: string;
  readonly goal?: string;
  readonly host: string;
  readonly session: string;
  readonly cwd: string;
  readonly began: number;
  readonly until: number;
  readonly status: Run["status"];
  readonly verdict: { readonly reason: string; readonly says: string; readonly exit?: number };
  readonly done: number;
  readonly total: number;
  readonly proven: number;
  /** How many items stand in which way. */
  readonly standings: Readonly<Partial<Record<Standing, number>>>;
  readonly todos: readonly ReportedTodo[];
  /** What the agent left out of a list it wrote anew. */
  readonly dropped: readonly string[];
  readonly checks: readonly ReportedCheck[];
  readonly requirements: readonly {
    readonly id: string;
    readonly text: string;
    readonly coveredBy: readonly number[];
  }[];
  readonly doubts: readonly string[];
  /** Calls that a process took with it when it died, and what is known of them. */
  readonly cutOff: readonly string[];
  /** What you took off the list. */
  readonly removed: readonly RemovedTodo[];
  /** Words of yours that were not said at a terminal, or that may have come from the agent. */
  readonly notAtTerminal: readonly ReportedWord[];
  /** Every call that asked first, with all of what was shown. */
  readonly approvals: readonly ReportedApproval[];
  readonly accepted: boolean;
  /** What it was before you accepted it, where that changed the verdict. */
  readonly judgedBefore?: string;
  readonly decisions: readonly ReportedDecision[];
  readonly decisionsLeftOut: number;
  readonly spent: Spent & { readonly tokens: number };
  readonly budget: readonly BudgetUse[];
  readonly nudges: number;
  readonly errors: number;
  readonly events: readonly { readonly at: number; readonly by: Actor; readonly type: string; readonly text: string }[];
  /** Events at the beginning that are left out, so that a long log makes a page that can be read. */
  readonly eventsLeftOut: number;
  readonly timeline: Timeline;
  /** Rows that are no events, or not of this version. */
  readonly unread: number;
  /** Absent where nobody looked. */
  readonly log?: LogState;
}

export interface ReportedTodo {
  readonly index: number;
  readonly text: string;
  readonly status: TodoStatus;
  readonly standing: Standing;
  readonly proof: Proof;
  readonly reason?: string;
  readonly checks: readonly ReportedCheck[];
  readonly tokens: number;
  readonly cost: number;
  readonly activeMs: number;
  readonly continuations: number;
}

export interface ReportedCheck {
  readonly command: string;
  readonly by: Check["by"];
  readonly mayRun: boolean;
  /** `not run`: there is no receipt. */
  readonly result: Receipt["status"] | "not run";
  readonly exit?: number;
  readonly durationMs: number;
  /** It passed, but not on the files as they are now. */
  readonly stale: boolean;
  readonly suspect: boolean;
  readonly doubt?: string;
  readonly beside?: readonly string[];
}

export interface ReportedDecision {
  readonly at: number;
  readonly boundary: string;
  readonly type: Decision["type"];
  readonly reason: string;
  readonly rule: string;
  readonly says: string;
}

const MOST_EVENTS = 2000;
/** Of what a section or the timeline is drawn from; more would make a page that nobody can read. */
const MOST_KEPT = 20_000;

export interface ReportedLog {
  readonly log: LogState;
  /** Asked for when all of it was read. */
  readonly unread: () => number;
}

/** In one pass and with bounded memory, however long the log is. */
export function reportOf(envelopes: Iterable<Envelope>, about?: ReportedLog): Report {
  const { run, told, texts, kept, until, counts, removed, notAtTerminal } = retold(envelopes);
  const { ledger, plan, origin } = run;
  const todos = plan.todos.map((todo, index) => reportedTodo(run, todo, index));
  const { done, total, proven } = countProof(run);
  const decisions = kept.flatMap(decided).slice(-MOST_EVENTS);
  const gone = ledger.abandoned.filter((id) => !plan.todos.some((todo) => todo.id === id));
  return {
    run: run.id,
    ...(run.goal !== undefined && { goal: run.goal }),
    host: origin.host,
    session: origin.session,
    cwd: origin.cwd,
    began: ledger.began,
    until,
    status: run.status,
    verdict: verdictOf(run),
    done,
    total,
    proven,
    standings: countBy(todos.map(({ standing }) => standing)),
    todos,
    dropped: gone.map((id) => texts.get(id) ?? id),
    checks: ledger.checks.map((check) => reportedCheck(run, "run", check)),
    requirements: ledger.requirements.map(({ id, text }) => ({
      id,
      text,
      coveredBy: todos.flatMap(({ index, status }) =>
        status !== "abandoned" && plan.todos[index]!.covers.includes(id) ? [index] : [],
      ),
    })),
    doubts: doubtsOf(run),
    cutOff: kept.flatMap(({ event }) => (event.type === "call.cut" ? [cutCallText(event)] : [])),
    removed,
    notAtTerminal,
    approvals: approvalsOf(kept),
    accepted: ledger.accepted,
    ...judgedBefore(kept),
    decisions,
    decisionsLeftOut: counts.decisions - decisions.length,
    spent: { ...ledger.spent, tokens: countedTokens(ledger.spent) },
    budget: budgetUse(ledger),
    nudges: counts.nudges,
    errors: ledger.errors,
    events: told,
    eventsLeftOut: counts.events - told.length,
    unread: about?.unread() ?? 0,
    timeline: spansOf(kept, { from: ledger.began, to: until }),
    ...(about && { log: about.log }),
  };
}

/**
 * The newest events in words, told with the run as it was then; the words of every item that ever stood on the list; and those
 * events that sections are drawn from, the newest of them.
 */
function retold(envelopes: Iterable<Envelope>) {
  const texts = new Map<string, string>();
  const removed: RemovedTodo[] = [];
  const notAtTerminal: ReportedWord[] = [];
  const told = newest<Report["events"][number]>(MOST_EVENTS);
  const kept = newest<Envelope>(MOST_KEPT);
  const counts = { events: 0, decisions: 0, nudges: 0 };
  let run: Run = UNBORN;
  let until: number | undefined;
  for (const envelope of envelopes) {
    const before = run.plan.todos;
    removed.push(...removedByYou(envelope, run));
    run = evolve(run, envelope);
    if (run.plan.todos !== before) for (const { id, text } of run.plan.todos) texts.set(id, text);
    const { at, by, event } = envelope;
    until = at;
    counts.events++;
    if (event.type === "decision.made") counts.decisions++;
    if (event.type === "nudge.delivered") counts.nudges++;
    if (isKept(event.type)) kept.add(envelope);
    const text = eventText(event, run);
    notAtTerminal.push(...wordNotAtTerminal(envelope, text));
    told.add({ at, by, type: event.type, text });
  }
  const end = until ?? run.ledger.began;
  return { run, told: told.all(), texts, kept: kept.all(), until: end, counts, removed, notAtTerminal };
}

/** What `decisions`, `approvals`, `cutOff`, `judgedBefore` and the timeline look at. */
const isKept = (type: string): boolean =>
  KEPT.has(type.slice(0, type.indexOf("."))) || type === "call.cut" || type === "decision.made";
const KEPT: ReadonlySet<string> = new Set(["turn", "round", "human", "approval", "run"]);

/** The last so many of what is added. */
function newest<T>(most: number) {
  let items: T[] = [];
  return {
    add: (item: T): void => {
      items.push(item);
      if (items.length >= 2 * most) items = items.slice(-most);
    },
    all: (): readonly T[] => items.slice(-most),
  };
}

function verdictOf({ ledger }: Run): Report["verdict"] {
  const { decision, endReason, left } = ledger;
  if (left && endReason === undefined) return { reason: "left", says: EVENTS["host.left"] };
  if (decision?.type === "stop")
    return { reason: decision.reason, says: decisionText(decision), exit: STOP[decision.reason].exit };
  if (endReason !== undefined) {
    const known = STOP[endReason as StopReason] as (typeof STOP)[StopReason] | undefined;
    return { reason: endReason, says: known?.says ?? `The run was ${endReason}.`, ...(known && { exit: known.exit }) };
  }
  if (decision?.type === "wait") return { reason: decision.reason, says: decisionText(decision) };
  return { reason: "working", says: "The agent is working." };
}

function reportedTodo(run: Run, todo: Todo, index: number): ReportedTodo {
  const entry = run.ledger.todoLedgers[todo.id];
  return {
    index,
    text: todo.text,
    status: todo.status,
    standing: standingOf(run, todo),
    proof: proofOf(run, todo),
    ...(todo.reason !== undefined && { reason: todo.reason }),
    checks: todo.checks.map((check) => reportedCheck(run, todo.id, check)),
    tokens: entry?.tokens ?? 0,
    cost: entry?.cost ?? 0,
    activeMs: entry?.activeMs ?? 0,
    continuations: entry?.continuations ?? 0,
  };
}

function reportedCheck(run: Run, owner: string, check: Check): ReportedCheck {
  const receipt = run.ledger.receipts[checkKey(owner, check)];
  const passed = receipt?.status === "passed" || receipt?.status === "observed";
  return {
    command: redact(commandLine(check)),
    by: check.by,
    mayRun: mayRun(check),
    result: receipt?.status ?? "not run",
    ...(receipt?.exit !== undefined && { exit: receipt.exit }),
    durationMs: receipt?.durationMs ?? 0,
    stale: passed && !isFresh(run, receipt),
    suspect: receipt?.suspect ?? false,
    ...(receipt?.doubt !== undefined && { doubt: receipt.doubt }),
    ...(receipt?.beside && { beside: receipt.beside }),
  };
}

/** The verdict before the last acceptance, if another one followed. */
function judgedBefore(envelopes: readonly Envelope[]): Pick<Report, "judgedBefore"> {
  const isStop = ({ event }: Envelope) => event.type === "decision.made" && event.decision.type === "stop";
  const at = envelopes.findLastIndex(({ event }) => event.type === "human.accepted" || event.type === "run.reopened");
  const before = envelopes.slice(0, Math.max(0, at)).findLast(isStop)?.event;
  const after = envelopes.slice(at + 1).find(isStop)?.event;
  if (before?.type !== "decision.made" || before.decision.type !== "stop" || after?.type !== "decision.made") return {};
  const { reason } = before.decision;
  return after.decision.type === "stop" && after.decision.reason !== reason ? { judgedBefore: reason } : {};
}

function decided({ at, event }: Envelope): readonly ReportedDecision[] {
  if (event.type !== "decision.made") return [];
  const { boundary, decision } = event;
  const { type, rule } = decision;
  const reason = decision.type === "continue" ? decision.kind : decision.reason;
  return [{ at, boundary, type, reason, rule, says: decisionText(decision) }];
}

function countBy(standings: readonly Standing[]): Report["standings"] {
  const counts: Partial<Record<Standing, number>> = {};
  for (const standing of standings) counts[standing] = (counts[standing] ?? 0) + 1;
  return counts;
}
