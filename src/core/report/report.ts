import { cutCallText } from "../call/index.ts";
import { changesIn, followWork, type TodoChanges } from "../checkpoint/index.ts";
import { doubtsOf } from "../continuation/index.ts";
import {
  type Actor,
  type BudgetUse,
  type Decision,
  decisionText,
  type Envelope,
  eventText,
  evolve,
  isMidWork,
  type Run,
  type Spent,
  UNBORN,
} from "../run/index.ts";
import type { Proof, TodoStatus } from "../todo/index.ts";
import { type CheckView, checkView, type Standing, type ViewTodo, viewOf } from "../view/index.ts";
import { collectApprovals, type ReportedApproval } from "./approvals.ts";
import type { LogState } from "./log-state.ts";
import { newest } from "./newest.ts";
import { collectOutputs } from "./outputs.ts";
import {
  type RefusedAttempt,
  type RemovedTodo,
  type ReportedWord,
  refusedAttempt,
  removedByYou,
  wordNotAtTerminal,
} from "./said.ts";
import { collectSpend, type SpendPoint } from "./spend.ts";
import { collectTimeline, type Timeline } from "./timeline.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

/** The outcome of a run, as data: every form of the report is drawn from this and from nothing else. */
export interface Report {
  readonly run: string;
  readonly goal?: string;
  readonly host: string;
  readonly session: string;
  readonly cwd: string;
  readonly began: number;
  readonly until: number;
  readonly status: Run["status"];
  readonly verdict: Verdict;
  readonly done: number;
  readonly total: number;
  readonly proven: number;
  /** How many items stand in which way. */
  readonly standings: Readonly<Partial<Record<Standing, number>>>;
  readonly todos: readonly ReportedTodo[];
  /** What the agent left out of a list it wrote anew. */
  readonly dropped: readonly string[];
  readonly checks: readonly CheckView[];
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
  /** What the agent tried in your name, and was refused. */
  readonly refused: readonly RefusedAttempt[];
  /** Every call that asked first, with all of what was shown. */
  readonly approvals: readonly ReportedApproval[];
  readonly accepted: boolean;
  /** What it was before you accepted it, where that changed the verdict. */
  readonly judgedBefore?: string;
  readonly decisions: readonly ReportedDecision[];
  readonly spent: Spent & { readonly tokens: number };
  /** Tokens and cost over time, the oldest first. */
  readonly spend: readonly SpendPoint[];
  /** The end of what each check printed last, by its key. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly budget: readonly BudgetUse[];
  readonly nudges: number;
  readonly errors: number;
  readonly events: readonly { readonly at: number; readonly by: Actor; readonly type: string; readonly text: string }[];
  /** How many of each are left out because they are older, so that a long log makes a page that can be read. */
  readonly leftOut: Readonly<Record<LeftOut, number>>;
  readonly timeline: Timeline;
  /** Rows that are no events, or not of this version. */
  readonly unread: number;
  /** Absent: not looked at. */
  readonly log?: LogState;
}

export interface ReportedTodo {
  readonly index: number;
  readonly text: string;
  readonly status: TodoStatus;
  readonly standing: Standing;
  readonly proof: Proof;
  readonly glyph: string;
  readonly reason?: string;
  readonly checks: readonly CheckView[];
  readonly tokens: number;
  readonly cost: number;
  readonly activeMs: number;
  readonly continuations: number;
  /** Absent: it changed no files, or nothing recorded it. */
  readonly changes?: TodoChanges;
}

export interface ReportedDecision {
  readonly at: number;
  readonly boundary: string;
  readonly type: Decision["type"];
  readonly reason: string;
  readonly rule: string;
  readonly says: string;
}

export type LeftOut = "events" | "decisions" | "approvals" | "cutOff" | "removed" | "notAtTerminal" | "refused";

/** So many of the newest a section shows; each has its own, so that much of one kind pushes out nothing of another. */
const MOST = 2000;

export interface ReportedLog {
  /** Absent: the seals were not looked at. */
  readonly log?: LogState;
  /** Asked for when all of it was read. */
  readonly unread: () => number;
  /** The process that worked on it is known to be dead. */
  readonly isGone?: boolean;
}

/** A report that grows with its log, in one pass and with bounded memory: a screen that shows a working run reads each event once. */
export interface Reporter {
  readonly add: (envelope: Envelope) => void;
  readonly report: (about?: ReportedLog) => Report;
}

export function followReport(): Reporter {
  const retold = createRetold();
  return { add: retold.add, report: (about) => drawn(retold.told(), about) };
}

