import { expect, test } from "vitest";
import { createFakeClock } from "./fake-clock.ts";

function recorded(start = 0) {
  const clock = createFakeClock(start);
  const log: string[] = [];
  const note = (name: string) => () => log.push(`${name}@${clock.now()}`);
  return { clock, log, note };
}

test("time stands still until it is moved", async () => {
  const { clock, log, note } = recorded(100);
  clock.setTimer(100, note("due at once"));
  await clock.settle();
  expect([clock.now(), log]).toEqual([100, []]);
  await clock.advance(0);
  expect([clock.now(), log]).toEqual([100, ["due at once@100"]]);
});

test("timers fire in order of time, then in the order they were set, each at its own time", async () => {
  const { clock, log, note } = recorded();
  clock.setTimer(30, note("c"));
  clock.setTimer(10, note("a"));
  clock.setTimer(30, note("d"));
  clock.setTimer(20, note("b"));
  clock.setTimer(31, note("later"));
  await clock.advance(30);
  expect(log).toEqual(["a@10", "b@20", "c@30", "d@30"]);
  expect(clock.pending).toBe(1);
  await clock.advance(1);
  expect(log.at(-1)).toBe("later@31");
});

test("a timer set by a timer fires in the same advance when it is due", async () => {
  const { clock, log, note } = recorded();
  clock.setTimer(10, () => clock.setTimer(15, note("second")));
  await clock.advance(20);
  expect([log, clock.now()]).toEqual([["second@15"], 20]);
});

test("promises settle between two timers, so the first can cancel the second", async () => {
  const { clock, log, note } = recorded();
  const second = clock.setTimer(10, note("second"));
  clock.setTimer(5, () => void Promise.resolve().then(() => second.cancel()));
  await clock.advance(20);
  expect([log, clock.pending]).toEqual([[], 0]);
});

test("a cancelled timer does not fire, and cancelling twice or after firing is harmless", async () => {
  const { clock, log, note } = recorded();
  const kept = clock.setTimer(10, note("kept"));
  const dropped = clock.setTimer(10, note("dropped"));
  dropped.cancel();
  dropped.cancel();
  await clock.advance(10);
  kept.cancel();
  expect([log, clock.pending]).toEqual([["kept@10"], 0]);
});

test("a timer set for the past fires without turning time back", async () => {
  const { clock, log, note } = recorded(50);
  clock.setTimer(10, note("late"));
  await clock.advance(5);
  expect([log, clock.now()]).toEqual([["late@50"], 55]);
});

test("a leap fires what came due late, in order, and never early", async () => {
  const { clock, log, note } = recorded();
  clock.setTimer(20, note("second"));
  clock.setTimer(10, note("first"));
  clock.setTimer(60, note("not yet"));
  await clock.jump(50);
  expect([log, clock.now(), clock.pending]).toEqual([["first@50", "second@50"], 50, 1]);
});
