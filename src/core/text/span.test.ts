import { expect, test } from "vitest";
import { clockTime } from "./span.ts";

const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).getTime();

test.each([
  ["today", at(19, 9, 5), at(19, 23, 56), "09:05:00"],
  ["later today", at(19, 23, 30), at(19, 9, 0), "23:30:00"],
  ["just after the next midnight", at(20, 0, 56), at(19, 23, 56), "00:56:00"],
  ["tomorrow evening", at(20, 21, 0), at(19, 23, 56), "2026-11-20 21:00:00"],
  ["just before the last midnight", at(18, 23, 56), at(19, 0, 56), "2026-11-18 23:56:00"],
])("the time of day: %s", (_what, then, now, expected) => expect(clockTime(then, now)).toBe(expected));
