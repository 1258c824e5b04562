import { expect, test } from "vitest";
import { aCell, NO_END, personaNamed } from "./a-cell.ts";
import type { System } from "./cell.ts";
import { costsOf, type Effort } from "./costs.ts";

const system = (name: string, played: string[], times: readonly number[]): System => {
  const left = [...times];
  return {
    name,
    version: "1",
    family: "a",
    play: async () => {
      played.push(name);
      const ms = left.shift()!;
      return aCell({ ms, memory: 10 * ms });
    },
  };
};
const measured = async (effort: Partial<Effort>) => {
  const played: string[] = [];
  const alone = system("alone", played, [99, 1, 2, 3]);
  const one = system("one", played, [99, 5, 4, 6]);
  const other = system("other", played, [99, 7, 8, 9]);
  const costs = await costsOf(
    [
      [one, alone],
      [other, alone],
    ],
    personaNamed("does what is asked"),
    { longestMs: 1, quietMs: 1, signal: new AbortController().signal, keep: () => {} },
    { repeat: 3, longestMs: 60_000, onPlay: () => {}, ...effort },
  );
  return { played, costs };
};

test("all are played in turn, the host alone once a round, and medians are told", async () => {
  const { played, costs } = await measured({});
  expect(played.slice(0, 6)).toEqual(["alone", "one", "other", "one", "alone", "other"]);
  expect(played).toHaveLength(12);
  const floor = { beside: "alone", besideMs: 2, besideMemory: 20, plays: 3 };
  expect(costs).toEqual([
    { system: "one", ms: 5, memory: 50, ...floor },
    { system: "other", ms: 8, memory: 80, ...floor },
  ]);
});

test("where there is no time left what was measured counts", async () => {
  const { costs } = await measured({ longestMs: 0 });
  expect(costs[0]).toMatchObject({ ms: 5, besideMs: 1, plays: 1 });
});

test("one that does not come to an end is named", async () => {
  const stuck: System = { ...system("stuck", [], []), play: async () => NO_END };
  const terms = { longestMs: 1, quietMs: 1, signal: new AbortController().signal, keep: () => {} };
  const effort = { repeat: 1, longestMs: 1, onPlay: () => {} };
  await expect(costsOf([[stuck, stuck]], personaNamed("does what is asked"), terms, effort)).rejects.toThrow(
    "stuck came to no end",
  );
});
