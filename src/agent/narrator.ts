import { shortDigest } from "../core/call/index.ts";
import { decisionText, type Envelope, eventText, type Run } from "../core/run/index.ts";
import { clipLine, exactLine } from "../core/text/index.ts";
import { listOf } from "../core/view/index.ts";
import type { Update } from "../scheduler/index.ts";

/** What you want to know while you watch, one line each; everything else stays in the log. */
export function lineFor({ event }: Envelope, run: Run): string | undefined {
  switch (event.type) {
    case "todos.written":
    case "todo.started":
    case "phase.entered":
    case "workflow.started":
    case "workflow.finished":
    case "approval.requested":
    case "approval.answered":
    case "human.held":
    case "human.unheld":
    case "human.resumed":
    case "human.interrupted":
    case "words.delivered":
    case "call.cut":
    case "host.failed":
      return eventText(event, run);
    case "todo.completed":
    case "todo.abandoned":
    case "todo.blocked":
    case "todo.reopened":
      return `${glyphOf(event.ids[0], run)}${eventText(event, run)}`;
    case "turn.ended":
      return event.failure ? eventText(event, run) : undefined;
    case "round.ended":
      return event.receipts.length > 0 || event.cut !== undefined ? eventText(event, run) : undefined;
    case "decision.made":
      return decisionText(event.decision);
    default:
      return undefined;
  }
}

const glyphOf = (id: string | undefined, run: Run): string => {
  const todo = listOf(run).todos.find((each) => each.id === id);
  return todo ? `${todo.glyph} ` : "";
};

/** What the user can type to answer; short enough for a narrow terminal, and the call is named where it must be. */
export function answerFor({ event }: Envelope, { id, ledger }: Run): string | undefined {
  if (event.type !== "approval.requested") return undefined;
  const { call, digest } = event.approval;
  const name = digest !== undefined ? `${shortDigest(digest)} ` : ledger.approvals.length > 1 ? `${call} ` : "";
  return `  tildone approve ${name}--run ${id}   (or deny; approvals shows all)`;
}

/** Calls, as they begin and as they fail. */
export function lineForCall(update: Update): string | undefined {
  if (update.type === "call.started") return `${update.call.request.tool} ${argument(update.call.request.args)}`;
  if (update.type === "call.failed") return `${update.call.request.tool} failed: ${clipLine(update.call.message, 120)}`;
  return undefined;
}

function argument(args: unknown): string {
  const { command, path } = (typeof args === "object" && args !== null ? args : {}) as Record<string, unknown>;
  return exactLine(String(command ?? path ?? ""), 120);
}
