import { expect, test } from "vitest";
import { aReceipt, aRun } from "../../testing/index.ts";
import { EVENTS, eventText, type RunEvent } from "./index.ts";

const receipt = (status: "passed" | "failed" | "observed" | "timed_out", more: object = {}) =>
  aReceipt("t1", "npm test", { status, durationMs: 0, ...more });

test.each<[string, RunEvent]>([
  ["✓ check passed: npm test", { type: "round.ended", round: "r1", receipts: [receipt("passed")] }],
  [
    "✓ check passed: npm test (clean room); ✓ check passed: npm test (clean room, confined)",
    {
      type: "round.ended",
      round: "r1",
      receipts: [false, true].map((confined) =>
        receipt("passed", { proof: { where: "room", confined, command: "c" } }),
      ),
    },
  ],
  [
    "✓ check passed: npm test (no clean room: it has more than 100000 files)",
    {
      type: "round.ended",
      round: "r1",
      receipts: [
        receipt("passed", {
          proof: { where: "place", confined: false, command: "c", why: "it has more than 100000 files" },
        }),
      ],
    },
  ],
  ["✓ check observed: npm test", { type: "round.ended", round: "r1", receipts: [receipt("observed")] }],
  [
    "✗ check failed: npm test (exit 1, 0.4 s); ✗ check timed out: npm test",
    {
      type: "round.ended",
      round: "r1",
      receipts: [receipt("failed", { exit: 1, durationMs: 400 }), receipt("timed_out")],
    },
  ],
  ["no check to run", { type: "round.ended", round: "r1", receipts: [] }],
  ["checks stopped: held", { type: "round.ended", round: "r1", receipts: [], cut: "held" }],
  [EVENTS["human.unheld"], { type: "human.unheld" }],
])("%s", (says, event) => expect(eventText(event, aRun())).toBe(says));
