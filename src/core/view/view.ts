import { uncovered } from "../continuation/index.ts";
import { countProof, countText, markedTodos, type ProofCount, type Standing, standingOf } from "../proof/index.ts";
import { type BudgetUse, budgetUse, countedTokens, decisionText, nextStepText, type Run } from "../run/index.ts";
import { type MarkedTodo, markOf } from "../todo/index.ts";
import { type Ask, activeLine, asksOf } from "../words/index.ts";
import { breadcrumb } from "../workflow/index.ts";
import { type Seen, type State, stateOf } from "./state.ts";

/** A run as people read it. Every screen is drawn from this; what a screen adds is colour and room. */
export interface RunView {
  readonly run: string;
  readonly host: string;
  readonly session: string;
  readonly cwd: string;
  readonly goal?: string;
  readonly status: Run["status"];
  readonly state: State;
  readonly count: ProofCount & { readonly text: string };
  readonly todos: readonly ViewTodo[];
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
  readonly budgets: readonly BudgetUse[];
  readonly spent: Run["ledger"]["spent"] & { readonly tokens: number };
  readonly began: number;
}

export type ViewTodo = MarkedTodo & {
  readonly index: number;
  readonly standing: Standing;
  readonly glyph: string;
};

export function viewOf(run: Run, seen: Seen): RunView {
  const { origin, goal, plan, ledger } = run;
  const count = countProof(run);
  return {
    run: run.id,
    host: origin.host,
    session: origin.session,
    cwd: origin.cwd,
    ...(goal !== undefined && { goal }),
    status: run.status,
    state: stateOf(run, seen),
    count: { ...count, text: countText(count) },
    todos: markedTodos(run).map((todo, index) => ({
      ...todo,
      index,
      standing: standingOf(run, plan.todos[index]!),
      glyph: markOf(todo).glyph,
    })),
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
    budgets: budgetUse(ledger),
    spent: { ...ledger.spent, tokens: countedTokens(ledger.spent) },
    began: ledger.began,
  };
}
