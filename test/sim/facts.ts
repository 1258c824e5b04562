import type { Budget, Decision, Limits } from "../../src/core/continuation/index.ts";
import type { Envelope, Failure, Receipt, RunEvent } from "../../src/core/run/index.ts";
import type { Todo } from "../../src/core/todo/index.ts";

/**
 * What the log says, read a second time and on its own: this fold shares no code with the one that decides, so that
 * a mistake there does not hide itself here. It keeps only what the invariants ask for.
 */
export class Facts {
  readonly limits: Limits;
  run = "";
  began = false;
  ended: string | undefined;
  host = "";
  session = "";
  /** Something happened in the session that the run lives in now. */
  hasStirred = false;
  driver = "";
  epoch = 0;
  seesCalls = false;
  goal = false;

  off = false;
  held = false;
  /** Interrupted, and nothing at all happened that could satisfy rule 3. */
  interrupted: { turn?: string } | undefined;
  /** Interrupted, and rule 3 is not clearly satisfied. The gap between the two is left to judgement. */
  maybeInterrupted: { turn?: string } | undefined;
  readonly words = new Map<string, "steer" | "follow-up">();
  readonly wordsDelivered = new Set<string>();
  readonly questions = new Set<string>();
  readonly approvals = new Set<string>();
  recoveringUntil = 0;
  compactingUntil = 0;
  background = { busy: false, until: 0 };
  round: { id: string; until: number } | undefined;
  readOnly = false;

  turn: TurnFacts | undefined;
  boundary: BoundaryFacts | undefined;
  readonly turnsSeen = new Set<string>();
  readonly turnsEnded = new Set<string>();
  lastNudgeAt: number | undefined;
  /** The nudge that was meant to go out, neither failed nor withdrawn nor taken up; it may outlive its boundary. */
  nudge: { readonly id: string; readonly kind: string } | undefined;
  idle = 0;
  still = 0;
  nudged = 0;
  plainQuestions = 0;
  /** Failed turns and failed nudges in a row. */
  failures = 0;
  listAsked = false;
  woundDown = false;
  budget: Budget = {};
  spent = { tokens: 0, cost: 0, activeMs: 0, continuations: 0 };

  todos: readonly Todo[] = [];
  workflowActive = false;
  hadWorkflow = false;
  workflowGivenUp = false;
  requirements: readonly string[] = [];
  checks: readonly string[] = [];
  workspace: string | undefined;
  activity = 0;
  accepted = false;
  readonly receipts = new Map<string, Receipt>();
  readonly abandonedByModel = new Set<string>();
  readonly completedByHuman = new Set<string>();
  readonly writtenAt = new Map<string, number>();

  private readonly completedOnce = new Set<string>();
  private readonly passedOnce = new Set<string>();
  private readonly placesEntered = new Set<string>();
  private readonly firstList = new Set<string>();
  private lateProgress = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  take({ event, by, at }: Envelope): void {
    this.hasStirred ||= by === "host" || by === "model";
    this.takeLife(event);
    this.takeHuman(event, by);
    this.takeTurn(event, at);
    this.takeHost(event);
    this.takePlan(event, by);
    this.takeProof(event);
  }

  private takeLife(event: RunEvent): void {
    switch (event.type) {
      case "run.began":
        this.began = true;
        this.run = event.run;
        this.host = event.origin.host;
        this.session = event.origin.session;
        this.goal = event.goal !== undefined;
        this.budget = event.budget;
        this.checks = event.checks.map(({ run }) => lineOf(run));
        this.requirements = event.requirements.map(({ id }) => id);
        this.seesCalls = event.seesCalls;
        this.workspace = event.workspace;
        return;
      case "run.bound":
        this.host = event.host;
        this.session = event.session;
        this.hasStirred = false;
        return;
      case "run.claimed":
        this.driver = event.driver;
        this.epoch = event.epoch;
        return;
      case "run.ended":
        this.ended = event.reason;
    }
  }

