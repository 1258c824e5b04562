import { expect, test } from "vitest";
import fc from "../../test/builders/properties.ts";
import { showDuration } from "../core/todo/index.ts";
import { duration } from "./duration.ts";

const read = (value: unknown) => {
  const reading = duration("2h").read(value);
  return reading.ok ? reading.value : "refused";
};

test.each([
  ["500ms", 500],
  ["3s", 3000],
  ["1.5s", 1500],
  ["10m", 600_000],
  ["2h", 7_200_000],
  [0, 0],
  ["0", 0],
  ["3h", "refused"],
  [3, "refused"],
  ["3", "refused"],
  ["-3s", "refused"],
  ["3 s", "refused"],
  ["3d", "refused"],
  ["", "refused"],
  [null, "refused"],
  [`${"9".repeat(400)}s`, "refused"],
])("%j is %s", (value, expected) => expect(read(value)).toBe(expected));

test("what is shown reads as the same time", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 7_200_000 }), (ms) => read(showDuration(ms)) === ms));
});
