import { expect, test } from "vitest";
import type { Call } from "../../core/call/index.ts";
import { aRun } from "../../testing/index.ts";
import { callsText, continuationText } from "./terminal-status.ts";

const live = (ledger: object) => {
  const run = aRun({});
  return { ...run, status: "live", ledger: { ...run.ledger, ...ledger } } as typeof run;
};
const stopped = { boundary: { status: "stopped" }, decision: { type: "stop", reason: "no_progress" } };

test.each([
  ["nothing speaks against it", undefined, undefined, "continuation on"],
  ["the configuration does", "TILDONE_OFF=1 is set.", undefined, "continuation off: TILDONE_OFF=1 is set"],
  ["the human switched it off", undefined, live({ off: true }), "continuation off: /tildone on"],
  ["a hold", undefined, live({ held: true, interrupt: {} }), "continuation off: /unhold"],
  ["an interrupt", undefined, live({ interrupt: {} }), "continuation off: /unhold"],
  ["it stopped", undefined, live(stopped), "continuation off: /tildone says why"],
  ["it stopped, and the agent works again", undefined, live({ ...stopped, turn: { id: "t" } }), "continuation on"],
  ["the run is over", undefined, { ...live(stopped), status: "ended" as const }, "continuation on"],
])("%s", (_what, off, run, expected) => expect(continuationText(off, run)).toBe(expected));

const call = (tool: string, status: Call["status"]) => ({ status, request: { id: tool, tool, args: {} } }) as Call;

test.each([
  ["nothing is under way", [], undefined],
  ["what is over is not shown", [call("read", "success"), call("read", "error")], undefined],
  [
    "each by its tool and state",
    [
      call("bash", "awaiting_approval"),
      call("read", "executing"),
      call("read", "executing"),
      call("edit", "scheduled"),
    ],
    "bash asks, read runs ×2, edit waits",
  ],
] as const)("calls: %s", (_what, calls, expected) => expect(callsText(calls)).toBe(expected));
