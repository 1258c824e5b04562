import fc from "fast-check";
import { expect, test } from "vitest";
import { type Call, type CallRequest, type CallStatus, isSettled, type Moved, move, NEXT, NO_OUTPUT } from "./call.ts";

const request: CallRequest = { id: "c1", tool: "read", args: {} };
const CALLS: { readonly [S in CallStatus]: Extract<Call, { status: S }> } = {
  validating: { status: "validating", request },
  awaiting_approval: {
    status: "awaiting_approval",
    request,
    approval: { call: "c1", tool: "read", what: "read", because: "ask", askedAt: 0, endsAt: 1 },
  },
  scheduled: { status: "scheduled", request },
  executing: { status: "executing", request, startedAt: 0 },
  success: { status: "success", request, startedAt: 0, endedAt: 1, value: 1, output: NO_OUTPUT },
  error: {
    status: "error",
    request,
    endedAt: 1,
    code: "tool_failed",
    message: "",
    effect: "failed",
    output: NO_OUTPUT,
  },
  cancelled: {
    status: "cancelled",
    request,
    endedAt: 1,
    code: "denied",
    message: "",
    effect: "none",
    output: NO_OUTPUT,
  },
};
const STATUSES = Object.keys(NEXT) as CallStatus[];

/** The whole square, so that a line added to the table is a visible change of this text. */
test("which status may follow which", () => {
  const square = STATUSES.map(
    (from) => `${from} -> ${STATUSES.filter((to) => move(CALLS[from], CALLS[to]).ok).join(" ")}`,
  );
  expect(square).toEqual([
    "validating -> awaiting_approval scheduled error cancelled",
    "awaiting_approval -> scheduled executing error cancelled",
    "scheduled -> executing error cancelled",
    "executing -> awaiting_approval success error cancelled",
    "success -> ",
    "error -> ",
    "cancelled -> ",
  ]);
});

test.each([
  ["a late result of a cancelled call", "already_settled", CALLS.cancelled, CALLS.success],
  ["late output of a finished call", "already_settled", CALLS.success, CALLS.executing],
  ["a result of a call that never started", "illegal_move", CALLS.scheduled, CALLS.success],
])("%s is answered %s", (_what, code, from, to) =>
  expect(move(from, to)).toEqual({ ok: false, code, from: from.status, to }),
);

test("a legal move gives the new state itself", () =>
  expect(move(CALLS.validating, CALLS.scheduled)).toEqual({ ok: true, call: CALLS.scheduled }));

test("settled stays settled, and every walk can end", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STATUSES), { maxLength: 30 }), (wishes) => {
      let call: Call = CALLS.validating;
      let settledAs: Call | undefined;
      for (const wish of wishes) {
        const moved: Moved<Call> = move(call, CALLS[wish]);
        if (moved.ok) call = moved.call;
        if (settledAs !== undefined) expect(call).toBe(settledAs);
        else if (isSettled(call.status)) settledAs = call;
      }
      if (!isSettled(call.status)) expect(move(call, CALLS.cancelled).ok).toBe(true);
    }),
  );
});
