import { expect, test } from "vitest";
import { type Calibration, decidesIn } from "./calibrate.ts";

test.each<[string, "room" | "place", Calibration]>([
  ["a room lets it pass", "room", { room: "passed" }],
  ["it fails everywhere, as before most work", "room", { room: "failed", place: "failed" }],
  ["it passes in the project only, twice asked", "place", { room: "failed", place: "passed", again: "failed" }],
  ["it passes in a room the second time", "room", { room: "failed", place: "passed", again: "passed" }],
  ["the second room was cut short", "room", { room: "failed", place: "passed" }],
  ["the project was changed meanwhile", "room", { room: "failed", place: "changed" }],
  ["it was not tried in the project", "room", { room: "failed" }],
])("%s -> %s", (_situation, expected, tries) => expect(decidesIn(tries)).toBe(expected));