  private takeHuman(event: RunEvent, by: string): void {
    if (by === "human" && this.boundary) this.boundary.parkedForHuman = false;
    switch (event.type) {
      case "human.held":
        this.held = true;
        return;
      case "human.unheld":
        this.held = false;
        this.interrupted = undefined;
        this.maybeInterrupted = undefined;
        this.failures = 0;
        if (this.boundary) this.boundary.failure = undefined;
        return;
      case "human.interrupted":
        this.interrupted = {};
        this.maybeInterrupted = {};
        return;
      case "human.accepted":
        this.accepted = true;
        return;
      case "human.spoke":
        this.boundary = undefined;
        this.resetCounters();
        this.plainQuestions = 0;
        this.failures = 0;
        this.listAsked = false;
        this.lateProgress = 0;
        return;
      case "continuation.switched":
        this.off = !event.on;
        return;
      case "budget.extended": {
        const names = (Object.keys(event.budget) as (keyof Budget)[]).filter((name) => name in this.budget);
        const more = names.map((name) => [name, (this.budget[name] ?? 0) + (event.budget[name] ?? 0)] as const);
        this.budget = { ...this.budget, ...Object.fromEntries(more) };
        this.woundDown = false;
        this.resetCounters();
        return;
      }
      case "words.queued":
        this.words.set(event.words.id, event.words.kind);
        return;
      case "words.removed":
        this.words.delete(event.id);
        return;
      case "words.delivered":
        for (const id of event.ids) {
          this.words.delete(id);
          this.wordsDelivered.add(id);
        }
    }
  }

  private takeTurn(event: RunEvent, at: number): void {
    switch (event.type) {
      case "turn.started":
        this.boundary = undefined;
        this.turn = { id: event.turn, cause: event.cause, acted: false, moved: false, progressed: false };
        if (event.cause === "human") {
          if (this.interrupted) this.interrupted = { turn: event.turn };
          if (this.maybeInterrupted) this.maybeInterrupted = { turn: event.turn };
        }
        this.turnsSeen.add(event.turn);
        if (event.cause === "nudge") this.spent.continuations++;
        // Taken up by this turn, or overtaken by it and still on its way.
        this.woundDown ||= this.nudge?.kind === "wind_down";
        this.listAsked ||= this.nudge?.kind === "write_list";
        this.nudge = undefined;
        return;
      case "turn.ended":
        this.countTurn(event.outcome === "failed");
        this.spent.tokens += event.usage.input + event.usage.output + event.usage.cacheWrite;
        this.spent.cost += event.usage.cost;
        this.spent.activeMs += event.activeMs;
        this.workspace = event.workspace ?? this.workspace;
        this.plainQuestions = event.question ? this.plainQuestions + 1 : 0;
        this.turnsEnded.add(event.turn);
        this.failures = event.outcome === "failed" ? this.failures + 1 : 0;
        this.turn = undefined;
        this.boundary = newBoundary(event.boundary, event.failure?.kind);
        return;
      case "usage.spent":
        this.spent.tokens += event.usage.input + event.usage.output + event.usage.cacheWrite;
        this.spent.cost += event.usage.cost;
        return;
      case "turn.cut":
        this.woundDown ||= this.nudge?.kind === "wind_down";
        this.nudge = undefined;
        this.turn = undefined;
        this.boundary = newBoundary(event.boundary, undefined);
        return;
      case "workspace.observed":
        this.workspace = event.workspace;
        return;
      case "activity.seen":
        // A run that was born in the middle of a turn does not know that turn; until a boundary it is somebody's work.
        if (!this.turn && !this.boundary) this.activity++;
        if (!this.turn || (event.turn !== undefined && event.turn !== this.turn.id)) return;
        this.activity++;
        this.turn.acted = true;
        if (event.state !== undefined) this.turn.moved = true;
        this.takenUp("clearly");
        return;
      case "decision.made":
        if (!this.boundary || this.boundary.id !== event.boundary) return;
        this.boundary.decision = event.decision;
        this.boundary.decidedAt = at;
        this.boundary.status = "decided";
        return;
      case "wait.parked":
        if (!this.boundary || this.boundary.id !== event.boundary) return;
        this.boundary.status = "parked";
        this.boundary.waker = event.waker;
        this.boundary.parkedForHuman = event.waker.startsWith("the human");
        return;
      case "nudge.intended":
        this.lastNudgeAt = at;
        this.nudge = { id: event.nudge, kind: event.kind };
        if (!this.boundary || this.boundary.id !== event.boundary) return;
        this.boundary.status = "nudged";
        return;
      case "nudge.failed":
      case "nudge.withdrawn":
        if (this.nudge?.id !== event.nudge) return;
        this.nudge = undefined;
        if (this.boundary?.status !== "nudged") return;
        this.boundary.status = "open";
        if (event.type === "nudge.withdrawn") return;
        this.boundary.failure = "overload";
        this.failures++;
    }
  }

