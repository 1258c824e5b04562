import { IGNORED, type Reply } from "../react/index.ts";
import { STOP, type StopReason } from "../reason/index.ts";
import { budgetUse, countedTokens, decisionText, isOpenAgain, type Run } from "../run/index.ts";
import { counted } from "../text/index.ts";
import { openTodos, plainList } from "../todo/index.ts";
import { listOf } from "../view/index.ts";
import type { RunOrder } from "./triggers.ts";

export interface Said {
  readonly text: string;
  readonly tone: "info" | "warning";
}

export const info = (text: string): Said => ({ text, tone: "info" });
export const warning = (text: string): Said => ({ text, tone: "warning" });

export interface Place {
  /** How a command is written there: `/unhold` or `tildone unhold`. */
  readonly prefix: "/" | "tildone ";
  /** Whether an agent at rest begins by itself, or needs a message first. */
  readonly starts: boolean;
  /** Many runs can be meant there: the answer names the one. */
  readonly namesRun?: true;
}

/** What you read after an order; `run` is the run as it stands then. */
export function answerTo(order: RunOrder, reply: Reply, run: Run | undefined, place: Place): Said {
  switch (reply.type) {
    case "refused":
      return warning(reply.refusal.message);
    case "ignored":
      if (order.type === "cancel-workflow") return warning("No active workflow to cancel.");
      return reply.why === "nothing_to_do" ? info(doneText(order, run, place)) : warning(IGNORED[reply.why]);
    case "done":
    case "checking":
    case "decided":
      return info(doneText(order, run, place));
  }
}

function doneText(order: RunOrder, run: Run | undefined, { prefix, starts, namesRun }: Place): string {
  const name = run && namesRun ? ` ${run.id}` : "";
  switch (order.type) {
    case "hold":
      return prefix === "/" ? "On hold. /unhold continues." : "On hold. `tildone unhold` continues.";
    case "unhold":
      if (!starts) return "No longer on hold. Send a message to continue.";
      return run ? standText(run) : "Continuing.";
    case "say":
      return `Queued${name && ` for${name}`}; the agent gets it when it next stops.`;
    case "add":
    case "edit":
      return run ? plainList(listOf(run).todos) : "";
    case "extend":
      return `Extended${name}. ${budgetsText(run)}`;
    case "accept":
      return acceptedText(run, name);
    case "switch":
      return `Continuation is ${order.on ? "on" : "off"} for this run.`;
    case "clear":
      return "Run ended, list cleared.";
    case "cancel-workflow":
      return "Workflow ended.";
  }
}

/** What a run ended with; a version after this one may know another reason. */
const overText = (reason: string | undefined): string =>
  reason !== undefined && Object.hasOwn(STOP, reason) ? STOP[reason as StopReason].says : `${reason}.`;

function acceptedText(run: Run | undefined, name: string): string {
  const { status, ledger } = run ?? {};
  const judged = status === "ended" ? overText(ledger?.endReason) : undefined;
  if (judged !== undefined) return `Accepted${name}. Result now: ${judged}`;
  const open = run ? openTodos(run.plan.todos).length : 0;
  if (open === 0) return `Accepted${name}: the work counts as done.`;
  return `Accepted${name}: what is done so far counts as done. ${counted(open, "todo")} still open.`;
}

function budgetsText(run: Run | undefined): string {
  const uses = run ? budgetUse(run.ledger) : [];
  if (uses.length === 0) return "It has no budget.";
  return `Budgets: ${uses.map(({ name, used, limit }) => `${name} ${Math.round(used * 100) / 100} of ${limit}`).join(", ")}.`;
}

/** How the run stands, in a sentence. */
export function standText({ ledger, status }: Run): string {
  if (status === "ended") return `Ended: ${overText(ledger.endReason)}`;
  if (ledger.turn || ledger.nudge) return "The agent is working.";
  if (isOpenAgain(ledger)) return "Open again after it was done.";
  return ledger.decision ? decisionText(ledger.decision) : "Nothing has been decided yet.";
}

/** The list, and how it stands with it. */
export const listText = (run: Run | undefined): string =>
  run ? [plainList(listOf(run).todos), standText(run)].join("\n\n") : IGNORED.no_run;

/** How the run stands and what it took. */
export function statusText(run: Run | undefined): string {
  if (!run) return IGNORED.no_run;
  const { spent, since, held } = run.ledger;
  const limits = budgetUse(run.ledger).map(({ name, limit }) => `${name} ${limit}`);
  return [
    `Run ${run.id}: ${listOf(run).count.text}${held ? ", on hold" : ""}.`,
    standText(run),
    `Told to continue ${spent.continuations === 1 ? "once" : `${spent.continuations} times`}, ${since.nudged} since the last progress; ${countedTokens(spent)} tokens${limits.length === 0 ? "" : ` (limits: ${limits.join(", ")})`}.`,
  ].join("\n");
}
