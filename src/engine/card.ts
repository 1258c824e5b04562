import { type Decision, isOpenAgain, type Run } from "../core/run/index.ts";
import { clipLine } from "../core/text/index.ts";
import { listOf } from "../core/view/index.ts";
import type { RunCard } from "./ports.ts";

/** What a list of runs shows without folding any log. */
export interface RunSummary {
  readonly goal?: string;
  readonly done: number;
  readonly total: number;
  /** Absent in cards of older versions. */
  readonly proven?: number;
  readonly state: "working" | "left" | "ended" | Decision["type"];
  readonly reason?: string;
  readonly held: boolean;
  /** Who claimed it last. */
  readonly driver?: string;
  /** How many approvals and questions wait for an answer. */
  readonly asks?: number;
  /** A phase of a workflow says which tools may be used. */
  readonly phased?: true;
  /** A limit ended the turn, or may at any moment, because its minutes are limited: a process that sees a call looks closer. */
  readonly braking?: true;
}

/** What a card says, as far as it can be read. */
export function summaryOf({ summary }: Pick<RunCard, "summary">): RunSummary {
  return { ...NO_SUMMARY, ...(typeof summary === "object" && !Array.isArray(summary) ? summary : undefined) };
}
const NO_SUMMARY: RunSummary = { done: 0, total: 0, state: "working", held: false };

function stateIn({ status, ledger }: Run): RunSummary["state"] {
  if (status === "ended") return "ended";
  if (ledger.left) return "left";
  if (isOpenAgain(ledger)) return "stop";
  return ledger.turn || !ledger.decision ? "working" : ledger.decision.type;
}

/** The card of a run: what a list of runs shows without reading its log. */
export function cardOf(run: Run, now: number): RunCard {
  const { done, total, proven } = listOf(run).count;
  const { decision, held, left, endReason, claim, approvals, questions } = run.ledger;
  const asks = approvals.length + questions.length;
  const summary: RunSummary = {
    ...(run.goal !== undefined && { goal: clipLine(run.goal, 200) }),
    done,
    total,
    proven,
    state: stateIn(run),
    ...(endReason !== undefined
      ? { reason: endReason }
      : decision && !left && decision.type !== "continue" && { reason: decision.reason }),
    held,
    driver: claim.driver,
    ...(asks > 0 && { asks }),
    ...(run.plan.workflow?.status === "active" && { phased: true }),
    ...(isBraking(run) && { braking: true }),
  };
  return {
    run: run.id,
    host: run.origin.host,
    session: run.origin.session,
    cwd: run.origin.cwd,
    live: run.status === "live",
    began: run.ledger.began,
    updated: now,
    summary,
  };
}

const isBraking = ({ ledger: { turn, boundary, budget } }: Run): boolean =>
  turn?.braked !== undefined || boundary?.braked !== undefined || budget.minutes !== undefined;
