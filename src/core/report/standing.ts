import { checkKey, isFresh, isUnseen, mayRun, suspicion } from "../continuation/index.ts";
import type { Run } from "../run/index.ts";
import type { Todo } from "../todo/index.ts";

/** How far an item is to be believed. */
export const STANDINGS = {
  proven: "completed, and its check passed on the files as they are",
  observed: "completed, and the agent was seen to run its check with success",
  confirmed: "completed by the human",
  unproven: "completed, but nothing checks it, or its check did not pass on the files as they are",
  suspect: "completed, but what its check relies on was changed undeclared",
  unseen: "completed without any work seen",
  abandoned: "given up",
  blocked: "cannot go on",
  open: "not finished",
} as const satisfies Record<string, string>;
export type Standing = keyof typeof STANDINGS;

/** The first reason that speaks wins: doubt before proof. */
export function standingOf(run: Run, todo: Todo): Standing {
  const { ledger } = run;
  const entry = ledger.todoLedgers[todo.id];
  if (todo.status === "abandoned") return "abandoned";
  if (todo.status === "blocked") return "blocked";
  if (todo.status !== "completed") return "open";
  if (entry?.completedByHuman) return "confirmed";
  if (suspicion(ledger, todo.id) !== undefined) return "suspect";
  if (isUnseen(ledger, todo.id)) return "unseen";
  return proofOf(run, todo);
}

/** An item without a check of its own is proven by the checks of the run, if there are any. */
function proofOf(run: Run, { id, checks }: Todo): Standing {
  const { receipts, checks: runChecks } = run.ledger;
  const own = checks.filter(mayRun);
  const owned =
    checks.length > 0
      ? (own.length > 0 ? own : checks).map((check) => ({ owner: id, check }))
      : runChecks.map((check) => ({ owner: "run", check }));
  const results = owned.map(({ owner, check }) => receipts[checkKey(owner, check)]);
  if (results.length === 0 || !results.every((receipt) => isFresh(run, receipt))) return "unproven";
  return results.some((receipt) => receipt?.status === "observed") ? "observed" : "proven";
}
