import { expect, test } from "vitest";
import { takeTurns } from "./take-turns.ts";

/** Who asks, in which order: each is answered before the next one may ask. `clock`: moves all that wait. */
function asking() {
  const asked: string[] = [];
  let most = 0;
  let now = 0;
  let sleepers: (() => void)[] = [];
  const turn = takeTurns(() => new Promise((done) => sleepers.push(done)));
  const settled = () => new Promise(setImmediate);
  return {
    asked,
    most: () => most,
    async ask(run: string, priority: number, submittedAt = 0): Promise<void> {
      const pass = await turn({ run, priority, submittedAt });
      asked.push(run);
      most = Math.max(most, ++now);
      await settled();
      now--;
      pass();
    },
    async clock(): Promise<void> {
      const due = sleepers;
      sleepers = [];
      for (const wake of due) wake();
      for (let times = 0; times < 5; times++) await settled();
    },
  };
}

test.each([
  [
    "the most urgent first",
    [
      ["late", 9, 1],
      ["urgent", 1, 2],
      ["middle", 5, 3],
    ],
    ["urgent", "middle", "late"],
  ],
  [
    "of equals the one that waits longest",
    [
      ["b", 5, 2],
      ["a", 5, 1],
    ],
    ["a", "b"],
  ],
] as const)("of runs that are given out together, %s", async (_what, given, expected) => {
  const { ask, asked, clock, most } = asking();
  const all = given.map(([run, priority, at]) => ask(run, priority, at));
  for (let times = 0; times < 5; times++) await clock();
  await Promise.all(all);
  expect(asked).toEqual(expected);
  expect(most(), "one at a time").toBe(1);
});

test("one that comes later waits for none that has asked", async () => {
  const { ask, asked, clock } = asking();
  const first = ask("first", 9);
  await clock();
  const second = ask("second", 1);
  await clock();
  await Promise.all([first, second]);
  expect(asked).toEqual(["first", "second"]);
});
