import type { Call } from "../../../core/call/index.ts";
import { exactLine } from "../../../core/text/index.ts";
import type { Snapshot } from "../../../scheduler/index.ts";

/** Every call that is not over, with its state; for a question, until when it waits. */
export function callsReport({ calls, approvals, mode }: Snapshot, now: number): string {
  const lines = calls.filter(({ status }) => status !== "success").map((call) => `  ${lineOf(call, now)}`);
  const waiting = approvals.length === 0 ? [] : ["/approve asks about what waits for your answer."];
  if (lines.length === 0) return `No call is running. Approval is ${mode}.`;
  return [`Running calls (approval is ${mode}):`, ...lines, ...waiting].join("\n");
}

function lineOf(call: Call, now: number): string {
  const { request, status } = call;
  const what = `${request.tool} ${exactLine(JSON.stringify(request.args), 50)}`;
  switch (call.status) {
    case "awaiting_approval": {
      const { because, endsAt } = call.approval;
      return `${status}  ${what} (${because}${endsAt === undefined ? "" : `; ${minutes(endsAt - now)} left`})`;
    }
    case "executing":
      return `${status}  ${what} (${Math.round((now - call.startedAt) / 1000)} s)`;
    default:
      return `${status}  ${what}`;
  }
}

const minutes = (ms: number): string => `${Math.max(0, Math.round(ms / 60_000))} min`;