function drawn({ run, texts, until, nudges, sections, timeline, verdicts }: Retold, about?: ReportedLog): Report {
  const { ledger, plan } = run;
  const view = viewOf(run, { now: until, ...about });
  const { done, total, proven } = view.count;
  const gone = ledger.abandoned.filter((id) => !plan.todos.some((todo) => todo.id === id));
  const changes = changesIn(sections.work.work());
  return {
    run: view.run,
    goal: view.goal,
    host: view.host,
    session: view.session,
    cwd: view.cwd,
    began: view.began,
    until,
    status: view.status,
    verdict: about?.isGone && isMidWork(run) && !ledger.left ? CUT_OFF : verdictOf(run),
    done,
    total,
    proven,
    standings: countBy(view.todos.map(({ standing }) => standing)),
    todos: view.todos.map((todo) => reportedTodo(run, todo, changes.get(todo.id))),
    dropped: gone.map((id) => texts.get(id) ?? id),
    checks: view.checks,
    requirements: ledger.requirements.map(({ id, text }) => ({
      id,
      text,
      coveredBy: view.todos.flatMap(({ index, status, covers }) =>
        status !== "abandoned" && covers.includes(id) ? [index] : [],
      ),
    })),
    doubts: doubtsOf(run),
    cutOff: sections.cutOff.all(),
    removed: sections.removed.all(),
    notAtTerminal: sections.notAtTerminal.all(),
    refused: sections.refused.all(),
    approvals: sections.approvals.all(),
    accepted: ledger.accepted,
    ...verdicts.judgedBefore(),
    decisions: sections.decisions.all(),
    spent: view.spent,
    spend: sections.spend.all(),
    outputs: sections.outputs.all(),
    budget: view.budgets,
    nudges,
    errors: ledger.errors,
    events: sections.events.all(),
    leftOut: {
      events: sections.events.leftOut(),
      decisions: sections.decisions.leftOut(),
      approvals: sections.approvals.leftOut(),
      cutOff: sections.cutOff.leftOut(),
      removed: sections.removed.leftOut(),
      notAtTerminal: sections.notAtTerminal.leftOut(),
      refused: sections.refused.leftOut(),
    },
    unread: about?.unread() ?? 0,
    timeline: timeline.drawn(ledger.began, until),
    ...(about?.log && { log: about.log }),
  };
}

type Retold = ReturnType<ReturnType<typeof createRetold>["told"]>;

/** What sections are drawn from, told with the run as it was then; and the words of every item that ever stood on the list. */
function createRetold() {
  const texts = new Map<string, string>();
  const sections = {
    events: newest<Report["events"][number]>(MOST),
    decisions: newest<ReportedDecision>(MOST),
    approvals: collectApprovals(),
    cutOff: newest<string>(MOST),
    removed: newest<RemovedTodo>(MOST),
    notAtTerminal: newest<ReportedWord>(MOST),
    refused: newest<RefusedAttempt>(MOST),
    spend: collectSpend(),
    outputs: collectOutputs(),
    work: followWork(),
  };
  const timeline = collectTimeline();
  const verdicts = followVerdicts();
  let run: Run = UNBORN;
  let until: number | undefined;
  let nudges = 0;
  return {
    add(envelope: Envelope): void {
      const before = run.plan.todos;
      sections.removed.add(...removedByYou(envelope, run));
      run = evolve(run, envelope);
      if (run.plan.todos !== before) for (const { id, text } of run.plan.todos) texts.set(id, text);
      const { at, by, event } = envelope;
      until = at;
      if (event.type === "nudge.delivered") nudges++;
      if (event.type === "call.cut") sections.cutOff.add(cutCallText(event));
      sections.decisions.add(...decided(envelope));
      sections.approvals.add(envelope);
      sections.spend.add(at, run);
      sections.outputs.add(envelope);
      sections.work.read(envelope);
      timeline.add(envelope);
      verdicts.add(event);
      const text = eventText(event, run);
      sections.notAtTerminal.add(...wordNotAtTerminal(envelope, text));
      sections.refused.add(...refusedAttempt(envelope));
      sections.events.add({ at, by, type: event.type, text });
    },
    told: () => ({ run, texts, until: until ?? run.ledger.began, nudges, sections, timeline, verdicts }),
  };
}

const CUT_OFF: Verdict = { reason: "cut off", says: "Its process ended in the middle of the work." };

function reportedTodo(run: Run, todo: ViewTodo, changes: TodoChanges | undefined): ReportedTodo {
  const { index, text, status, standing, proof, glyph, reason } = todo;
  const { tokens = 0, cost = 0, activeMs = 0, continuations = 0 } = run.ledger.todoLedgers[todo.id] ?? {};
  return {
    index,
    text,
    status,
    standing,
    proof,
    glyph,
    reason,
    checks: todo.checks.map((check) => checkView(run, todo.id, check)),
    tokens,
    cost,
    activeMs,
    continuations,
    ...(changes && { changes }),
  };
}

/** The verdict before the last acceptance, if another one followed. */
function followVerdicts() {
  let last: string | undefined;
  let before: string | undefined;
  let after: string | undefined;
  return {
    add(event: Envelope["event"]): void {
      if (event.type === "human.accepted" || event.type === "run.reopened") [before, after] = [last, undefined];
      if (event.type !== "decision.made" || event.decision.type !== "stop") return;
      last = event.decision.reason;
      after ??= last;
    },
    judgedBefore: (): Pick<Report, "judgedBefore"> =>
      before !== undefined && after !== undefined && before !== after ? { judgedBefore: before } : {},
  };
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