  private takeHost(event: RunEvent): void {
    switch (event.type) {
      case "question.opened":
        this.questions.add(event.id);
        return;
      case "question.closed":
        this.questions.delete(event.id);
        return;
      case "approval.requested":
        this.approvals.add(event.approval.call);
        return;
      case "approval.answered":
      case "call.settled":
        this.approvals.delete(event.call);
        return;
      case "recovery.began":
        this.recoveringUntil = event.until;
        return;
      case "recovery.ended":
        this.recoveringUntil = 0;
        return;
      case "compaction.began":
        this.compactingUntil = event.until;
        return;
      case "compaction.ended":
        this.compactingUntil = 0;
        return;
      case "background.changed":
        this.background = { busy: event.agents + event.awaited > 0, until: event.until };
        return;
      case "mode.changed":
        this.readOnly = event.readOnly;
    }
  }

  private takePlan(event: RunEvent, by: string): void {
    const isList = event.type.startsWith("todo");
    if (isList || event.type.startsWith("phase.") || event.type.startsWith("workflow."))
      this.takenUp(isList && by === "model" ? "clearly" : "perhaps");
    switch (event.type) {
      case "plan.rebased":
        this.todos = event.plan.todos;
        this.workflowActive = event.plan.workflow?.status === "active";
        this.hadWorkflow = event.plan.workflow !== undefined;
        // Where the human went back to before a phase, entering it again is progress again.
        this.placesEntered.clear();
        for (const place of event.plan.workflow?.visited ?? []) this.placesEntered.add(place);
        return;
      case "todos.written": {
        const known = new Map([...this.todos, ...event.items].map((todo) => [todo.id, todo]));
        for (const { id } of event.items) if (!this.writtenAt.has(id)) this.writtenAt.set(id, this.activity);
        if (this.firstList.size === 0) for (const id of event.order) this.firstList.add(id);
        this.todos = event.order.flatMap((id) => known.get(id) ?? []);
        if (by === "model") this.abandon(event.dropped);
        return;
      }
      case "todo.started":
        this.change(event.ids, { status: "in_progress" });
        return;
      case "todo.completed":
        for (const id of event.ids) this.complete(id, by);
        return;
      case "todo.abandoned":
        this.change(event.ids, { status: "abandoned" });
        if (by === "model" || by === "subagent") this.abandon(event.ids);
        return;
      case "todo.blocked":
        this.change(event.ids, { status: "blocked" });
        return;
      case "todo.reopened":
        this.change(event.ids, { status: event.to });
        for (const id of event.ids) {
          this.abandonedByModel.delete(id);
          this.completedByHuman.delete(id);
        }
        return;
      case "todo.released":
        this.change(event.ids, { askFirst: false });
        return;
      case "todo.moved": {
        const moved = this.todos.find(({ id }) => id === event.id);
        if (moved) this.todos = this.todos.filter(({ id }) => id !== event.id).toSpliced(event.to, 0, moved);
        return;
      }
      case "todo.removed":
        this.todos = this.todos
          .filter(({ id }) => !event.ids.includes(id))
          .map((todo) => ({ ...todo, needs: todo.needs.filter((id) => !event.ids.includes(id)) }));
        for (const id of event.ids) this.abandonedByModel.delete(id);
        return;
      case "workflow.started":
      case "phase.entered":
      case "workflow.looped": {
        this.workflowActive = true;
        if (event.type === "workflow.started") this.workflowGivenUp = false;
        this.hadWorkflow = true;
        const place = event.path.map(({ workflowKey, phaseIndex }) => `${workflowKey}:${phaseIndex}`).join(">");
        if (event.type === "workflow.started") this.placesEntered.clear();
        if (!this.placesEntered.has(place)) this.progress(by === "model" ? "clearly" : "perhaps");
        this.placesEntered.add(place);
        return;
      }
      case "workflow.finished":
      case "workflow.cancelled":
        this.workflowActive = false;
        this.workflowGivenUp = event.type === "workflow.cancelled" && by !== "human";
        if (this.workflowGivenUp) this.accepted = false;
    }
  }

