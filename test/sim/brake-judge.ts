import type { Envelope, RunEvent } from "../../src/core/run/index.ts";
import { fold } from "../../src/core/run/index.ts";
import type { BrakeSetup, Told } from "./brake-world.ts";

/** What may never be true of a log, told by its events alone. */
export function judgeBrakes(log: readonly Envelope[], setup: BrakeSetup, told: Told): readonly string[] {
  const judge = new Judge(setup, told);
  for (const envelope of log) judge.see(envelope);
  const { spent } = fold(log).ledger;
  if (spent.input !== told.tokens) judge.blame(`spent ${spent.input} tokens, the answers used ${told.tokens}`);
  if (!told.died && spent.activeMs !== told.activeMs)
    judge.blame(`worked for ${spent.activeMs} ms, the clock says ${told.activeMs}`);
  if (told.died && spent.activeMs > told.activeMs) judge.blame(`counted ${spent.activeMs} ms of ${told.activeMs}`);
  return judge.broken;
}

class Judge {
  readonly broken: string[] = [];
  private readonly setup: BrakeSetup;
  private readonly told: Told;
  private limits: { tokens: number; cost: number; minutes: number };
  private spent = { tokens: 0, cost: 0, activeMs: 0 };
  private turn: Watched | undefined;
  private questions = 0;
  private lastAt = 0;

  constructor(setup: BrakeSetup, told: Told) {
    this.setup = setup;
    this.told = told;
    const { tokens = NO_LIMIT, cost = NO_LIMIT, minutes = NO_LIMIT } = setup.budget;
    this.limits = { tokens, cost, minutes };
  }

  blame(text: string): void {
    this.broken.push(text);
  }

  see({ seq, at, event }: Envelope): void {
    if (event.type === "turn.started") this.lastAt = at;
    if (SIGN_OF_LIFE.test(event.type)) {
      if (this.turn && this.questions === 0) this.turn.activeMs += at - this.lastAt;
      this.lastAt = at;
    }
    this.judge(event, seq, at);
  }

  private judge(event: RunEvent, seq: number, at: number): void {
    const { turn } = this;
    switch (event.type) {
      case "turn.started":
        this.turn = newTurn(event.turn, at, this.isOver());
        return;
      case "answer.growing":
        if (turn) turn.growing = event.usage.input;
        if (turn) turn.heardAt = at;
        return;
      case "answer.seen":
        this.answered(event, seq, at);
        return;
      case "activity.seen":
      case "result.seen":
        if (turn && event.type === "activity.seen") turn.idle = 0;
        if (!turn || event.call === undefined) return;
        turn.heardAt = at;
        this.repeated(turn, event.call, event.type === "result.seen" ? event.state : undefined, seq);
        return;
      case "todo.completed":
        if (turn) Object.assign(turn, { idle: 0, same: undefined });
        return;
      case "question.opened":
        this.questions++;
        return;
      case "question.closed":
        this.questions--;
        if (turn) turn.heardAt = Math.max(turn.heardAt, at);
        return;
      case "budget.extended":
        this.limits.tokens += event.budget.tokens ?? 0;
        this.limits.minutes += event.budget.minutes ?? 0;
        return;
      case "human.held":
        if (turn) Object.assign(turn, { held: true, mustEnd: turn.mustEnd ?? ON_HOLD });
        return;
      case "human.unheld":
        if (turn) Object.assign(turn, { held: false, ...(turn.mustEnd === ON_HOLD && { mustEnd: undefined }) });
        return;
      case "turn.braked":
        if (turn) this.braked(turn, event, seq, at);
        return;
      case "human.interrupted":
        if (this.lastEnded !== undefined && event.how === "abort" && !this.told.aborted.includes(this.lastEnded))
          this.blame(`${seq}: an abort of ours counts as an interrupt`);
        return;
      case "turn.ended":
      case "turn.cut":
        if (!turn) return;
        this.spent.activeMs += turn.activeMs;
        this.spent.tokens += turn.growing;
        this.lastEnded = turn.id;
        this.turn = undefined;
        return;
    }
  }
  private lastEnded: string | undefined;

