import { expect, test } from "vitest";
import { measure, type Row, table } from "../../bench/harness.ts";

/** Times itself: these milliseconds one after the other, the first two to warm up. */
const timed = (...times: readonly number[]) => {
  const left = [...times];
  return () => left.shift();
};

const row = (given: Partial<Row>): Row => ({
  name: "a row",
  run: () => 10,
  floor: () => 5,
  target: { atMost: 2 },
  repeat: 3,
  ...given,
});

test.each<[string, Partial<Row>, { ratio: number; met: boolean }]>([
  ["twice the time of the floor", {}, { ratio: 2, met: true }],
  ["more than the target", { run: () => 11 }, { ratio: 2.2, met: false }],
  ["half the speed of the floor", { target: { atLeast: 0.5 } }, { ratio: 0.5, met: true }],
  ["slower than the target", { target: { atLeast: 0.7 } }, { ratio: 0.5, met: false }],
  ["one slow time among three", { run: timed(99, 99, 10, 70, 10) }, { ratio: 2, met: true }],
  ["promises", { run: async () => 10 }, { ratio: 2, met: true }],
])("%s", async (_what, given, expected) => {
  expect(await measure([row(given)])).toMatchObject([expected]);
});

test("no round begins for which there is no time", async () => {
  const [{ samples } = { samples: [] }] = await measure([row({ repeat: 9 })], 1, (round) => round < 4);
  expect(samples).toHaveLength(3);
});

test("run and floor take turns, and rows do too", async () => {
  const calls: string[] = [];
  const told = (name: string) => () => void calls.push(name);
  const rows = ["a", "b"].map((name) =>
    row({ name, run: told(`${name} run`), floor: told(`${name} floor`), repeat: 1 }),
  );
  await measure(rows);
  expect(calls.slice(0, 4)).toEqual(["a floor", "a run", "b floor", "b run"]);
  expect(calls.slice(4, 8)).toEqual(["a run", "a floor", "b run", "b floor"]);
  expect(calls).toHaveLength(12);
});

test("the table fits 80 columns and says what was missed", async () => {
  const lines = table("long", await measure([row({ name: "x".repeat(100), run: () => 1234567 })])).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines[1]).toContain("MISSED");
});
