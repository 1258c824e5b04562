import { expect, test } from "vitest";
import { driverOf } from "./driver-of.ts";

test.each([
  ["", "idle"],
  ["run hello", "loop"],
  ["run --format json hello", "loop"],
  ["--print-logs --log-level WARN run hello", "loop"],
  ["--model a/b run hello", "loop"],
  ["run -i hello", "idle"],
  ["run --interactive", "idle"],
  ["serve --port 0", "idle"],
  ["./run", "idle"],
  ["--prompt run", "idle"],
  ["serve run", "idle"],
  ["--log-level=WARN run", "loop"],
] as const)("opencode %s -> %s", (line, driver) => {
  expect(driverOf(["bun", "/$bunfs/root/opencode", ...line.split(" ").filter(Boolean)])).toBe(driver);
});
