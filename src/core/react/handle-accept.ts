import { finish, isProposal, next } from "../continuation/index.ts";
import { FINISHED, type StopReason } from "../reason/index.ts";
import type { Run } from "../run/index.ts";
import { openTodos, type Todo } from "../todo/index.ts";
import type { Draft } from "./draft.ts";
import { done, nothing, type Reply } from "./reaction.ts";
import type { Trigger } from "./trigger.ts";

/**
 * You sign off what no check proves, or let the checks that the agent proposed speak. A run that is over, or that stopped because
 * of its doubts, is judged again at once: no process has to live for that, except where checks are to run.
 */
export function handleAccept(draft: Draft, { checks }: Trigger & { type: "human.accept" }): Reply {
  const { run } = draft;
  if (run.status === "ended" && !FINISHED.includes(run.ledger.endReason as StopReason))
    return { type: "ignored", why: "run_ended" };
  if (checks === "run") return runProposals(draft);
  if (run.status === "ended" && finish(accepted(run)).reason === run.ledger.endReason) return nothing;
  draft.add("human", { type: "human.accepted" });
  allow(draft, openTodos(run.plan.todos));
  judgeAgain(draft);
  return done("accepted");
}

const accepted = (run: Run): Run => ({ ...run, ledger: { ...run.ledger, accepted: true } });

function judgeAgain(draft: Draft): void {
  const { status, ledger } = draft.run;
  const { boundary, turn, decision, words } = ledger;
  const isOver = status === "ended" || (boundary?.status === "stopped" && isDoubted(decision));
  const isOpen = next(draft.run).status !== "none"; // a workflow was begun meanwhile, or a branch taken where work is open
  if (!boundary || turn || words.length > 0 || !isOver || isOpen) return;
  const verdict = finish(draft.run);
  if (!FINISHED.includes(verdict.reason)) return;
  draft.add("human", {
    type: "decision.made",
    boundary: boundary.id,
    decision: { ...verdict, rule: "accepted by you" },
  });
  draft.add("human", { type: "run.ended", reason: verdict.reason });
}

const isDoubted = (decision: Run["ledger"]["decision"]): boolean =>
  decision?.type === "stop" && decision.reason === "done_with_doubt";

/** The run is taken up again for one round of checks; what they disprove is open again. */
function runProposals(draft: Draft): Reply {
  const { plan, ledger, status } = draft.run;
  const proposed = plan.todos.filter(({ id, checks }) => checks.some((check) => isProposal(draft.run, id, check)));
  if (proposed.length === 0)
    return { type: "refused", refusal: { code: "no_proposals", message: "The agent proposed no checks in this run." } };
  allow(draft, proposed);
  const isResting = status === "ended" || ledger.boundary?.status === "stopped";
  if (isResting && !ledger.turn) draft.add("human", { type: "run.reopened", boundary: `b${ledger.boundaries + 1}` });
  return done("allowed");
}

/** Checks that the model proposed may run from now on, and are as good as yours. */
function allow(draft: Draft, todos: readonly Todo[]): void {
  const items = todos
    .filter(({ id, checks }) => checks.some((check) => isProposal(draft.run, id, check)))
    .map((todo) => ({
      ...todo,
      checks: todo.checks.map(({ byPattern: _, ...check }) => ({ ...check, allowed: true })),
    }));
  const order = draft.run.plan.todos.map(({ id }) => id);
  if (items.length > 0) draft.add("human", { type: "todos.written", mode: "append", items, order, dropped: [] });
}
