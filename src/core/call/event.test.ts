import { expect, test } from "vitest";
import type { Approval } from "./call.ts";
import { type CallEvent, type Intent, recover } from "./event.ts";

const approval = (call: string): Approval => ({
  call,
  tool: "edit",
  what: "edit a",
  because: "edits ask",
  askedAt: 1,
  endsAt: 2,
});
const intent = (call: string, attempt = 1): Intent => ({ call, tool: "edit", what: "edit a", writes: ["/a"], attempt });

const asked = (call: string): CallEvent => ({ type: "approval.requested", approval: approval(call) });
const answered = (call: string): CallEvent => ({ type: "approval.answered", call, outcome: "once", words: "" });
const intended = (call: string, attempt = 1): CallEvent => ({ type: "call.intended", ...intent(call, attempt) });
const settled = (call: string): CallEvent => ({
  type: "call.settled",
  call,
  tool: "edit",
  status: "success",
  effect: "done",
  digest: "d",
});

test.each<[string, CallEvent[], { approvals: Approval[]; calls: Intent[] }]>([
  ["an empty log", [], { approvals: [], calls: [] }],
  ["a question without answer", [asked("a")], { approvals: [approval("a")], calls: [] }],
  ["an answered question", [asked("a"), answered("a")], { approvals: [], calls: [] }],
  ["an intent without outcome", [intended("a")], { approvals: [], calls: [intent("a")] }],
  ["an intent with outcome", [intended("a"), settled("a")], { approvals: [], calls: [] }],
  ["the newest attempt counts", [intended("a"), intended("a", 2)], { approvals: [], calls: [intent("a", 2)] }],
  ["others are untouched", [intended("a"), intended("b"), settled("a")], { approvals: [], calls: [intent("b")] }],
  [
    "a question asked in the middle of the work",
    [intended("a"), asked("a")],
    { approvals: [approval("a")], calls: [intent("a")] },
  ],
  [
    "a call settled while its question was open",
    [intended("a"), asked("a"), settled("a")],
    { approvals: [], calls: [] },
  ],
  [
    "a finished batch leaves nothing",
    [{ type: "batch.settled", batch: "1", counts: { success: 1, error: 0, cancelled: 0 }, digests: [], omitted: 0 }],
    { approvals: [], calls: [] },
  ],
])("cut off: %s", (_situation, events, expected) => expect(recover(events)).toEqual(expected));
