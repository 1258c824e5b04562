import type { Limits } from "../../src/core/continuation/index.ts";
import type { Budget, Decision, Envelope, Failure, Receipt } from "../../src/core/run/index.ts";
import type { Todo } from "../../src/core/todo/index.ts";
import { takeHost, takeHuman, takeLife } from "./take-life.ts";
import { takePlan, takeProof } from "./take-plan.ts";
import { takeTime, takeTurn } from "./take-turn.ts";

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
  background = { agents: 0, awaited: 0, until: 0 };
  round: { id: string; until: number } | undefined;
  readOnly = false;

  turn: TurnFacts | undefined;
  boundary: BoundaryFacts | undefined;
  readonly turnsSeen = new Set<string>();
  readonly turnsEnded = new Set<string>();
  lastNudgeAt: number | undefined;
  /** The nudge that was meant to go out, neither failed nor withdrawn nor taken up; it may outlive its boundary. */
  nudge: { readonly id: string; readonly kind: string } | undefined;
  /** Of the session that the run lives in. */
  readonly nudgesDelivered = new Set<string>();
  idle = 0;
  still = 0;
  nudged = 0;
  plainQuestions = 0;
  /** Failed turns and failed nudges in a row. */
  failures = 0;
  listAsked = false;
  /** Asked for, and the turn that was asked ended without one. */
  listDenied = false;
  woundDown = false;
  /** Reasons for which a turn was ended from within. */
  readonly brakedFor = new Set<string>();
  budget: Budget = {};
  spent = { tokens: 0, cost: 0, activeMs: 0, continuations: 0 };

  todos: readonly Todo[] = [];
  workflowActive = false;
  hadWorkflow = false;
  workflowGivenUp = false;
  requirements: readonly string[] = [];
  checks: readonly string[] = [];
  workspace: string | undefined;
  readonly states = new Set<string>();
  activity = 0;
  readonly completedUnseen = new Map<string, string>();
  workedInPhase = false;
  readonly idlePhases = new Set<string>();
  place = "";
  accepted = false;
  readonly receipts = new Map<string, Receipt>();
  readonly abandonedByModel = new Set<string>();
  readonly completedByHuman = new Set<string>();
  readonly writtenAt = new Map<string, number>();

  // What the counters rest on; nothing else needs it.
  readonly completedOnce = new Set<string>();
  readonly passedOnce = new Set<string>();
  readonly placesEntered = new Set<string>();
  readonly firstList = new Set<string>();
  lateProgress = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  take({ event, by, at }: Envelope): void {
    this.hasStirred ||= by === "host" || by === "model";
    if (this.lastNudgeAt !== undefined) this.lastNudgeAt = Math.min(this.lastNudgeAt, at); // the clock may be set back
    takeTime(this, event, at);
    takeState(this.states, event);
    takeLife(this, event);
    takeHuman(this, event, by);
    takeTurn(this, event, at);
    takeHost(this, event);
    takePlan(this, event, by);
    takeProof(this, event);
  }
}

function takeState(states: Set<string>, event: Envelope["event"]): void {
  if (event.type === "workspace.observed") states.add(event.workspace);
  if (event.type === "run.began" && event.workspace !== undefined) states.add(event.workspace);
  if (event.type === "activity.seen" && event.state !== undefined) states.add(event.state);
}

export interface TurnFacts {
  readonly id: string;
  readonly cause: "human" | "nudge" | "host";
  acted: boolean;
  moved: boolean;
  progressed: boolean;
  forList: boolean;
  /** Up to here its time is counted. */
  countedUntil: number;
}

export interface BoundaryFacts {
  readonly id: string;
  status: "open" | "decided" | "parked" | "nudged";
  failure: Failure["kind"] | undefined;
  checked: boolean;
  /** The session was busy: not before then is it asked again. */
  busyUntil: number;
  /** The turn that ended here, and the counters before it did. */
  readonly ended:
    | (Readonly<Record<"idle" | "still" | "nudged" | "plainQuestions", number>> & { readonly turn: TurnFacts })
    | undefined;
  decision: Decision | undefined;
  decidedAt: number;
  waker: string;
  parkedForHuman: boolean;
}

/** When what the current boundary waits for is over; undefined when an event ends it, or nothing is waited for. */
export function endOfWait({ boundary }: Facts): number | undefined {
  if (boundary?.status !== "decided") return undefined;
  const { decision, decidedAt } = boundary;
  if (decision?.type === "continue") return decidedAt + decision.after;
  return decision?.type === "wait" ? decision.until : undefined;
}
