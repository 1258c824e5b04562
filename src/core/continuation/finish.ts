import type { StopReason } from "../reason/index.ts";
import type { Receipt, Run } from "../run/index.ts";
import { counted } from "../text/index.ts";
import type { TodoId } from "../todo/index.ts";
import { checkKey, type OwnedCheck, requiredChecks, showsWork } from "./checks.ts";
import { isWithoutList } from "./step.ts";

type Finish = { readonly type: "stop"; readonly reason: StopReason; readonly detail?: string };

/** Nothing is open: how far is it proven? */
export function finish(run: Run): Finish {
  const doubts = doubtsOf(run);
  if (doubts.length > 0 && !run.ledger.accepted)
    return { type: "stop", reason: "done_with_doubt", detail: doubts.slice(0, 10).join("; ").slice(0, 1000) };
  const proof = doubts.length === 0 ? proofOf(run) : "none";
  if (proof === "checks") return { type: "stop", reason: "all_done" };
  if (proof === "your word") return { type: "stop", reason: "done_accepted" };
  return { type: "stop", reason: run.ledger.accepted ? "done_accepted" : "done_unproven" };
}

/** A required receipt is missing or stale, and this boundary has had no round of checks yet. */
export function needsRound(run: Run): boolean {
  return (
    run.ledger.boundary?.round !== "ran" &&
    requiredChecks(run).some(({ owner, check }) => !isFresh(run, run.ledger.receipts[checkKey(owner, check)]))
  );
}

/** Why a finished list is not to be believed, in words. */
export function doubtsOf(run: Run): readonly string[] {
  const { plan, ledger } = run;
  const todos = plan.todos.flatMap((todo, index) => {
    const entry = ledger.todoLedgers[todo.id];
    if (todo.status === "abandoned" && ledger.abandoned.includes(todo.id))
      return [`[${index}] was abandoned by the agent`];
    if (todo.status !== "completed" || entry?.completedByHuman) return [];
    const doubt = suspicion(ledger, todo.id);
    if (doubt !== undefined) return [`[${index}] is suspect: ${doubt}`];
    return isUnseen(ledger, todo.id) ? [`[${index}] was completed without any work seen`] : [];
  });
  const whole = suspicion(ledger, "run");
  const suspects = whole === undefined ? todos : [...todos, `the run's check is suspect: ${whole}`];
  const failed = ledger.checks.flatMap((check) => ledger.receipts[checkKey("run", check)] ?? []).filter(isFailure);
  const dropped = ledger.abandoned.filter((id) => !plan.todos.some((todo) => todo.id === id)).length;
  return [
    ...suspects,
    ...(isWithoutList(run) && ledger.seesCalls && ledger.activity === 0 ? ["no work was seen"] : []),
    ...(dropped > 0 ? [`the agent dropped ${counted(dropped, "unfinished todo")} from the list`] : []),
    ...failed.map(({ command }) => `the check "${command}" did not pass`),
    ...(ledger.seesCalls ? ledger.idlePhases.map((name) => `the phase "${name}" passed without any work seen`) : []),
    ...(ledger.workflowGivenUp ? ["the workflow was cancelled by the agent before its end"] : []),
  ];
}

/** Completed without any work seen for it. Where the host shows no calls, nothing can be said. */
export const isUnseen = ({ seesCalls, todoLedgers }: Run["ledger"], id: TodoId): boolean =>
  seesCalls && todoLedgers[id]?.unseenIn !== undefined;

/** Why what speaks for `owner` is not to be believed; undefined: it is, as far as we know. */
export function suspicion({ receipts }: Run["ledger"], owner: string): string | undefined {
  const receipt = Object.values(receipts).find((candidate) => candidate.owner === owner && candidate.suspect);
  return receipt && (receipt.doubt ?? "what its check relies on was changed");
}

/** It ran and said no; one that never ran to its end proves nothing and disproves nothing. */
const isFailure = ({ status }: Receipt): boolean => status === "failed" || status === "timed_out";

/**
 * Your checks speak for the whole; without them every completed todo needs a check of its own, or your word. Where your word
 * stands in for a check, it is not said that every check passed.
 */
function proofOf(run: Run): "checks" | "your word" | "none" {
  const passed = (owner: string) => {
    const required = requiredChecks(run).filter((each) => each.owner === owner);
    return required.every(isProvenIn(run)) && required.some(showsWorkIn(run));
  };
  if (!everyRequiredPassed(run)) return "none";
  if (run.ledger.checks.length > 0) return "checks";
  const completed = run.plan.todos.filter(({ status }) => status === "completed");
  const unproven = completed.filter(({ id }) => !passed(id));
  if (completed.length === 0) return "none";
  if (unproven.length === 0) return "checks";
  return unproven.every(({ id }) => run.ledger.todoLedgers[id]?.completedByHuman) ? "your word" : "none";
}

const everyRequiredPassed = (run: Run): boolean => requiredChecks(run).every(isProvenIn(run));

/** What the agent was seen to run itself tells how the work goes; only a run of ours proves. */
const isProvenIn =
  (run: Run) =>
  ({ owner, check }: OwnedCheck): boolean => {
    const receipt = run.ledger.receipts[checkKey(owner, check)];
    return receipt?.status === "passed" && isFresh(run, receipt);
  };

const showsWorkIn =
  ({ ledger }: Run) =>
  ({ owner, check }: OwnedCheck): boolean => {
    const receipt = ledger.receipts[checkKey(owner, check)];
    return receipt !== undefined && showsWork(check, receipt);
  };

/** Passed, and nothing in the workspace changed since. */
export function isFresh({ ledger }: Run, receipt: Receipt | undefined): boolean {
  const passed = receipt?.status === "passed" || receipt?.status === "observed";
  return passed && (receipt.workspace === undefined || receipt.workspace === ledger.workspace);
}
