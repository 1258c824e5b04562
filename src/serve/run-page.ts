import type { Report } from "../core/report/index.ts";
import { type CheckView, checkView } from "../core/view/index.ts";
import type { Reader } from "../engine/index.ts";
import type { CheckShown, InboxItem, RowShown, RunPage } from "./wire.ts";

const EVENTS = 300;
const DECISIONS = 50;

/** One run as the page shows it: how it stands now, and what its log tells. Undefined: there is none of that name. */
export async function runPage(
  reader: Reader,
  { row, inbox }: { readonly row: RowShown; readonly inbox: readonly InboxItem[] },
): Promise<RunPage | undefined> {
  const [found, report] = [await reader.read(row.run), await reader.report(row.run)];
  if (!found || !report) return undefined;
  const { view, run, seen, seq } = found;
  const { host, session, cwd, goal, status, state, active, count, messages, uncovered, budgets, spent, began } = view;
  return {
    ...{
      run: view.run,
      host,
      session,
      cwd,
      goal,
      status,
      state,
      active,
      count,
      messages,
      uncovered,
      budgets,
      spent,
      began,
    },
    ...(view.decision && { decision: view.decision }),
    ...(view.workflow !== undefined && { workflow: view.workflow }),
    ...{ seq, now: seen.now, held: run.ledger.held, row, inbox },
    todos: view.todos.map((todo, index) => {
      const { tokens = 0, cost = 0, activeMs = 0, continuations = 0, changes } = report.todos[index] ?? {};
      const shown = todo.checks.map((check) => withOutput(checkView(run, todo.id, check), report));
      return { ...todo, tokens, cost, activeMs, continuations, ...(changes && { changes }), shown };
    }),
    checks: view.checks.map((check) => withOutput(check, report)),
    ...{ verdict: report.verdict, doubts: report.doubts, timeline: report.timeline, spend: report.spend },
    decisions: report.decisions.slice(-DECISIONS).toReversed(),
    events: report.events.slice(-EVENTS).toReversed(),
    hiddenEvents: Math.max(0, report.events.length - EVENTS) + report.leftOut.events,
    hasUndone: run.ledger.checkpoints.undos.length > 0,
  };
}

function withOutput(check: CheckView, { outputs }: Report): CheckShown {
  const output = outputs[check.key] ?? check.tail;
  return output === undefined ? check : { ...check, output };
}
