import { type StopReason, stopRow } from "../reason/index.ts";
import { budgetSpent, type Decision, type Run } from "../run/index.ts";
import { resumeRefusal } from "../view/index.ts";
import { Draft } from "./draft.ts";
import { done, nothing, type Reply } from "./reaction.ts";
import type { Context, Trigger } from "./trigger.ts";

type Resume = Trigger & { type: "human.resume" };
type Stop = Pick<Decision & { type: "stop" }, "reason" | "detail">;

/**
 * The person's word to continue. Everything that would stop the run again at once is set back, as its row says; what only something
 * else can change is refused, and nothing is applied.
 */
export function handleResume(draft: Draft, trigger: Resume): Reply {
  const { trial, stop } = tryResume(draft.run, trigger, draft.context);
  if (stop)
    return { type: "refused", refusal: { code: "not_resumed", message: resumeRefusal(trial.run, stop, "host") } };
  for (const { by, event } of trial.events) draft.add(by, event);
  return trial.events.length === 0 ? nothing : done("resumed");
}

/** Why this word would not continue the run; undefined: it would. */
export function resumeProblem(run: Run, trigger: Resume, context: Context): string | undefined {
  const { trial, stop } = tryResume(run, trigger, context);
  return stop && resumeRefusal(trial.run, stop, "shell");
}

function tryResume(run: Run, trigger: Resume, context: Context): { readonly trial: Draft; readonly stop?: Stop } {
  for (let reasons: readonly StopReason[] = []; ; ) {
    const trial = resumedFrom(run, trigger, context, reasons);
    const stop = wouldStop(trial);
    if (!stop) return { trial };
    if (reasons.includes(stop.reason) || stopRow(stop.reason).resets.length === 0) return { trial, stop };
    reasons = [...reasons, stop.reason];
  }
}

function resumedFrom(run: Run, trigger: Resume, context: Context, reasons: readonly StopReason[]): Draft {
  const { words, budget, checks } = trigger;
  const trial = new Draft(run, context);
  const resets = reasons.flatMap((reason) => stopRow(reason).resets);
  if (words && !run.ledger.words.some(({ id }) => id === words.id)) trial.add("human", { type: "words.queued", words });
  const isFresh = needsBoundary(run);
  if (isFresh || resets.length > 0 || budget || checks)
    trial.add("human", {
      type: "human.resumed",
      reasons,
      resets,
      ...(isFresh && { boundary: `b${run.ledger.boundaries + 1}` }),
      budget,
      ...(checks && checks.length > 0 && { checks }),
    });
  const blocked = resets.includes("blocked") ? run.plan.todos.filter(({ status }) => status === "blocked") : [];
  if (blocked.length > 0)
    trial.add("human", { type: "todo.reopened", ids: blocked.map(({ id }) => id), to: "not_started" });
  return trial;
}

/** A turn, a countdown or a nudge that is under way is left alone: it continues already. */
function needsBoundary({ ledger: { boundary, turn, held, interrupt } }: Run): boolean {
  if (!boundary || turn || boundary.status === "nudged") return false;
  const isPending = boundary.status === "countdown" || boundary.status === "waiting";
  return !isPending || held || interrupt !== undefined || boundary.failure !== undefined;
}

function wouldStop(trial: Draft): Stop | undefined {
  const { ledger } = trial.run;
  if (ledger.turn) return ledger.held ? { reason: "held" } : ledger.interrupt ? { reason: "interrupted" } : undefined;
  const spent = budgetSpent(ledger);
  if (spent) return { reason: spent };
  const decision = ledger.boundary ? trial.decide() : undefined;
  return decision?.type === "stop" ? decision : undefined;
}
