import { expect, test } from "vitest";
import fc from "../../../test/builders/properties.ts";
import { type CallStatus, isSettled, mayMove, NEXT } from "./call.ts";

const STATUSES = Object.keys(NEXT) as CallStatus[];

/** The whole square, so that a line added to the table is a visible change of this text. */
test("which status may follow which", () => {
  const square = STATUSES.map((from) => `${from} -> ${STATUSES.filter((to) => mayMove(from, to)).join(" ")}`);
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

test("settled stays settled, and every walk can end", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STATUSES), { maxLength: 30 }), (wishes) => {
      let status: CallStatus = "validating";
      let settledAs: CallStatus | undefined;
      for (const wish of wishes) {
        if (mayMove(status, wish)) status = wish;
        if (settledAs !== undefined) expect(status).toBe(settledAs);
        else if (isSettled(status)) settledAs = status;
      }
      if (!isSettled(status)) expect(mayMove(status, "cancelled")).toBe(true);
    }),
  );
});
