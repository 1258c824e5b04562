import { expect, test } from "vitest";
import { profile } from "./profile.ts";

const { failureIn, unknownSession } = profile.process;

test.each([
  [{ type: "result", subtype: "success", is_error: false, result: "fine" }, undefined],
  [
    { type: "result", subtype: "success", is_error: true, api_error_status: 529, result: "Overloaded" },
    "529 Overloaded",
  ],
  [{ type: "result", subtype: "error_max_turns", is_error: false }, "error_max_turns"],
  [{ type: "assistant", message: {} }, undefined],
])("%j", (line, expected) => expect(failureIn(line)).toBe(expected));

test("a session that it never wrote down is told apart from other failures", () => {
  const errors = ["No conversation found with session ID: x"];
  const failure = failureIn({ type: "result", subtype: "error_during_execution", is_error: true, errors });
  expect(failure).toBe("error_during_execution No conversation found with session ID: x");
  expect(unknownSession?.test(failure!)).toBe(true);
});
