import type { CallStatus } from "../../core/call/index.ts";
import type { Run } from "../../core/run/index.ts";
import type { Snapshot } from "../../scheduler/index.ts";

/** Whether the agent is told to continue when it stops early, and if not, why. `off`: what the configuration says against it. */
export function continuationText(off: string | undefined, run: Run | undefined): string {
  const why = off ?? (run?.status === "live" ? whyNot(run) : undefined);
  return why === undefined ? "continuation on" : `continuation off: ${why.replace(/\.$/, "")}`;
}

/** The status of the run says what stopped it; here stands what the user can do. */
function whyNot({ ledger: { off, held, interrupt, turn, boundary, decision } }: Run): string | undefined {
  if (off) return "/tildone on";
  if (held || interrupt) return "/unhold";
  if (turn === undefined && boundary?.status === "stopped" && decision?.type === "stop") return "/tildone says why";
  return undefined;
}

const DOES = {
  validating: "begins",
  awaiting_approval: "asks",
  scheduled: "waits",
  executing: "runs",
} as const satisfies { readonly [S in CallStatus]?: string };

/** Calls that are not over, by tool and state: `bash asks, read runs ×2`. */
export function callsText(calls: Snapshot["calls"]): string | undefined {
  const counts = new Map<string, number>();
  for (const { status, request } of calls) {
    const does = (DOES as { readonly [S in CallStatus]?: string })[status];
    if (does !== undefined) counts.set(`${request.tool} ${does}`, (counts.get(`${request.tool} ${does}`) ?? 0) + 1);
  }
  const open = [...counts].map(([text, count]) => (count === 1 ? text : `${text} ×${count}`));
  return open.length === 0 ? undefined : open.join(", ");
}