  private takeProof(event: RunEvent): void {
    if (event.type === "round.began") {
      this.round = { id: event.round, until: event.until };
      return;
    }
    if (event.type === "check.observed")
      this.receipts.set(`${event.receipt.owner} ${event.receipt.command}`, event.receipt);
    if (event.type !== "round.ended" || this.round?.id !== event.round) return;
    if (this.boundary && !this.turn)
      for (const { durationMs } of event.receipts) this.spent.activeMs += Math.max(0, durationMs);
    this.round = undefined;
    if (this.boundary && event.cut === undefined) this.boundary.checked = true;
    for (const receipt of event.receipts) {
      const before = this.receipts.get(`${receipt.owner} ${receipt.command}`);
      this.receipts.set(`${receipt.owner} ${receipt.command}`, receipt);
      this.workspace = receipt.workspace ?? this.workspace;
      if (receipt.suspect && !(before?.suspect && before.doubt === receipt.doubt)) this.accepted = false;
      if (receipt.status !== "passed" || this.passedOnce.has(receipt.key)) continue;
      this.passedOnce.add(receipt.key);
      this.progress("perhaps");
    }
  }

  private countTurn(failed: boolean): void {
    if (failed || this.turn?.cause !== "nudge") return;
    if (this.turn.progressed) {
      this.resetCounters();
      return;
    }
    this.nudged++;
    this.idle = this.turn.acted ? 0 : this.idle + 1;
    this.still = this.turn.moved ? 0 : this.still + 1;
  }

  private complete(id: string, by: string): void {
    const todo = this.todos.find((candidate) => candidate.id === id);
    if (!todo || todo.status === "completed" || todo.status === "abandoned") return;
    this.change([id], { status: "completed" });
    if (by === "human") this.completedByHuman.add(id);
    else {
      this.completedByHuman.delete(id);
      this.accepted = false; // what was accepted is what there was
    }
    if (this.completedOnce.has(id)) return;
    this.completedOnce.add(id);
    if (todo.by !== "model" || this.firstList.has(id)) this.progress("perhaps");
    else if (this.lateProgress++ < LATE_PROGRESS) this.progress("perhaps");
  }

  private abandon(ids: readonly string[]): void {
    for (const id of ids) this.abandonedByModel.add(id);
    if (ids.length > 0) this.accepted = false;
  }

  private change(ids: readonly string[], to: Partial<Todo>): void {
    this.todos = this.todos.map((todo) => (ids.includes(todo.id) ? { ...todo, ...to } : todo));
  }

  private progress(how: "clearly" | "perhaps"): void {
    this.resetCounters();
    if (this.turn) this.turn.progressed = true;
    this.takenUp(how);
  }

  private resetCounters(): void {
    this.idle = 0;
    this.still = 0;
    this.nudged = 0;
  }

  /** Work in the turn that the human's words began. */
  private takenUp(how: "clearly" | "perhaps"): void {
    const isIn = (interrupt: { turn?: string } | undefined) =>
      interrupt?.turn !== undefined && interrupt.turn === this.turn?.id;
    if (isIn(this.interrupted)) this.interrupted = undefined;
    if (how === "clearly" && isIn(this.maybeInterrupted)) this.maybeInterrupted = undefined;
  }
}

export interface TurnFacts {
  readonly id: string;
  readonly cause: "human" | "nudge" | "host";
  acted: boolean;
  moved: boolean;
  progressed: boolean;
}

export interface BoundaryFacts {
  readonly id: string;
  status: "open" | "decided" | "parked" | "nudged";
  failure: Failure["kind"] | undefined;
  checked: boolean;
  decision: Decision | undefined;
  decidedAt: number;
  waker: string;
  parkedForHuman: boolean;
}

/** What the model added after its first list counts as progress so often until the human speaks. */
const LATE_PROGRESS = 20;

const newBoundary = (id: string, failure: Failure["kind"] | undefined): BoundaryFacts => ({
  id,
  status: "open",
  failure,
  checked: false,
  decision: undefined,
  decidedAt: 0,
  waker: "",
  parkedForHuman: false,
});

/** When what the current boundary waits for is over; undefined when an event ends it, or nothing is waited for. */
export function endOfWait({ boundary }: Facts): number | undefined {
  if (boundary?.status !== "decided") return undefined;
  const { decision, decidedAt } = boundary;
  if (decision?.type === "continue") return decidedAt + decision.after;
  return decision?.type === "wait" ? decision.until : undefined;
}

export const lineOf = (run: string | readonly string[]): string =>
  typeof run === "string" ? run : JSON.stringify(run);
