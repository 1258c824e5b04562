// The simulation as a test file of its own: what no table of situations shows, a few worlds often do.
import { expect, test } from "vitest";
import { KEPT } from "../sim/seeds.ts";
import { playActions, playSeed } from "../sim/simulate.ts";

const SEEDS = Array.from({ length: 80 }, (_, index) => index + 1);

test.each(KEPT)("$name", async ({ setup, actions }) => {
  expect((await playActions(setup, actions, "memory")).violation).toBeUndefined();
});

test.each(SEEDS)("no promise is broken in world %s", async (seed) => {
  expect((await playSeed(seed, "memory")).violation).toBeUndefined();
});
