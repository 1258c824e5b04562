import { expect, test } from "vitest";
import { HOST_KINDS, type HostKind } from "../testing/index.ts";
import { carriageOf } from "./index.ts";

const MINUTE = 60_000;

/** Who carries what to its end, for a boundary that the host holds at this moment. */
const MATRIX: Record<HostKind, readonly [countdown: string, wait: string, longWait: string, event: string]> = {
  print: ["holding", "holding", "holding", "holding"],
  terminal: ["holding", "timer", "timer", "timer"],
  rpc: ["timer", "timer", "timer", "timer"],
  idle: ["timer", "timer", "timer", "timer"],
  loop: ["nobody", "nobody", "nobody", "nobody"],
  hook: ["nobody", "holding", "nobody", "nobody"],
  tools: ["nobody", "nobody", "nobody", "nobody"],
};

test.each(Object.entries(MATRIX))("%s", (kind, expected) => {
  const carried = (what: "countdown" | "wait", forMs: number) =>
    carriageOf(HOST_KINDS[kind as HostKind], { kind: what, forMs, isHeld: true }).by;
  expect([
    carried("countdown", 3_000),
    carried("wait", 5_000),
    carried("wait", 10 * MINUTE),
    carried("wait", Number.POSITIVE_INFINITY),
  ]).toEqual(expected);
});

test.each(Object.entries(HOST_KINDS))("%s: nothing is held that is not at a boundary", (_kind, capabilities) => {
  const { by } = carriageOf(capabilities, { kind: "wait", forMs: 0, isHeld: false });
  expect(by).toBe(capabilities.resident && capabilities.startsTurns ? "timer" : "nobody");
});

test("what is not carried says who wakes it", () => {
  expect(carriageOf(HOST_KINDS.hook, { kind: "wait", forMs: 10 * MINUTE, isHeld: true })).toEqual({
    by: "nobody",
    waker: "the next event of this session, a supervisor, or you",
  });
});
