import { expect, test } from "vitest";
import { KEPT } from "./seeds.ts";
import { playActions, playSeed } from "./simulate.ts";

const seedsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

test("no promise is broken in a few hundred worlds", { timeout: 120_000 }, async () => {
  for (const seed of seedsFrom(1_000_001, 300)) {
    const { violation } = await playSeed(seed, "memory");
    expect({ seed, violation }).toEqual({ seed, violation: undefined });
  }
});

test("nor on a real database", { timeout: 120_000 }, async () => {
  for (const seed of seedsFrom(2_000_001, 15)) {
    const { violation } = await playSeed(seed, "sqlite");
    expect({ seed, violation }).toEqual({ seed, violation: undefined });
  }
});

test("a seed is one history, and so is its list of actions", async () => {
  for (const seed of seedsFrom(1, 20)) {
    const first = await playSeed(seed, "memory");
    expect(await playSeed(seed, "memory")).toEqual(first);
    expect(await playActions(first.setup, first.actions, "memory")).toEqual(first);
  }
});

test.each(KEPT)("$name", async ({ setup, actions }) => {
  expect((await playActions(setup, actions, "memory")).violation).toBeUndefined();
});
