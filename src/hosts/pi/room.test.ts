import { expect, test } from "vitest";
import type { Trigger } from "../../core/react/index.ts";
import type { Decision } from "../../core/run/index.ts";
import { aRun, todos } from "../../testing/index.ts";
import { type ContextShares, createRoom } from "./room.ts";

const COMPACTING: Decision = { type: "wait", reason: "compacting", rule: "the host compacts" };
const HELD: Decision = { type: "stop", reason: "held", rule: "on hold" };

function aRoom({ percent = 82, enabled = true, open = true, mayCompact = true, decision = COMPACTING, ...given } = {}) {
  const told: string[] = [];
  const asked: { onError?: (error: Error) => void }[] = [];
  const shares: ContextShares = { stopAbove: 0.85, compactAbove: 0.8, mayCompact: () => mayCompact, ...given };
  const run = { ...aRun({ todos: todos(open ? "not_started" : "completed") }), status: "live" } as const;
  const room = createRoom({
    ctx: {
      getContextUsage: () => ({ tokens: 1, contextWindow: 1, percent }),
      compact: (options = {}) => void asked.push(options),
    },
    own: {
      run: () => ({ ...run, ledger: { ...run.ledger, decision } }),
      tell: async (trigger: Trigger) => void told.push(trigger.type),
    } as never,
    shares,
    enabled,
  });
  return { room, told, asked };
}

test.each([
  ["four fifths are not used", { percent: 80 }, { short: false, full: false }],
  ["more than four fifths", { percent: 80.1 }, { short: true, full: false }],
  ["more than the share to stop at", { percent: 85.1 }, { short: true, full: true }],
  ["the human does not let pi compact", { percent: 85.1, mayCompact: false }, { short: false, full: true }],
  ["continuation is off", { percent: 99, enabled: false }, { short: false, full: false }],
  ["nothing is open", { percent: 99, open: false }, { short: false, full: false }],
])("%s", (_what, given, expected) => {
  const { room } = aRoom(given);
  expect({ short: room.isShort(), full: room.isFull() }).toEqual(expected);
});

test("what is wanted at the boundary is done when pi has settled, once", async () => {
  const { room, told, asked } = aRoom();
  await room.want();
  expect(room.isShort()).toBe(false);
  await room.settled();
  await room.settled();
  await room.made();
  expect([told, asked.length, room.isShort()]).toEqual([["compaction.began", "compaction.ended"], 1, true]);
});

test("something else was decided at the boundary: nothing is compacted", async () => {
  const { room, told, asked } = aRoom({ decision: HELD });
  await room.want();
  await room.settled();
  expect([told, asked.length]).toEqual([["compaction.began", "compaction.ended"], 0]);
});

test("a compaction that failed is not tried again until there was one", async () => {
  const { room, told, asked } = aRoom();
  await room.want();
  await room.settled();
  asked[0]?.onError?.(new Error("nothing to compact"));
  expect([told.at(-1), room.canMake()]).toEqual(["compaction.ended", false]);
  await room.made();
  expect(room.canMake()).toBe(true);
});

test("Esc during a compaction of ours stops the run; of another's, only the compaction", async () => {
  const ours = aRoom();
  await ours.room.want();
  await ours.room.settled();
  await ours.room.failed("aborted");
  expect(ours.told).toEqual(["compaction.began", "human.interrupt", "compaction.ended"]);
  const other = aRoom();
  await other.room.failed("aborted");
  expect(other.told).toEqual(["compaction.ended"]);
});
