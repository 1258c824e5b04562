import { expect, test } from "vitest";
import type { Usage } from "../../core/run/index.ts";
import { createUsageMeter } from "./usage-meter.ts";

const used = (input: number, output = 0): Usage => ({ input, output, cacheRead: 0, cacheWrite: 0, cost: 0 });

test("an answer that is told again counts once, by what it grew", () => {
  const meter = createUsageMeter();
  meter.saw("a", used(10));
  meter.saw("a", used(10, 5));
  meter.saw("a", used(10, 5));
  meter.saw("b", used(20, 1));
  expect(meter.take()).toEqual(used(30, 6));
});

test("what was taken is not told again, also not by a late update", () => {
  const meter = createUsageMeter();
  meter.saw("a", used(10));
  meter.take();
  meter.saw("a", used(10, 3));
  expect(meter.take()).toEqual(used(0, 3));
  expect(meter.take()).toEqual(used(0));
});

test("after the end of a turn an answer is another one", () => {
  const meter = createUsageMeter();
  meter.saw("a", used(10));
  meter.take();
  meter.settled();
  meter.saw("a", used(10));
  expect(meter.take()).toEqual(used(10));
});
