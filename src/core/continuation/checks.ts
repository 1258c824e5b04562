import type { FirstResult, Receipt, Run } from "../run/index.ts";
import type { Check } from "../todo/index.ts";

/** A check together with what it speaks for: a todo's id, or `run`. */
export interface OwnedCheck {
  readonly owner: string;
  readonly check: Check;
}

/** What must have passed before the run counts as proven: the user's run checks, and each completed todo's own. */
export function requiredChecks({ plan, ledger }: Run): readonly OwnedCheck[] {
  const todos = plan.todos
    .filter(({ id, status }) => status === "completed" && !ledger.todoLedgers[id]?.completedByHuman)
    .flatMap(({ id, checks }) => checks.filter(mayRun).map((check) => ({ owner: id, check })));
  return [...ledger.checks.map((check) => ({ owner: "run", check })), ...todos];
}

/** What the model gives is a proposal: it runs only after a rule or the user made it theirs. */
export const mayRun = (check: Check): boolean => check.by !== "model" || check.allowed === true;

/** The model chose it, and a rule only lets it run: it proves something if it was seen to fail before the work. */
export const mustFailFirst = (check: Check): boolean => check.by === "model" && check.byPattern === true;

/** Whether that this check passes says anything about the work. */
export const showsWork = (check: Check, { first }: Receipt): boolean =>
  !mustFailFirst(check) || first === "failed" || first === "not_runnable";

/** Checks that are not run for the agent and that this command of its own equals: its result is seen, and counts as such. */
export function observedBy({ plan, ledger }: Run, line: string, runsChecks: boolean): readonly OwnedCheck[] {
  const all = [
    ...ledger.checks.map((check) => ({ owner: "run", check })),
    ...plan.todos.flatMap(({ id, checks }) => checks.map((check) => ({ owner: id, check }))),
  ];
  return all.filter(({ check }) => !(runsChecks && mayRun(check)) && shellLine(check) === line.trim());
}

const shellLine = ({ run }: Check): string => (typeof run === "string" ? run : run.join(" ")).trim();

export const checkKey = (owner: string, check: Check): string => `${owner} ${commandLine(check)}`;

/** Two owners with the same command have one first result. */
export const firstKey = ({ run, cwd = "." }: Check): string => JSON.stringify([run, cwd]);

/** What this check said of the state from before the work; undefined: not known, or not yet. */
export const firstOf = ({ ledger }: Run, check: Check): FirstResult | undefined => ledger.firsts?.[firstKey(check)];

/** Checks that may run and were not tried on the state from before the work, each once. */
export function untriedChecks(run: Run): readonly Check[] {
  const { plan, ledger } = run;
  const open = plan.todos.filter(({ status }) => status !== "abandoned");
  const all = [...ledger.checks, ...open.flatMap(({ checks }) => checks.filter(mayRun))];
  const untried = all.filter((check) => firstOf(run, check) === undefined);
  return [...new Map(untried.map((check) => [firstKey(check), check])).values()];
}

export const commandLine = ({ run }: Check): string => (typeof run === "string" ? run : JSON.stringify(run));

export interface ProposedCheck {
  readonly index: number;
  readonly command: string;
  /** It ran and passed, but said the same before the work. */
  readonly mayRun: boolean;
}

/** Checks that the agent proposed and that prove nothing before you accept them: they may not run, or say nothing about the work. */
export const proposedChecks = (run: Run): readonly ProposedCheck[] =>
  run.plan.todos.flatMap((todo, index) =>
    todo.status === "abandoned"
      ? []
      : todo.checks
          .filter((check) => isProposal(run, todo.id, check))
          .map((check) => ({ index, command: commandLine(check), mayRun: mayRun(check) })),
  );

export function isProposal({ ledger }: Run, owner: string, check: Check): boolean {
  const receipt = ledger.receipts[checkKey(owner, check)];
  return !mayRun(check) || (receipt?.status === "passed" && !showsWork(check, receipt));
}
