import { uncovered } from "../continuation/index.ts";
import { type BudgetUse, budgetUse, countedTokens, decisionText, nextStepText, type Run } from "../run/index.ts";
import { breadcrumb } from "../workflow/index.ts";
import { type Ask, asksOf } from "./asks.ts";
import { type CheckView, checkView } from "./check.ts";
import { type ListView, listOf } from "./list.ts";
import { activeLine, type Seen, type State, stateOf } from "./state.ts";

/** A run as people read it. Every screen is drawn from this; what a screen adds is colour and room. */
export interface RunView extends ListView {
  readonly run: string;
  readonly host: string;
  readonly session: string;
  readonly cwd: string;
  readonly goal?: string;
  readonly status: Run["status"];
  readonly state: State;
  /** What the agent is at, on one line; empty where nothing is in progress. */
  readonly active: string;
  readonly decision?: { readonly says: string; readonly next: string; readonly rule: string };
  /** What only you can answer. */
  readonly asks: readonly Ask[];
  /** Words of yours that wait for the agent. */
  readonly messages: Run["ledger"]["words"];
  readonly workflow?: string;
  /** Requirements that no todo covers. */
  readonly uncovered: readonly { readonly id: string; readonly text: string }[];
  /** Those of the run; a todo has its own. */
  readonly checks: readonly CheckView[];
  readonly budgets: readonly BudgetUse[];
  readonly spent: Run["ledger"]["spent"] & { readonly tokens: number };
  readonly began: number;
}

export function viewOf(run: Run, seen: Seen): RunView {
  const { origin, goal, plan, ledger } = run;
  return {
    run: run.id,
    host: origin.host,
    session: origin.session,
    cwd: origin.cwd,
    goal,
    status: run.status,
    state: stateOf(run, seen),
    ...listOf(run),
    active: activeLine(run),
    ...(ledger.decision && {
      decision: {
        says: decisionText(ledger.decision),
        next: nextStepText(ledger.decision),
        rule: ledger.decision.rule,
      },
    }),
    asks: seen.isGone ? [] : asksOf(run),
    messages: ledger.words,
    ...(plan.workflow && { workflow: `${plan.workflow.workflowKey} ${breadcrumb(plan.workflow)}` }),
    uncovered: uncovered(run).map(({ id, text }) => ({ id, text })),
    checks: ledger.checks.map((check) => checkView(run, "run", check)),
    budgets: budgetUse(ledger),
    spent: { ...ledger.spent, tokens: countedTokens(ledger.spent) },
    began: ledger.began,
  };
}
