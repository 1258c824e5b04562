import type { Run } from "../run/index.ts";
import type { Check } from "../todo/index.ts";

/** A check together with what it speaks for: a todo's id, or `run`. */
export interface OwnedCheck {
  readonly owner: string;
  readonly check: Check;
}

/** What must have passed before the run counts as proven: the human's run checks, and each completed todo's own. */
export function requiredChecks({ plan, ledger }: Run): readonly OwnedCheck[] {
  const todos = plan.todos
    .filter(({ id, status }) => status === "completed" && !ledger.todoLedgers[id]?.completedByHuman)
    .flatMap(({ id, checks }) => checks.filter(mayRun).map((check) => ({ owner: id, check })));
  return [...ledger.checks.map((check) => ({ owner: "run", check })), ...todos];
}

/** What the model gives is a proposal: it runs only after a rule or the human made it theirs. */
export const mayRun = (check: Check): boolean => check.by !== "model" || check.allowed === true;

export const checkKey = (owner: string, check: Check): string => `${owner} ${commandLine(check)}`;

export const commandLine = ({ run }: Check): string => (typeof run === "string" ? run : JSON.stringify(run));
