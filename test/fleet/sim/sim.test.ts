import { expect, test } from "vitest";
import { canStartPostgres } from "../postgres.ts";
import { playInMemory, playSeeds } from "./play-seeds.ts";

test("no promise of the fleet is broken in a few hundred worlds", { timeout: 120_000 }, async () => {
  expect(await playSeeds({ seeds: 300, from: 1_000_001, store: "memory" })).toEqual([]);
});

test.skipIf(!canStartPostgres())("nor on a real database", { timeout: 240_000 }, async () => {
  expect(await playSeeds({ seeds: 5, from: 2_000_001, store: "postgres" })).toEqual([]);
});

test("a seed is one history", async () => {
  for (const seed of [1, 2, 3, 4, 5]) expect(await playInMemory(seed)).toEqual(await playInMemory(seed));
});