  private answered(event: RunEvent & { type: "answer.seen" }, seq: number, at: number): void {
    const { turn } = this;
    if (!turn) return;
    if (!event.cut) {
      if (turn.braked && ++turn.afterBrake > 1 && this.setup.obeys !== "never")
        this.blame(`${seq}: a second answer after the brake`);
      if (!turn.braked && turn.mustEnd !== undefined) this.blame(`${seq}: an answer although ${turn.mustEnd}`);
      turn.answers++;
      turn.idle++;
    }
    turn.heardAt = at;
    turn.growing = 0;
    this.spent.tokens += event.usage.input;
    this.spent.cost += event.usage.cost;
    const { brake } = this.setup.limits;
    if (event.cut || event.calls === 0) return;
    if (!turn.overdrawn && this.isOver()) turn.mustEnd = "the budget is spent";
    if (turn.overdrawn && turn.answers >= brake.windDownAnswers) turn.mustEnd = "its last turn is over";
    if (turn.idle > brake.idleAnswers + 1) turn.mustEnd = "nothing new came for too long";
  }

  private repeated(turn: Watched, call: string, state: string | undefined, seq: number): void {
    const isSame = turn.same?.call === call && turn.same.answer !== turn.answers;
    const moved = state !== undefined && turn.same?.state !== undefined && state !== turn.same.state;
    const times = turn.same?.call !== call || moved ? 1 : turn.same.times + (isSame ? 1 : 0);
    turn.same = { call, answer: turn.answers, times, ...(state !== undefined && { state }) };
    if (times > this.setup.limits.brake.sameCalls + 1 && !turn.braked)
      this.blame(`${seq}: the same call ${times} times`);
  }

  /** A turn is ended for a reason that its own events show. */
  private braked(turn: Watched, event: RunEvent & { type: "turn.braked" }, seq: number, at: number): void {
    const { brake } = this.setup.limits;
    const isTrue = {
      held: turn.held,
      budget_tokens: turn.overdrawn || this.spent.tokens + turn.growing >= this.limits.tokens,
      budget_cost: turn.overdrawn || this.spent.cost >= this.limits.cost,
      budget_minutes: turn.overdrawn || this.spent.activeMs + turn.activeMs >= this.limits.minutes * 60_000,
      provider_error: at - turn.heardAt >= brake.silenceMs,
      no_progress: true,
    }[event.reason as "held"];
    if (!isTrue) this.blame(`${seq}: ended for ${event.reason}, which is not so`);
    if (event.reason === "budget_minutes" && !turn.overdrawn && !turn.braked) {
      const late = this.spent.activeMs + turn.activeMs - this.limits.minutes * 60_000;
      if (late > 0) this.blame(`${seq}: ${late} ms past the time budget`);
    }
    turn.braked = true;
  }

  private isOver(): boolean {
    const { tokens, cost, activeMs } = this.spent;
    return tokens >= this.limits.tokens || cost >= this.limits.cost || activeMs >= this.limits.minutes * 60_000;
  }
}

interface Watched {
  readonly id: string;
  readonly overdrawn: boolean;
  activeMs: number;
  answers: number;
  idle: number;
  growing: number;
  heardAt: number;
  held: boolean;
  braked: boolean;
  afterBrake: number;
  mustEnd: string | undefined;
  same: { readonly call: string; readonly answer: number; readonly times: number; readonly state?: string } | undefined;
}

const newTurn = (id: string, at: number, overdrawn: boolean): Watched => ({
  id,
  overdrawn,
  activeMs: 0,
  answers: 0,
  idle: 0,
  growing: 0,
  heardAt: at,
  held: false,
  braked: false,
  afterBrake: 0,
  mustEnd: undefined,
  same: undefined,
});

/** Of the turn's own process: others may write after it died. */
const SIGN_OF_LIFE = /^(answer|result|activity|question)\.|^turn\.(braked|ended)$/;

const ON_HOLD = "the run is on hold";
const NO_LIMIT = Number.POSITIVE_INFINITY;
